import { startStub } from '../support/stub';

/** A request to a chat model: the messages with their roles, oldest first. */
export type ModelRequest = {
	model: string;
	/** The content is a text, or a list of texts and pictures. */
	messages: Array<{ role: string; content: string | object[] }>;
	tools?: Array<{ function: { name: string } }>;
	stream?: boolean;
};

/** A chat model behind OpenAI's API that gives the same answer to every request, and keeps the requests. */
export class ModelStub {
	readonly requests: ModelRequest[] = [];
	/** The text of the next answers. */
	answer = 'A sentence of the stand-in model.';
	/** What the model says to the first of its tools before it answers; absent for a model that calls no tool. */
	toolArguments?: object;
	private stub?: Awaited<ReturnType<typeof startStub>>;

	/** The URL for n8n's credential. */
	get url(): string {
		return `${this.stub?.url}/v1`;
	}

	async listen(): Promise<void> {
		this.stub = await startStub(({ method, path, body }) => {
			// It does not support anything else, so that a test fails and does not pass by luck.
			if (method !== 'POST' || path !== '/v1/chat/completions') return { status: 501 };
			const question = JSON.parse(String(body)) as ModelRequest;
			this.requests.push(question);
			return { status: question.stream ? 501 : 200, body: this.completion(question) };
		});
	}

	async close(): Promise<void> {
		await this.stub?.stop();
	}

	private completion({ model, messages, tools = [] }: ModelRequest): object {
		const [tool] = messages.at(-1)?.role === 'tool' ? [] : tools;
		const toolCall = this.toolArguments &&
			tool && {
				...{ id: `call_${this.requests.length}`, type: 'function' },
				function: { name: tool.function.name, arguments: JSON.stringify(this.toolArguments) },
			};
		const said = toolCall ? { content: null, tool_calls: [toolCall] } : { content: this.answer };
		const reason = toolCall ? 'tool_calls' : 'stop';
		const message = { role: 'assistant', ...said };
		return {
			...{ id: 'chatcmpl-stand-in', object: 'chat.completion', created: 1_700_000_000, model },
			choices: [{ index: 0, message, finish_reason: reason }],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
	}
}
