import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';
import type { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { TwoWayMessaging } from '../../nodes/TwoWayMessaging/TwoWayMessaging.node';
import type { RunRequest } from '../support/executions';
import { Instance } from '../support/instance';
import { ANNA } from '../support/service';
import { startStub, type StubAnswer } from '../support/stub';

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
		credential,
		webhookBaseUrl: `${url}/webhook`,
	});

/** What an execution that waits is passed. */
type Passed = {
	ends?: string;
	token?: string;
	message: { content: string; media_url?: string };
};

/** A server at which executions wait, and what they were passed. Each takes it as the answer unless told otherwise. */
export async function startAddress(
	says: (passed: Passed, url: string) => StubAnswer | Promise<StubAnswer> = () => ({
		body: { answered: true },
	}),
) {
	const passed: Passed[] = [];
	const stub = await startStub(async ({ body, method, path, query }) => {
		// The node looks whether n8n can be reached.
		if (method === 'GET') return { status: 409 };
		passed.push(JSON.parse(body.toString()) as Passed);
		return await says(passed.at(-1)!, `${stub.url}${path}?${query.toString()}`);
	});
	return { ...stub, passed };
}
