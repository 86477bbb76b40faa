import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';
import { TwoWayMessagingApi } from '../../credentials/TwoWayMessagingApi.credentials';
import type { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { TwoWayMessaging } from '../../nodes/TwoWayMessaging/TwoWayMessaging.node';
import type { RunRequest } from '../support/executions';
import { Instance } from '../support/instance';
import { ANNA } from '../support/service';
import { startStub, type StubAnswer } from '../support/stub';
import { waitUntil } from '../support/waitUntil';

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

/** The same where two nodes lead to the question, so that the execution asks it twice, as in a loop. */
export const askingTwice = (asking: RunRequest): RunRequest => {
	const to = (node: string) => ({ node, type: 'main' as const, index: 0 });
	const [start, question] = asking.nodes;
	return {
		...asking,
		nodes: [start!, ...['Left', 'Right'].map((name) => ({ type: 'start', name })), question!],
		connections: {
			Start: { main: [[to('Left'), to('Right')]] },
			Left: { main: [[to(ASK)]] },
			Right: { main: [[to(ASK)]] },
		},
	};
};

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

/** A server at which executions wait: it takes everything as the answer, unless `says` answers something else. */
export async function startAddress<Posted>() {
	const address = {
		says: undefined as StubAnswer | undefined,
		posted: [] as Posted[],
		/** Waits until so many were taken. */
		passed: async (count: number) =>
			await waitUntil('the answer', async () => address.posted[count - 1] && address.posted),
	};
	const stub = await startStub(({ body, method }) => {
		// The node looks whether n8n can be reached.
		if (method === 'GET') return { status: 409 };
		if (address.says) return address.says;
		address.posted.push(JSON.parse(body.toString()) as Posted);
		return { body: { answered: true } };
	});
	return Object.assign(address, stub);
}
