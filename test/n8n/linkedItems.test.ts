import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import {
	earlierNodes,
	fieldsOfNode,
	inputItem,
	linkedItem,
	outputItems,
	readRunIndex,
} from '../../nodes/TwoWayMessaging/n8n/linkedItems';
import type { RunRequest } from '../support/executions';
import { runWorkflow } from '../support/executions';
import { FLOW_NODES } from '../support/flowNodes';
import { Instance } from '../support/instance';
import { Probe, runProbe } from './probe';

const to = (node: string) => ({ node, type: NodeConnectionTypes.Main, index: 0 });
const ITEMS: INodeExecutionData[] = [{ json: { name: 'Anna' } }, { json: { name: 'Ben' } }];

/** A node with two fields. */
class WithFields extends Probe {
	constructor() {
		super(async (context) => [context.getInputData()]);
		const field = { type: 'string' as const, default: '' };
		this.description.name = 'withFields';
		this.description.properties = [
			{ ...field, displayName: 'Operation', name: 'operation' },
			{ ...field, displayName: 'Text', name: 'text' },
		];
	}
}

/** What a look shows in a node behind n8n's start and one node of a type. */
async function seenBehind<Seen>(
	type: string,
	look: (context: IExecuteFunctions, itemIndex: number) => Seen,
): Promise<Seen[]> {
	const seen: Seen[] = [];
	const probe = new Probe(async (context) => {
		seen.push(...context.getInputData().map((_, itemIndex) => look(context, itemIndex)));
		return [[]];
	});
	const request: RunRequest = {
		nodes: [
			{ type: 'start', name: 'Start' },
			{ type, name: 'Between', parameters: { operation: 'send', text: '={{ $json.name }}' } },
			{ type: 'probe', name: 'Probe' },
		],
		connections: { Start: { main: [[to('Between')]] }, Between: { main: [[to('Probe')]] } },
		items: ITEMS,
	};
	const instance = new Instance({
		nodeTypes: [probe, new WithFields(), ...FLOW_NODES],
		credentialTypes: [],
		credentials: {},
	});
	await runWorkflow(instance, request);
	return seen;
}

describe("n8n's links between items", () => {
	test.each([
		['back to the item of an earlier node', 'editFields', 'Start', ['Anna', 'Ben']],
		['nowhere behind a node that sets no links', 'codeWithoutLinks', 'Start', [undefined]],
		['nowhere behind a node that makes one item of all', 'aggregate', 'Start', [undefined]],
		['nowhere for a node that does not exist', 'editFields', 'Nobody', [undefined]],
	])('lead %s', async (_, type, earlier, names) => {
		const seen = await seenBehind(
			type,
			(context, itemIndex) => linkedItem(context, inputItem(context, itemIndex), earlier)?.name,
		);
		expect(new Set(seen)).toEqual(new Set(names));
	});

	test('come from nodes that n8n names with their types', async () => {
		const [names] = await seenBehind('editFields', earlierNodes);
		expect(names).toContainEqual(expect.objectContaining({ name: 'Start', type: 'start' }));
		expect(names).toContainEqual(expect.objectContaining({ name: 'Between', type: 'editFields' }));
	});
});

describe('of an earlier node', () => {
	test.each([
		[
			'are those of the workflow, with their expressions',
			'Between',
			{ operation: 'send', text: '={{ $json.name }}' },
		],
		['are none for a node that does not exist', 'Nobody', {}],
	])('the fields %s', async (_, name, fields) => {
		const [seen] = await seenBehind('withFields', (context) => fieldsOfNode(context, name));
		expect(seen).toEqual(fields);
	});

	test.each([
		['is read by its name', 'Start', [{ name: 'Anna' }, { name: 'Ben' }]],
		['is nothing where it has not run', 'Nobody', []],
	])('what it has put out %s', async (_, previousNode, items) => {
		const [seen] = await seenBehind('editFields', (context) =>
			outputItems(context, { previousNode }),
		);
		expect(seen).toEqual(items);
	});
});

describe("n8n's index of a run", () => {
	const indexesOf = async (
		nodes: string[],
		connections: RunRequest['connections'],
		fails = false,
	) => {
		const indexes: number[] = [];
		const probe = { retryOnFail: fails, maxTries: 2, waitBetweenTries: 1 };
		await runProbe(
			async (context) => {
				indexes.push(readRunIndex(context, 0));
				if (fails) throw new Error('this try ends here');
				return [[{ json: {} }]];
			},
			{
				nodes: [
					...nodes.map((name) => ({ type: 'start', name })),
					{ type: 'probe', name: 'Probe', ...(fails && probe) },
				],
				connections,
			},
		);
		return indexes;
	};
	const leadsTo = (...names: string[]) => ({ main: [names.map(to)] });

	test('counts how often a node has run in its execution', async () => {
		const twice = {
			Start: leadsTo('Left', 'Right'),
			Left: leadsTo('Probe'),
			Right: leadsTo('Probe'),
		};
		expect(await indexesOf(['Start', 'Left', 'Right'], twice)).toEqual([0, 1]);
	});

	test('stays the same when Retry On Fail runs the node again', async () => {
		expect(await indexesOf(['Start'], { Start: leadsTo('Probe') }, true)).toEqual([0, 0]);
	});
});
