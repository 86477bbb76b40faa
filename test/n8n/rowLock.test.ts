import type { IExecuteFunctions } from 'n8n-workflow';
import {
	addProcessedNames,
	TableTurns,
	withRowLock,
} from '../../nodes/TwoWayMessaging/n8n/processedData';
import { runWorkflow } from '../support/executions';
import { TestClock } from '../support/testClock';
import { instanceWith, Probe, PROBE_REQUEST } from './probe';

describe("the workflow's row in n8n's table of processed data", () => {
	test('lets one execution work at a time, as only one of them can insert it', async () => {
		let working = 0;
		let most = 0;
		const probe = new Probe(async (context) => {
			const locked = await withRowLock(context, new TestClock(), async () => {
				most = Math.max(most, (working += 1));
				await new Promise((resolve) => setTimeout(resolve, 5));
				working -= 1;
				return 'done';
			});
			return [[{ json: { locked } }]];
		});
		const instance = instanceWith(probe);
		const runs = await Promise.all(
			Array.from({ length: 5 }, async () => await runWorkflow(instance, PROBE_REQUEST)),
		);
		expect(most).toBe(1);
		expect(runs.flatMap((run) => run.json('Probe'))).toEqual(
			Array.from({ length: 5 }, () => ({ locked: { result: 'done' } })),
		);
	});
});

const NAMES = ['a', 'b', 'c', 'd', 'e'];

/** Adds a name in each of several executions at the same moment, and gives the names that are then missing. */
async function lostNames(turnsOf: () => TableTurns): Promise<string[]> {
	const add = async (context: IExecuteFunctions, names: string[]) =>
		await turnsOf().take(context, async () => await addProcessedNames(context, names, 100));
	let begun = 0;
	let lost = NAMES;
	const probe = new Probe(async (context) => {
		const name = NAMES[begun];
		begun += 1;
		if (name === undefined) lost = await add(context, NAMES);
		else await add(context, [name]);
		return [[]];
	});
	const instance = instanceWith(probe);
	await Promise.all(NAMES.map(async () => await runWorkflow(instance, PROBE_REQUEST)));
	await runWorkflow(instance, PROBE_REQUEST);
	return lost;
}

describe("what several executions write into n8n's table of processed data at the same moment", () => {
	test('is not lost where they take turns in one process', async () => {
		const turns = new TableTurns(new TestClock());
		expect(await lostNames(() => turns)).toEqual([]);
	});

	test('is not lost where they take turns in processes of their own', async () => {
		expect(await lostNames(() => new TableTurns(new TestClock()))).toEqual([]);
	});
});
