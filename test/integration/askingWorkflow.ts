import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';
import { TwoWayMessagingApi } from '../../credentials/TwoWayMessagingApi.credentials';
import type { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { TwoWayMessaging } from '../../nodes/TwoWayMessaging/TwoWayMessaging.node';
import type { RunRequest } from '../support/executions';
import { Instance } from '../support/instance';
import { startStub } from '../support/stub';

export const ANNA = '+15551230001';

/** The node of the workflow. */
export const ASK = 'Ask';

/** A workflow that asks Anna something and waits for the text that answers. */
export const askingWorkflow = (
	parameters: INodeParameters = {},
	node: object = {},
): RunRequest => ({
	nodes: [
		{ type: 'start', name: 'Start' },
		{
			type: 'twoWayMessaging',
			name: ASK,
			parameters: {
				resource: 'message',
				operation: 'sendAndWait',
				responseType: 'reply',
				number: ANNA,
				content: 'Can we come at 10?',
				...parameters,
			},
			...node,
		},
	],
	connections: { Start: { main: [[{ node: ASK, type: 'main', index: 0 }]] } },
});

/** An n8n whose executions wait at this URL for what is posted to them. */
export const askingInstance = (
	credential: ICredentialDataDecryptedObject,
	url: string,
	memory?: ProcessMemory,
): Instance =>
	new Instance({
		nodeTypes: [new TwoWayMessaging(memory)],
		credentialTypes: [new TwoWayMessagingApi()],
		credentials: { twoWayMessagingApi: credential },
		webhookBaseUrl: `${url}/webhook`,
	});

/** A server at which executions wait, and which takes everything as the answer. */
export async function startAddress<Posted>() {
	const posted: Posted[] = [];
	const stub = await startStub(({ body }) => {
		posted.push(JSON.parse(body.toString()) as Posted);
		return { body: { answered: true } };
	});
	return { ...stub, posted };
}
