import { DataDeduplicationService } from 'n8n-core';
import {
	addProcessedNames,
	removeProcessedNames,
} from '../../nodes/TwoWayMessaging/n8n/processedData';
import { instanceWith, Probe, PROBE_REQUEST, runProbe } from './probe';
import { runWorkflow } from '../support/executions';

describe("n8n's table of processed data", () => {
	test('says which names are new to the node, in this execution and in later ones', async () => {
		const added: string[][] = [];
		const lists = [
			['a', 'b'],
			['b', 'c'],
		];
		const probe = new Probe(async (context) => {
			added.push(await addProcessedNames(context, lists[added.length] ?? [], 10));
			return [[]];
		});
		const instance = instanceWith(probe);
		await runWorkflow(instance, PROBE_REQUEST);
		await runWorkflow(instance, PROBE_REQUEST);
		expect(added).toEqual([['a', 'b'], ['c']]);
	});

	test('is asked for the list of the node, with the number of names to keep', async () => {
		const table = jest.spyOn(DataDeduplicationService.getInstance(), 'checkProcessedAndRecord');
		await runProbe(async (context) => {
			await addProcessedNames(context, ['a'], 7);
			return [[]];
		});
		expect(table.mock.calls.map(([names, scope, , options]) => [names, scope, options])).toEqual([
			[['a'], 'node', { mode: 'entries', maxEntries: 7 }],
		]);
	});

	test('forgets the names that are removed', async () => {
		const added: string[][] = [];
		await runProbe(async (context) => {
			await addProcessedNames(context, ['a', 'b'], 10);
			await removeProcessedNames(context, ['a']);
			added.push(await addProcessedNames(context, ['a', 'b'], 10));
			return [[]];
		});
		expect(added).toEqual([['a']]);
	});
});
