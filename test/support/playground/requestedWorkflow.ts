import type { WorkflowFile } from '../../../playground/rest';

/** What a requested workflow is made of. */
export type RequestedWorkflow = {
	/** 16 letters and digits; also the path of its webhook. */
	id: string;
	/** The URL that gets a request with the item of each execution that goes on; see `Effects`. */
	reportTo: string;
	/** The fields of the node of this package. */
	parameters: Record<string, unknown>;
	/** Expressions, without braces, that name what happened and to what. */
	reports: { event: string; handle: string };
	/** How many outputs of the node lead to the report. */
	outputs?: number;
	/** The credential of the node; absent where it gets one on import. */
	credential?: { id: string; name: string };
};

/** Makes the node `Start`, which a request starts. */
export const requestNode = (path: string): WorkflowFile['nodes'][number] => ({
	id: `${path}-start`,
	name: 'Start',
	type: 'n8n-nodes-base.webhook',
	typeVersion: 2,
	position: [0, 0],
	webhookId: path,
	parameters: { path, httpMethod: 'POST' },
});

/** Makes a workflow that a request starts: one node of this package, and one that reports the item behind it. */
export const requestedWorkflow = ({
	id,
	reportTo,
	parameters,
	reports,
	outputs = 1,
	credential,
}: RequestedWorkflow): WorkflowFile => ({
	id,
	name: id,
	active: true,
	nodes: [
		requestNode(id),
		{
			id: `${id}-node`,
			name: 'Node',
			type: 'n8n-nodes-two-way-messaging.twoWayMessaging',
			typeVersion: 1,
			position: [200, 0],
			parameters,
			...(credential && { credentials: { twoWayMessagingApi: credential } }),
		},
		{
			id: `${id}-report`,
			name: 'Report',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			position: [400, 0],
			parameters: {
				method: 'POST',
				url: reportTo,
				sendBody: true,
				specifyBody: 'json',
				jsonBody: `={{ JSON.stringify([{ event: ${reports.event}, handle: ${reports.handle}, recovered: false, trigger: '${id}' }]) }}`,
				options: {},
			},
		},
	],
	connections: {
		Start: { main: [[{ node: 'Node', type: 'main', index: 0 }]] },
		Node: {
			main: Array.from({ length: outputs }, () => [{ node: 'Report', type: 'main', index: 0 }]),
		},
	},
	settings: { executionOrder: 'v1' },
});
