import type { IExecuteFunctions, ITriggerFunctions } from 'n8n-workflow';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { readSaved, TriggerCall, writeSaved } from '../../nodes/TwoWayMessaging/trigger/nodeMemory';
import { TestClock } from '../support/testClock';

test('what was saved is read, what is saved as undefined is gone, and a test in the editor saves nothing', () => {
	const data = { other: 'field' };
	const copy = {};
	const processMemory = new ProcessMemory(new TestClock());
	const callIn = (mode: 'manual' | 'trigger') => {
		const context = {
			getWorkflow: () => ({ id: 'w1' }),
			getNode: () => ({ id: 'n1' }),
			getWorkflowStaticData: () => data,
			getMode: () => mode,
		};
		return new TriggerCall(context as unknown as IExecuteFunctions, processMemory);
	};
	callIn('trigger').memory.data = copy;
	writeSaved(callIn('trigger'), {
		lines: { l1: { blocks: ['x'], isOver: false } },
		questions: [],
	});
	writeSaved(callIn('manual'), { questions: undefined });
	expect(readSaved(callIn('trigger').context, 'lines')).toEqual({
		l1: { blocks: ['x'], isOver: false },
	});
	expect(Object.keys(data)).toEqual(['other', 'lines']);
	expect(Object.keys(copy)).toEqual(['lines', 'questions']);
});

test('what cannot be read of what n8n saved counts as not saved', () => {
	const saved = { getWorkflowStaticData: () => ({ check: 'no JSON' }) };
	expect(readSaved(saved, 'check')).toBeUndefined();
});

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
