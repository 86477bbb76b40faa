import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import {
	earlierNodes,
	fieldsOfNode,
	inputItem,
	linkedItem,
	outputItems,
} from '../../nodes/TwoWayMessaging/n8n/linkedItems';
import { runWorkflow } from '../support/executions';
import { FLOW_NODES, nodeType } from '../support/flowNodes';
import { instanceWith, probeOf } from './probe';

const ITEMS: INodeExecutionData[] = [{ json: { name: 'Anna' } }, { json: { name: 'Ben' } }];

const FIELD = { type: 'string' as const, default: '' };
const withFields = nodeType('withFields', (context) => [context.getInputData()], {
	properties: [
		{ ...FIELD, displayName: 'Operation', name: 'operation' },
		{ ...FIELD, displayName: 'Text', name: 'text' },
	],
});

/** What a look shows in a node behind n8n's start and one node of a type. */
async function seenBehind<Seen>(
	type: string,
	look: (context: IExecuteFunctions, itemIndex: number) => Seen,
): Promise<Seen[]> {
	const seen: Seen[] = [];
	const probe = probeOf(async (context) => {
		seen.push(...context.getInputData().map((_, itemIndex) => look(context, itemIndex)));
		return [[]];
	});
	await runWorkflow(instanceWith(probe, withFields, ...FLOW_NODES), {
		nodes: [
			{ type, name: 'Between', parameters: { operation: 'send', text: '={{ $json.name }}' } },
			{ type: 'probe', name: 'Probe' },
		],
		items: ITEMS,
	});
	return seen;
}

describe('what n8n tells a node of those before it', () => {
	test.each([
		['lead back to the item of an earlier node', 'editFields', 'Start', ['Anna', 'Ben']],
		['lead nowhere behind a node that sets none', 'codeWithoutLinks', 'Start', [undefined]],
		['lead nowhere behind one item made of all', 'aggregate', 'Start', [undefined]],
		['lead nowhere for a node that does not exist', 'editFields', 'Nobody', [undefined]],
	])('its links %s', async (_, type, earlier, names) => {
		const seen = await seenBehind(
			type,
			(context, itemIndex) => linkedItem(context, inputItem(context, itemIndex), earlier)?.name,
		);
		expect(new Set(seen)).toEqual(new Set(names));
	});

	test('are their names, types, fields with expressions, and what they have put out', async () => {
		const [told] = await seenBehind('withFields', (context) => ({
			nodes: earlierNodes(context),
			fields: ['Between', 'Nobody'].map((name) => fieldsOfNode(context, name)),
			items: ['Start', 'Nobody'].map((previousNode) => outputItems(context, { previousNode })),
		}));
		expect(told).toEqual({
			nodes: expect.arrayContaining([
				expect.objectContaining({ name: 'Start', type: 'start' }),
				expect.objectContaining({ name: 'Between', type: 'withFields' }),
			]) as unknown,
			fields: [{ operation: 'send', text: '={{ $json.name }}' }, {}],
			items: [[{ name: 'Anna' }, { name: 'Ben' }], []],
		});
	});
});
