import type { WorkflowFile } from '../../playground/rest';

const TRIGGER = 'Event';

/** n8n takes no check more often than once a minute for one time, and as many times as one likes. */
export const CHECKS_EVERY_5_SECONDS = Array.from({ length: 12 }, (_, at) => ({
	mode: 'custom',
	cronExpression: `${at * 5} * * * * *`,
}));

/** The trigger, and one step that tells what it was given: all items of a run in one request. */
export const tellingWorkflow = (
	id: string,
	tellTo: string,
	checks: object[] = CHECKS_EVERY_5_SECONDS,
): WorkflowFile => {
	const items = `$('${TRIGGER}').all().map(({ json }) => ({
		handle: json.message_handle,
		recovered: json.recovered,
		execution: $execution.id,
	}))`;
	const trigger = {
		id: `${id}-trigger`,
		name: TRIGGER,
		type: 'n8n-nodes-two-way-messaging.twoWayMessagingTrigger',
		typeVersion: 1,
		position: [0, 0],
		webhookId: `${id}-webhook`,
		parameters: { events: ['receive'], pollTimes: { item: checks } },
	};
	const tell = {
		id: `${id}-tell`,
		name: 'Tell',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		position: [200, 0],
		executeOnce: true,
		parameters: {
			method: 'POST',
			url: tellTo,
			sendBody: true,
			specifyBody: 'json',
			jsonBody: `={{ JSON.stringify(${items}) }}`,
			options: {},
		},
	};
	return {
		id,
		name: id,
		active: true,
		nodes: [trigger, tell],
		connections: { [TRIGGER]: { main: [[{ node: 'Tell', type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	};
};

/** A webhook that takes a list of texts, and the action node that sends them. */
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
