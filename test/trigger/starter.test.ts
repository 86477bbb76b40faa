import type { ITriggerFunctions } from 'n8n-workflow';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { TriggerCall } from '../../nodes/TwoWayMessaging/trigger/nodeMemory';
import { Starter } from '../../nodes/TwoWayMessaging/trigger/starter';
import { readEvent, type ServiceEvent } from '../../nodes/TwoWayMessaging/trigger/event';
import { SkippingClock } from '../support/testClock';
import { waitUntil } from '../support/waitUntil';

test('beside fifty executions that go on, the next one starts after half a minute, and no sooner', async () => {
	const clock = new SkippingClock();
	const starter = new Starter(clock);
	const startedAtMs: number[] = [];
	for (let at = 0; at <= 50; at += 1) {
		const event = readEvent({ event: 'receive', message_handle: `m${at}` }) as ServiceEvent;
		starter.inbox.put({ name: `m${at}`, event, isFound: false });
	}
	const start = async () => {
		startedAtMs.push(clock.ms);
		return await new Promise<boolean>(() => undefined);
	};
	const context = {
		getMode: () => 'trigger',
		getWorkflow: () => ({ id: 'w1' }),
		getNode: () => ({ id: 'n1', parameters: {} }),
		getNodeParameter: (_: string, fallback: unknown) => fallback,
		getWorkflowStaticData: () => ({}),
	} as unknown as ITriggerFunctions;
	starter.use({ call: new TriggerCall(context, new ProcessMemory(clock)), start });
	await waitUntil('the last execution', async () => startedAtMs.at(50));
	expect(startedAtMs[49]).toBeLessThan(1_000);
	expect(startedAtMs[50]).toBeGreaterThanOrEqual(30_000);
	expect(startedAtMs[50]).toBeLessThan(31_000);
});
