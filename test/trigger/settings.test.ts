import type { ITriggerFunctions } from 'n8n-workflow';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { TriggerCall } from '../../nodes/TwoWayMessaging/trigger/nodeMemory';

test.each([
	['as long as they are the same', 7, [7, 7]],
	['anew with each event where one is an expression', '={{ $vars.minutes }}', [1, 2]],
])('the fields of a trigger are read %s', (_, checkEvery, read) => {
	let evaluated = 0;
	const context = {
		getMode: () => 'trigger',
		getWorkflow: () => ({ id: 'w1' }),
		getNode: () => ({ id: 'n1', parameters: { checkEvery } }),
		getNodeParameter: (name: string, fallback: unknown) => {
			if (name !== 'checkEvery') return fallback;
			return typeof checkEvery === 'number' ? checkEvery : (evaluated += 1);
		},
	} as unknown as ITriggerFunctions;
	const memory = new ProcessMemory();
	const calls = [new TriggerCall(context, memory), new TriggerCall(context, memory)];
	expect(calls.map(({ settings }) => settings.checkEveryMinutes)).toEqual(read);
});
