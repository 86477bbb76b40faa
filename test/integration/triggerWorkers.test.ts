import { DataDeduplicationService } from 'n8n-core';
import { TwoWayMessagingTrigger } from '../../nodes/TwoWayMessaging/TwoWayMessagingTrigger.node';
import { FLOW_NODES } from '../support/flowNodes';
import { log } from '../support/log';
import { SkippingClock } from '../support/testClock';
import { waitUntil } from '../support/waitUntil';
import { historyWorld, MINUTE_MS } from './historyWorld';
import type { Process } from './triggerProcess';
import { engineWithTrigger, handedOver, TRIGGER, triggerNode } from './triggerWorkflow';

/** A row that locks, as n8n's table keeps it: its mark stands in the mode and is the number of its entries. */
const LOCK = { mode: 'two-way-messaging lock 2', entries: ['lock 0', 'lock 1'] };

const world = historyWorld();

/** n8n hands events to a worker, each in an execution of its own. */
const hand = (worker: Process, ...named: string[]) =>
	worker.queue.push(
		...named.map((name) => ({ items: [handedOver(name)], mode: 'webhook' as const })),
	);

/** n8n's table of processed data, in which a test reads and writes rows of other processes. */
const table = DataDeduplicationService.getInstance();
const row = (mode: string) => {
	const contextData = { workflow: { id: world.database.workflowId } as never };
	const options = { mode: mode as 'entries' };
	return {
		insert: async (...entries: string[]) =>
			await table.checkProcessedAndRecord(entries, 'workflow', contextData, options),
		count: async () =>
			await table.getProcessedDataCount('workflow', contextData, { mode: 'entries' }),
	};
};

describe('in queue mode, where several workers run executions', () => {
	test('a worker that is gone while it records keeps the others waiting for seconds, not for ever', async () => {
		await row(LOCK.mode).insert(...LOCK.entries);
		const worker = world.newProcess();
		hand(worker, 'a');
		const looks = jest.spyOn(table, 'getProcessedDataCount');
		const running = world.begun(worker);
		/** Lets time pass, and the worker look twice at the lock's row. */
		const passes = async (ms: number) => {
			world.nowMs += ms;
			const before = looks.mock.calls.length;
			await waitUntil('a look', async () => looks.mock.calls.length > before + 1 || undefined);
		};
		for (const ms of [0, 600, 14_000]) await passes(ms);
		expect(await row(LOCK.mode).count()).toBe(2);
		world.nowMs += 9_000;
		expect(await running).toEqual(['a']);
		expect(await row(LOCK.mode).count()).toBe(0);
	});

	test('the row of another node stays as it is, and events begin without a lock', async () => {
		const theirs = row('entries');
		await theirs.insert('x', 'y');
		world.clock = new SkippingClock(world.nowMs);
		const worker = world.newProcess();
		hand(worker, 'a', 'a');
		expect(await world.begun(worker)).toEqual(['a']);
		expect(await theirs.count()).toBe(2);
	});

	test('where Remove Duplicates keeps that row, no lock is tried', async () => {
		const passOn = FLOW_NODES.find(({ description }) => description.name === 'passOn')!;
		const options = { displayName: 'Options', name: 'options', type: 'json', default: '' } as const;
		const description = { ...passOn.description, name: 'removeDuplicates', version: 2 };
		const removeDuplicates = { ...passOn, description: { ...description, properties: [options] } };
		const engine = engineWithTrigger(world.service.credential, {
			workflowId: world.database.workflowId,
			nodeTypes: [new TwoWayMessagingTrigger(), removeDuplicates],
		});
		const asked = jest.spyOn(table, 'checkProcessedAndRecord');
		const parameters = { options: { scope: 'workflow' } };
		const run = await engine.runWorkflow({
			nodes: [triggerNode(), { type: 'n8n-nodes-base.removeDuplicates', parameters }],
			items: [handedOver('a')],
			mode: 'webhook',
		});
		expect(run.json(TRIGGER)).toMatchObject([{ message_handle: 'a' }]);
		expect(asked.mock.calls.map(([, scope]) => scope)).toEqual(['node']);
	});

	test('§3.3 one worker registers again when a check brings what webhooks should have brought', async () => {
		const main = await world.started();
		const workers = [world.newProcess(), world.newProcess()];
		for (const handle of ['a', 'b']) {
			world.text(handle);
			world.nowMs += 5 * MINUTE_MS;
			await main.check();
			const found = main.queue.splice(0);
			for (const worker of workers) {
				worker.queue.push(
					...found.map(({ items, mode }) => ({ items: structuredClone(items), mode })),
				);
				await worker.execute();
			}
		}
		expect(world.service.registered).toHaveLength(2);
		expect(log.messages('warn').join()).toContain('a check found an event that no webhook brought');
	});
});
