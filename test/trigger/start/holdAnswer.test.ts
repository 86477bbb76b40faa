import type { IWebhookFunctions } from 'n8n-workflow';
import type { Clock } from '../../../nodes/TwoWayMessaging/clock';
import { ProcessMemory } from '../../../nodes/TwoWayMessaging/processMemory';
import { triggerCall } from '../../../nodes/TwoWayMessaging/trigger/nodeMemory';
import { RunsUnderWay } from '../../../nodes/TwoWayMessaging/trigger/runsUnderWay';
import { holdAnswer } from '../../../nodes/TwoWayMessaging/trigger/start/holdAnswer';
import {
	StartQueue,
	type StartHandover,
} from '../../../nodes/TwoWayMessaging/trigger/start/startQueue';

const EVENT: StartHandover = { kind: 'event', name: 'receive:a', isMissed: false, output: {} };

/**
 * A request that has brought the event, in a process in which every pause takes `delayMs` longer than asked. `then` says
 * what happens once so much time has passed.
 */
const request = (delayMs = 0) => {
	const events: Array<[number, () => void]> = [];
	const clock: Clock & { ms: number } = {
		ms: 0,
		nowMs: () => clock.ms,
		sleep: async (durationMs) => {
			const endMs = clock.ms + durationMs + delayMs;
			await new Promise((resolve) => setImmediate(resolve));
			clock.ms = Math.max(clock.ms, endMs);
			for (const [, run] of events.filter(([atMs]) => atMs <= clock.ms)) run();
		},
	};
	const caller = { getWorkflow: () => ({ id: 'w' }), getNode: () => ({ id: 'n' }) };
	const call = triggerCall(caller as unknown as IWebhookFunctions, new ProcessMemory(clock));
	const queue = call.memory.part(StartQueue);
	const runs = call.processMemory.part(RunsUnderWay);
	return {
		call,
		queue,
		/** Lets n8n start the execution. */
		start: () => {
			queue.take(1);
			return runs.add(call.nodeKey, [EVENT.name], true);
		},
		runs,
		then: (atMs: number, run: () => void) => events.push([atMs, run]),
		/** How long the answer is held, in ms. */
		heldMs: async () => {
			await holdAnswer(call, EVENT);
			return clock.ms;
		},
	};
};

describe('the answer to an event is held', () => {
	test('until its execution has begun', async () => {
		const { call, queue, start, runs, then, heldMs } = request();
		queue.addLive(EVENT);
		then(200, start);
		then(400, () => runs.markBegun(call.nodeKey, EVENT.name));
		expect(await heldMs()).toBe(400);
	});

	test('until its execution waits for more texts', async () => {
		const { call, start, runs, then, heldMs } = request();
		start();
		then(100, () => runs.markWaiting(call.nodeKey, EVENT.name));
		expect(await heldMs()).toBe(100);
	});

	test('until its execution waits for the service', async () => {
		const { call, start, runs, then, heldMs } = request();
		start();
		then(100, () => {
			void runs.whileWaiting(call.nodeKey, EVENT.name, async () => await new Promise(() => {}));
		});
		expect(await heldMs()).toBe(100);
	});

	test('until n8n has refused to start its execution', async () => {
		const { queue, then, heldMs } = request();
		queue.addLive(EVENT);
		then(100, () => queue.clearLive());
		expect(await heldMs()).toBe(100);
	});

	test('for 1.5 s where n8n is slower than that, as the service waits 5 s (§6.4)', async () => {
		const { queue, heldMs } = request();
		queue.addLive(EVENT);
		expect(await heldMs()).toBe(1_500);
	});

	test('no longer than until answers come late', async () => {
		const { queue, heldMs } = request(200);
		queue.addLive(EVENT);
		expect(await heldMs()).toBeLessThan(500);
	});

	test('not at all where its execution has begun', async () => {
		expect(await request().heldMs()).toBe(0);
	});
});
