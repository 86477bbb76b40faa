import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';
// With its ending, because Node would take TwoWayMessaging.node.json first.
import { TwoWayMessaging } from '../nodes/TwoWayMessaging/TwoWayMessaging.node.js';
import { createEngine, type Engine, type NodeSpec, type Run } from '../test/support/engine';

/** A filled-in credential. */
export type Account = { baseUrl: string; apiKey: string; apiSecret: string };

/** Starts an n8n in this process, with the action node, the given other nodes and the credential. */
export const startN8n = (account: Account, others: INodeType[] = []): Engine =>
	createEngine({ nodeTypes: [new TwoWayMessaging(), ...others], credential: account });

/** Runs one node over items, in a workflow of its own. The node is named "Node". */
export const runNode = async (
	n8n: Engine,
	node: Omit<NodeSpec, 'name'>,
	items: IDataObject[],
): Promise<Run> =>
	await n8n.runWorkflow({
		nodes: [{ ...node, name: 'Node' }],
		items: items.map((json) => ({ json })),
	});

/**
 * Runs the action node over items.
 *
 * @throws Error when the execution does not succeed
 */
export async function runAction(
	n8n: Engine,
	parameters: INodeParameters,
	items: IDataObject[],
): Promise<IDataObject[]> {
	const run = await runNode(n8n, { type: 'twoWayMessaging', parameters }, items);
	if (run.status !== 'success')
		throw run.error ?? new Error(`The execution ended as ${run.status}`);
	return run.json('Node');
}

/** Parameters of message: send that take the number and the text from the item. */
export const SEND: INodeParameters = {
	resource: 'message',
	operation: 'send',
	number: '={{ $json.number }}',
	content: '={{ $json.content }}',
};

/** Items for `SEND`, each to another number. */
export const sendItems = (count: number, from = 0): IDataObject[] =>
	Array.from({ length: count }, (_, at) => ({
		number: `+1555${String(from + at).padStart(7, '0')}`,
		content: `Your order ${from + at} is ready.`,
	}));
