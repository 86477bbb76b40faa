import type { WorkflowFile } from '../../playground/rest';

/** Makes a workflow of a webhook that takes a list of texts and the action node that sends them. */
export const sendingWorkflow = (
	id: string,
	path: string,
	credential: { id: string; name: string },
): WorkflowFile => {
	const node = (name: string, type: string, typeVersion: number, parameters: object) => ({
		id: `${id}-${name}`,
		name,
		type,
		typeVersion,
		position: [0, 0],
		parameters: parameters as Record<string, unknown>,
	});
	const next = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
	return {
		id,
		name: id,
		active: true,
		nodes: [
			{
				...node('Texts', 'n8n-nodes-base.webhook', 2, { httpMethod: 'POST', path }),
				webhookId: path,
			},
			node('Each', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'body.texts', options: {} }),
			{
				...node('Send', 'n8n-nodes-two-way-messaging.twoWayMessaging', 1, {
					resource: 'message',
					operation: 'send',
					number: '={{ $json.number }}',
					content: '={{ $json.content }}',
				}),
				credentials: { twoWayMessagingApi: credential },
			},
		],
		connections: { Texts: next('Each'), Each: next('Send') },
		settings: { executionOrder: 'v1' },
	};
};
