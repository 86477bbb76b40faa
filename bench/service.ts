import type { SendResponse } from '../sandbox/src/serviceFacts';
import { createSandbox, serve, type SandboxOptions } from '../sandbox/src';
import type { Account } from './n8n';

/** A request to the service and its answer. */
export type Answered = { path: string; status: number };

/** Starts the sandbox on a free port; `answered` collects its answers. */
export async function startService(options: SandboxOptions) {
	const sandbox = createSandbox(options);
	const answered: Answered[] = [];
	const { fetch } = sandbox.app;
	sandbox.app.fetch = async (request, ...more) => {
		const response = await fetch(request, ...more);
		answered.push({ path: new URL(request.url).pathname, status: response.status });
		return response;
	};
	const { url, close } = await serve(sandbox);
	const [pair] = sandbox.keyPairs;
	if (!pair) throw new Error('The sandbox has no key pair');
	const account: Account = { baseUrl: url, apiKey: pair.key, apiSecret: pair.secret };
	return {
		account,
		answered,
		close,
		/** Lets a customer text. */
		receive: async (from: string, content: string): Promise<void> => {
			const response = await sandbox.app.request('/sandbox/inbound', {
				method: 'POST',
				body: JSON.stringify({ from, content }),
			});
			if (!response.ok) throw new Error(`The sandbox refused: ${await response.text()}`);
		},
		/** The messages that the service has accepted, newest first, at most 500. */
		accepted: async (): Promise<SendResponse[]> => {
			const response = await sandbox.app.request('/sandbox/messages?limit=500');
			return ((await response.json()) as { messages: SendResponse[] }).messages;
		},
	};
}
