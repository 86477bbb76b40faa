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

const nameAtStart = (context: IExecuteFunctions, itemIndex: number) =>
	linkedItem(context, inputItem(context, itemIndex), 'Start')?.name;

describe("n8n's links between items", () => {
	test('lead back to the item of an earlier node', async () => {
		expect(await seenBehind('editFields', nameAtStart)).toEqual(['Anna', 'Ben']);
	});

	test.each(['codeWithoutLinks', 'aggregate'])(
		'lead nowhere behind %s, which does not say of which item its items were made',
		async (type) => {
			const names = await seenBehind(type, nameAtStart);
			expect(new Set(names)).toEqual(new Set([undefined]));
		},
	);

	test('lead nowhere for a node that does not exist', async () => {
		const look = (context: IExecuteFunctions, itemIndex: number) =>
			linkedItem(context, inputItem(context, itemIndex), 'Nobody');
		expect(await seenBehind('editFields', look)).toEqual([undefined, undefined]);
	});

	test('come from nodes that n8n names with their types', async () => {
		const [names] = await seenBehind('editFields', earlierNodes);
		expect(names).toContainEqual(expect.objectContaining({ name: 'Start', type: 'start' }));
		expect(names).toContainEqual(expect.objectContaining({ name: 'Between', type: 'editFields' }));
	});
});

describe('the fields of an earlier node', () => {
	test('are those of the workflow, with their expressions', async () => {
		const [fields] = await seenBehind('withFields', (context) => fieldsOfNode(context, 'Between'));
		expect(fields).toEqual({ operation: 'send', text: '={{ $json.name }}' });
	});

	test('are none for a node that does not exist', async () => {
		const [fields] = await seenBehind('editFields', (context) => fieldsOfNode(context, 'Nobody'));
		expect(fields).toEqual({});
	});
});

describe('what a node has put out', () => {
	test('is read by the node’s name', async () => {
		const [items] = await seenBehind('editFields', (context) =>
			outputItems(context, { previousNode: 'Start' }),
		);
		expect(items).toEqual([{ name: 'Anna' }, { name: 'Ben' }]);
	});

	test('is nothing for a node that has not run', async () => {
		const [items] = await seenBehind('editFields', (context) =>
			outputItems(context, { previousNode: 'Nobody' }),
		);
		expect(items).toEqual([]);
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
