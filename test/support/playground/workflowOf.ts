import type { WorkflowFile } from '../../../playground/rest';

/** A node as a test writes it. A type without a package is one of n8n's own. */
export type NodeOf = {
	name: string;
	type: string;
	typeVersion?: number;
	parameters?: object;
} & Record<string, unknown>;

export const PACKAGE = 'n8n-nodes-two-way-messaging';

export const to = (node: string, index = 0, type = 'main') => ({ node, type, index });

/** Makes a workflow, whose nodes follow each other unless there are connections. */
export const workflowOf = (
	id: string,
	nodes: NodeOf[],
	connections: object = Object.fromEntries(
		nodes.slice(1).map(({ name }, at) => [nodes[at]!.name, { main: [[to(name)]] }]),
	),
): WorkflowFile => ({
	...{ id, name: id, active: true, settings: { executionOrder: 'v1' } },
	nodes: nodes.map(({ type, parameters = {}, ...node }, at) => ({
		...{ id: `${id}-${at}`, typeVersion: 1, position: [at * 200, 0] },
		type: type.includes('.') ? type : `n8n-nodes-base.${type}`,
		parameters: parameters as Record<string, unknown>,
		...node,
	})),
	connections: connections as WorkflowFile['connections'],
});

export const requestNode = (path: string): NodeOf => ({
	...{ name: 'Start', type: 'webhook', typeVersion: 2, webhookId: path },
	parameters: { path, httpMethod: 'POST' },
});

/** A node that reports a list, which an expression makes, in one request; see `Effects`. */
export const reportNode = (reportTo: string, list: string): NodeOf => ({
	...{ name: 'Report', type: 'httpRequest', typeVersion: 4.2, executeOnce: true },
	parameters: {
		...{ method: 'POST', url: reportTo, sendBody: true, specifyBody: 'json' },
		jsonBody: `={{ JSON.stringify(${list}) }}`,
		options: {},
	},
});
