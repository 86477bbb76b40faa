import type { IExecuteFunctions } from 'n8n-workflow';
import {
	addProcessedNames,
	removeProcessedNames,
	TableTurns,
} from '../../nodes/TwoWayMessaging/n8n/processedData';
import { ProcessedData, tableHelpers } from '../support/deduplication';
import { runWorkflow } from '../support/executions';
import { SkippedTime } from '../support/testClock';
import { instanceWith, probeOf, PROBE_REQUEST } from './probe';

/** What runs a workflow once. */
function runOf(work: (context: IExecuteFunctions) => Promise<unknown>) {
	const probe = probeOf(async (context) => {
		await work(context);
		return [[]];
	});
	const instance = instanceWith(probe);
	return async () => await runWorkflow(instance, PROBE_REQUEST);
}

describe("n8n's table of processed data", () => {
	test('says which names are new to the node, keeps the newest, and forgets what is removed', async () => {
		const lists = ['ab', 'bc', 'a', 'xyz', 'c'].map((names) => [...names]);
		const added: string[] = [];
		const run = runOf(async (context) => {
			added.push((await addProcessedNames(context, lists[added.length]!, 3)).join(''));
			if (added.length === 2) await removeProcessedNames(context, ['a']);
		});
		while (added.length < lists.length) await run();
		expect(added).toEqual(['ab', 'c', 'a', 'xyz', 'c']);
	});
});

/** n8n's table as every worker reaches it, each round trip of which takes its time. */
function slowTable(time: SkippedTime, roundTripMs: number) {
	const data = new ProcessedData(async () => await time.sleep(roundTripMs * (0.5 + Math.random())));
	const context = { workflow: { id: 'w' }, node: { id: 'n' } } as never;
	const workflow = { getWorkflow: () => ({ id: 'w' }), getChildNodes: () => [] };
	const node = { ...workflow, getNode: () => ({ name: 'Trigger' }) };
	const warnings: string[] = [];
	const logger = { warn: (message: string) => warnings.push(message) };
	const n8n = { logger, helpers: tableHelpers(data, context) };
	const execution = { ...node, ...n8n } as unknown as IExecuteFunctions;
	const size = async () =>
		await data.getProcessedDataCount('workflow', context, { mode: 'entries' });
	return { execution, size, warnings };
}

/** Lets workers do their work under the lock, some of them ending in the middle of it. */
async function contend(workers: number, roundTripMs: number, endsInTheMiddle = 0) {
	const time = new SkippedTime(undefined, () => 0);
	const { execution } = slowTable(time, roundTripMs);
	let working = 0;
	const seen = { most: 0, done: 0, lastMs: 0 };
	const all = Array.from({ length: workers }, async (_, worker) => {
		await time.sleep(Math.random() * 1_000);
		const hasEnded = worker < endsInTheMiddle;
		const work = new TableTurns(time).take(execution, async () => {
			if (hasEnded) return await new Promise<void>(() => {});
			seen.most = Math.max(seen.most, (working += 1));
			await time.sleep(2 * roundTripMs);
			working -= 1;
			seen.done += 1;
			seen.lastMs = time.nowMs();
		});
		if (!hasEnded) await work;
	});
	await Promise.all(all);
	return seen;
}

describe('the lock across processes, on a slow table', () => {
	test.each([5, 120])(
		'lets one of 80 workers work at a time, with %i ms for each round trip',
		async (ms) => expect(await contend(80, ms)).toMatchObject({ most: 1, done: 80 }),
		60_000,
	);

	test('stays with a holder that took too long, as the row may be of another by then', async () => {
		const time = new SkippedTime(undefined, () => 0);
		const { execution, size } = slowTable(time, 5);
		await new TableTurns(time).take(execution, async () => await time.sleep(6_000));
		expect(await size()).toBeGreaterThan(0);
		await new TableTurns(time).take(execution, async () => {});
		expect(await size()).toBe(0);
	});

	test('is given up within half a minute, and for good, where another node keeps the row', async () => {
		const time = new SkippedTime(undefined, () => 0);
		const { execution, size } = slowTable(time, 5);
		await execution.helpers.checkProcessedAndRecord(['theirs'], 'workflow', { mode: 'entries' });
		const turns = new TableTurns(time);
		await turns.take(execution, async () => {});
		const givenUpMs = time.nowMs();
		expect(givenUpMs).toBeLessThan(30_000);
		await turns.take(execution, async () => {});
		expect(time.nowMs()).toBe(givenUpMs);
		expect(await size()).toBe(1);
	});

	test('is used again when n8n’s table could not be read for a while, in which nothing is done', async () => {
		const time = new SkippedTime(undefined, () => 0);
		const { execution, size } = slowTable(time, 5);
		const table = { ...execution.helpers };
		const fail = async () => await Promise.reject(new Error('The disk is full'));
		Object.assign(execution.helpers, {
			checkProcessedAndRecord: fail,
			getProcessedDataCount: fail,
		});
		const turns = new TableTurns(time);
		await expect(turns.take(execution, async () => {})).rejects.toThrow('The disk is full');
		Object.assign(execution.helpers, table);
		expect(await turns.take(execution, size)).toBeGreaterThan(0);
	});

	test('that cannot be released is in the log, and what was done stays done', async () => {
		const time = new SkippedTime(undefined, () => 0);
		const { execution, warnings } = slowTable(time, 5);
		const clearAllProcessedItems = async () => await Promise.reject(new Error('The disk is full'));
		Object.assign(execution.helpers, { clearAllProcessedItems });
		expect(await new TableTurns(time).take(execution, async () => 'done')).toBe('done');
		expect(warnings).toEqual([
			"Trigger could not release its lock in n8n's database: The disk is full",
		]);
	});

	test('is free again within half a minute of the end of its holder', async () => {
		const { most, done, lastMs } = await contend(10, 5, 1);
		expect([most, done]).toEqual([1, 9]);
		expect(lastMs).toBeLessThan(30_000);
	});
});
