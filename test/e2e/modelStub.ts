import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request to a chat model: the messages with their roles, oldest first. */
export type ModelRequest = {
	model: string;
	/** The content is a text, or a list of texts and pictures. */
	messages: Array<{ role: string; content: string | object[] }>;
	tools?: Array<{ function: { name: string } }>;
};

/** A chat model behind OpenAI's API that gives the same answer to every request, and keeps the requests. */
export class ModelStub {
	readonly requests: ModelRequest[] = [];
	/** The text of the next answers. */
	answer = 'A sentence of the stand-in model.';
	/** What the model says to the first of its tools before it answers; absent for a model that calls no tool. */
	toolArguments?: object;
	private readonly server: Server = createServer((request, response) => {
		void readBody(request).then((body) => {
			const isAsked = request.method === 'POST' && request.url === '/v1/chat/completions';
			const question = isAsked
				? (JSON.parse(body) as ModelRequest & { stream?: boolean })
				: undefined;
			// It does not support anything else, so that a test fails and does not pass by luck.
			response.statusCode = question && question.stream !== true ? 200 : 501;
			response.setHeader('content-type', 'application/json');
			if (question) this.requests.push(question);
			response.end(JSON.stringify(question ? this.completion(question) : {}));
		});
	});

	/** The URL for n8n's credential. */
	get url(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
	}

	/** Starts to listen on a free port of this machine. */
	async listen(): Promise<void> {
		await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
	}

	/** Stops it, and closes every open connection. */
	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private completion({ model, messages, tools = [] }: ModelRequest): object {
		const [tool] = messages.at(-1)?.role === 'tool' ? [] : tools;
		const toolCall = this.toolArguments &&
			tool && {
				id: `call_${this.requests.length}`,
				type: 'function',
				function: { name: tool.function.name, arguments: JSON.stringify(this.toolArguments) },
			};
		return {
			id: 'chatcmpl-stand-in',
			object: 'chat.completion',
			created: 1_700_000_000,
			model,
			choices: [
				{
					index: 0,
					message: toolCall
						? { role: 'assistant', content: null, tool_calls: [toolCall] }
						: { role: 'assistant', content: this.answer },
					finish_reason: toolCall ? 'tool_calls' : 'stop',
				},
			],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
	}
}

const readBody = async (request: IncomingMessage): Promise<string> => {
	const parts: Buffer[] = [];
	for await (const part of request) parts.push(part as Buffer);
	return Buffer.concat(parts).toString();
};
