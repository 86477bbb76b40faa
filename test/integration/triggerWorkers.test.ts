import { DataDeduplicationService } from 'n8n-core';
import type { INodeType } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { TwoWayMessagingTrigger } from '../../nodes/TwoWayMessaging/TwoWayMessagingTrigger.node';
import { log } from '../support/log';
import { TestClock } from '../support/testClock';
import { waitUntil } from '../support/waitUntil';
import { handles } from './historyWorld';
import { inbound, startHistory } from './triggerHistory';
import { Process, type Database } from './triggerProcess';
import { engineWithTrigger, handedOver, TRIGGER, triggerNode } from './triggerWorkflow';
import { MINUTE_MS } from '../support/times';

/** A row that locks, as n8n's table keeps it: its mark stands in the mode and is the number of its entries. */
const LOCK = { mode: 'two-way-messaging lock 2', entries: ['lock 0', 'lock 1'] };

let service: Awaited<ReturnType<typeof startHistory>>;
let database: Database;
let nowMs: number;
let workflows = 0;

beforeEach(async () => {
	service = await startHistory();
	database = { workflowId: `workers-${(workflows += 1)}`, staticData: {} };
	nowMs = Date.now();
	log.clear();
});
afterEach(async () => await service.stop());

const clock = new TestClock(() => nowMs);
const newProcess = () => new Process(database, service.credential, {}, clock);

const names = (count: number) => Array.from({ length: count }, (_, at) => `e${at}`);

/** n8n's table of processed data, in which a test reads and writes rows of other processes. */
const table = DataDeduplicationService.getInstance();
const row = (mode: string) => {
	const contextData = { workflow: { id: database.workflowId } as never };
	const options = { mode: mode as 'entries' };
	return {
		insert: async (...entries: string[]) =>
			await table.checkProcessedAndRecord(entries, 'workflow', contextData, options),
		count: async () =>
			await table.getProcessedDataCount('workflow', contextData, { mode: 'entries' }),
	};
};

describe('in queue mode, where several workers run executions', () => {
	test('an event that two workers run at the same moment starts the workflow once', async () => {
		const workers = [newProcess(), newProcess(), newProcess()];
		for (const name of names(60)) {
			for (const worker of workers)
				worker.queue.push({ items: [handedOver(name)], mode: 'webhook' });
		}
		const begun = await Promise.all(workers.map(async (worker) => await worker.execute()));
		const counts = new Map<unknown, number>();
		for (const handle of handles(begun.flat())) counts.set(handle, (counts.get(handle) ?? 0) + 1);
		expect(Object.fromEntries(counts)).toEqual(
			Object.fromEntries(names(60).map((name) => [name, 1])),
		);
		expect(await row(LOCK.mode).count()).toBe(0);
	});

	test('a worker that is gone while it records keeps the others waiting for seconds, not for ever', async () => {
		await row(LOCK.mode).insert(...LOCK.entries);
		const worker = newProcess();
		worker.queue.push({ items: [handedOver('a')], mode: 'webhook' });
		const looks = jest.spyOn(table, 'getProcessedDataCount');
		const running = worker.execute();
		/** Lets time pass, and the worker look twice at the lock's row. */
		const passes = async (ms: number) => {
			nowMs += ms;
			const before = looks.mock.calls.length;
			await waitUntil('a look', async () => looks.mock.calls.length > before + 1 || undefined);
		};
		await passes(0);
		await passes(600);
		await passes(14_000);
		expect(await row(LOCK.mode).count()).toBe(2);
		nowMs += 9_000;
		expect(handles(await running)).toEqual(['a']);
		expect(await row(LOCK.mode).count()).toBe(0);
	});

	test('the row of another node stays as it is, and events begin without a lock', async () => {
		const theirs = row('entries');
		await theirs.insert('x', 'y');
		const worker = new Process(database, service.credential);
		worker.queue.push({ items: [handedOver('a')], mode: 'webhook' });
		worker.queue.push({ items: [handedOver('a')], mode: 'webhook' });
		expect(handles(await worker.execute())).toEqual(['a']);
		expect(await theirs.count()).toBe(2);
	});

	test('where Remove Duplicates keeps that row, no lock is tried', async () => {
		const removeDuplicates: INodeType = {
			description: {
				displayName: 'Remove Duplicates',
				name: 'removeDuplicates',
				group: ['transform'],
				version: 2,
				description: '',
				defaults: { name: 'Remove Duplicates' },
				inputs: [NodeConnectionTypes.Main],
				outputs: [NodeConnectionTypes.Main],
				properties: [{ displayName: 'Options', name: 'options', type: 'json', default: '' }],
			},
			async execute() {
				return [this.getInputData()];
			},
		};
		const engine = engineWithTrigger(service.credential, {
			workflowId: database.workflowId,
			nodeTypes: [new TwoWayMessagingTrigger(), removeDuplicates],
		});
		const asked = jest.spyOn(table, 'checkProcessedAndRecord');
		const run = await engine.runWorkflow({
			nodes: [
				triggerNode(),
				{
					type: 'n8n-nodes-base.removeDuplicates',
					name: 'Remove Duplicates',
					parameters: { options: { scope: 'workflow' } },
				},
			],
			items: [handedOver('a')],
			mode: 'webhook',
		});
		expect(handles(run.json(TRIGGER))).toEqual(['a']);
		expect(asked.mock.calls.map(([, scope]) => scope)).toEqual(['node']);
	});

	test('a check that brings only what webhooks have brought starts no workflow, and does not register again', async () => {
		const [main, worker] = [newProcess(), newProcess()];
		await main.activate('activate');
		service.rows.push(inbound('a', nowMs + 1_000));
		worker.queue.push({ items: [handedOver('a')], mode: 'webhook' });
		expect(await worker.execute()).toHaveLength(1);
		nowMs += 5 * MINUTE_MS;
		await main.check();
		worker.queue.push(...main.queue.splice(0));
		expect(worker.queue).toHaveLength(1);
		expect(await worker.execute()).toEqual([]);
		expect(service.registered).toHaveLength(1);
	});

	test('§3.3 one worker registers again when a check brings what webhooks should have brought', async () => {
		const [main, ...workers] = [newProcess(), newProcess(), newProcess()];
		await main?.activate('activate');
		for (const handle of ['a', 'b']) {
			service.rows.push(inbound(handle, nowMs + 1_000));
			nowMs += 5 * MINUTE_MS;
			await main?.check();
			for (const worker of workers) {
				for (const { items, mode } of main?.queue ?? []) {
					worker.queue.push({ items: structuredClone(items), mode });
				}
				await worker.execute();
			}
			main?.queue.splice(0);
		}
		expect(service.registered).toHaveLength(2);
		expect(log.messages('warn').join()).toContain('a check found an event that no webhook brought');
	});
});
