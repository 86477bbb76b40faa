import type { IExecuteFunctions } from 'n8n-workflow';
import {
	addProcessedNames,
	removeProcessedNames,
	TableTurns,
} from '../../nodes/TwoWayMessaging/n8n/processedData';
import { ProcessedData, tableHelpers } from '../support/deduplication';
import { runWorkflow } from '../support/executions';
import { SkippedTime, TestClock } from '../support/testClock';
import { instanceWith, probeOf, PROBE_REQUEST } from './probe';

/** Runs a workflow so many times at once; returns what runs it once more. */
async function runAll(times: number, work: (context: IExecuteFunctions) => Promise<unknown>) {
	const probe = probeOf(async (context) => {
		await work(context);
		return [[]];
	});
	const instance = instanceWith(probe);
	const run = async () => await runWorkflow(instance, PROBE_REQUEST);
	await Promise.all(Array.from({ length: times }, run));
	return run;
}

describe("n8n's table of processed data", () => {
	test('says which names are new to the node, also in later executions, and forgets what is removed', async () => {
		const added: string[][] = [];
		const lists = [
			['a', 'b'],
			['b', 'c'],
		];
		const run = await runAll(1, async (context) => {
			added.push(await addProcessedNames(context, lists[added.length] ?? ['a', 'b'], 10));
			if (added.length === 2) await removeProcessedNames(context, ['a']);
		});
		await run();
		await run();
		expect(added).toEqual([['a', 'b'], ['c'], ['a']]);
	});

	test('keeps so many names, and loses some that are written at once without turns', async () => {
		const names = ['a', 'b', 'a', 'c', 'd', 'a', 'x', 'y', 'z', 'x', 'y', 'z'];
		const areNew: boolean[] = [];
		let begun = 0;
		const run = await runAll(1, async (context) => {
			const name = names[begun]!;
			begun += 1;
			areNew.push((await addProcessedNames(context, [name], 3)).length === 1);
		});
		while (begun < 6) await run();
		expect(areNew).toEqual([true, true, false, true, true, true]);
		await Promise.all([run(), run(), run()]);
		while (begun < names.length) await run();
		expect(areNew.slice(-3)).toContain(true);
	});

	test.each([
		['one process', 1],
		['processes of their own', 6],
	])('loses nothing of several executions at once that take turns in %s', async (_, count) => {
		const processes = Array.from({ length: count }, () => new TableTurns(new TestClock()));
		const names = ['a', 'b', 'c', 'd', 'e'];
		let begun = 0;
		let lost = names;
		const run = await runAll(names.length, async (context) => {
			const turns = processes[begun % count]!;
			const name = names[begun];
			begun += 1;
			const more = name === undefined ? names : [name];
			const add = async () => await addProcessedNames(context, more, 100);
			const missing = await turns.take(context, add);
			if (name === undefined) lost = missing;
		});
		await run();
		expect(lost).toEqual([]);
	});
});

/** n8n's table as every worker reaches it, each round trip of which takes its time. */
function slowTable(time: SkippedTime, roundTripMs: number) {
	const data = new ProcessedData(async () => await time.sleep(roundTripMs * (0.5 + Math.random())));
	const context = { workflow: { id: 'w' }, node: { id: 'n' } } as never;
	const workflow = { getWorkflow: () => ({ id: 'w' }), getChildNodes: () => [] };
	const node = { ...workflow, getNode: () => ({ name: 'Trigger' }) };
	const n8n = { logger: { warn: () => {} }, helpers: tableHelpers(data, context) };
	const execution = { ...node, ...n8n } as unknown as IExecuteFunctions;
	const size = async () =>
		await data.getProcessedDataCount('workflow', context, { mode: 'entries' });
	return { execution, size };
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

	test('is free again within half a minute of the end of its holder', async () => {
		const { most, done, lastMs } = await contend(10, 5, 1);
		expect([most, done]).toEqual([1, 9]);
		expect(lastMs).toBeLessThan(30_000);
	});
});
