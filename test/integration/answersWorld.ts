import { createHash } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Question } from '../../nodes/TwoWayMessaging/waiting/question';
import { runWorkflow, type Run } from '../support/executions';
import type { StubAnswer } from '../support/stub';
import { TestClock } from '../support/testClock';
import { askingInstance, askingWorkflow, startAddress } from './askingWorkflow';
import { HistoryWorld, SECRET } from './historyWorld';
import type { Process } from './triggerProcess';
import { receiveEvent } from './triggerWorkflow';

/** What an execution that waits says to what is passed to it; `nothing` is no answer at all. */
type Says = StubAnswer | 'nothing';

const hashOf = (words: string) => createHash('sha256').update(words).digest('hex');

/** A history, one n8n that receives texts, and the server at which executions wait for them. */
export class AnswersWorld extends HistoryWorld {
	n8n!: Process;

	/** What executions were passed, in order, each by the name in its URL. */
	got!: Array<{ name: string; content: unknown; ends?: unknown; media_url?: unknown }>;

	/** The tokens with which it was passed. */
	tokens!: string[];

	/** What each execution says, one after the other; then, and without that, it takes one text. */
	says!: Record<string, Says[]>;

	/** What all of them say for now. */
	allSay?: Says;

	/** What happens before one of them answers. */
	before!: () => Promise<void>;

	private waiting!: Awaited<ReturnType<typeof startAddress>>;

	private readonly silent: Array<() => void> = [];

	/** By whose tokens executions have gone on. */
	private readonly gone = new Set<string>();

	override async begin(): Promise<void> {
		await super.begin();
		// The machine's time, as these tests take only moments.
		this.nowMs = Date.now();
		this.clock = new TestClock();
		Object.assign(this, { got: [], tokens: [], says: {}, allSay: undefined });
		this.before = async () => {};
		this.gone.clear();
		this.waiting = await startAddress(async ({ token, message, ends }, url) => {
			if (this.gone.has(String(token))) return { status: 409, body: { message: 'has finished' } };
			const name = new URL(url).pathname.slice(1);
			await this.before();
			const { content, media_url } = message ?? {};
			const more = { ...(ends && { ends }), ...(media_url ? { media_url } : undefined) };
			this.got.push({ name, content, ...more });
			this.tokens.push(String(token));
			const said = this.allSay ?? this.says[name]?.shift();
			if (said === 'nothing') await new Promise<void>((resolve) => this.silent.push(resolve));
			if (said === 'nothing') return { status: 409, body: { message: 'has finished' } };
			if (said) return said;
			this.gone.add(String(token));
			return { body: { answered: true } };
		});
	}

	/** Those that have said nothing end, and with them what waits for their answers. */
	endSilence(): void {
		for (const end of this.silent.splice(0)) end();
	}

	override async stop(): Promise<void> {
		await super.stop();
		await this.waiting.stop();
	}

	question(name: string, more: Partial<Question> = {}): Question {
		return {
			account: hashOf(`${this.service.url}\npair_1`),
			number: '+15551230001',
			resumeUrl: `${this.waiting.url}/${name}`,
			token: `token of ${name}`,
			askedAtMs: this.nowMs,
			...more,
		};
	}

	/** Starts an n8n that knows these questions from its database only. */
	async startWith(questions: Question[], parameters: INodeParameters = {}): Promise<void> {
		this.gone.clear();
		this.database.staticData = {};
		this.n8n = await this.started(parameters);
		this.database.staticData.questions = JSON.stringify(questions);
		await this.restart();
	}

	/** n8n is killed and starts again with what it had saved; returns the items that the workflow then started with. */
	async restart(credential = this.service.credential): Promise<IDataObject[]> {
		this.n8n.kill();
		this.n8n = await this.restarted(this.n8n.parameters, credential);
		return await this.n8n.execute();
	}

	/** An execution of this process asks a question by text, and waits. */
	async ask(content = 'Can we come at 10?'): Promise<Run> {
		const { credential } = this.service;
		const asking = askingInstance(credential, this.waiting.url, this.n8n.memory);
		return await runWorkflow(asking, askingWorkflow({ content }));
	}

	eventOf(handle: string, message: object = {}) {
		const created_at = new Date(this.nowMs).toISOString();
		return { ...receiveEvent(handle, message), created_at };
	}

	/** A text comes by webhook; returns the items that the workflow then started with. */
	async arrives(handle: string, message: object = {}, secret = SECRET): Promise<IDataObject[]> {
		expect(await this.n8n.receive(this.eventOf(handle, message), secret, this.nowMs)).toBe(200);
		return await this.n8n.execute();
	}

	/** Which executions were passed something, in order. */
	get names(): string[] {
		return this.got.map(({ name }) => name);
	}

	get contents(): unknown[] {
		return this.got.map(({ content }) => content);
	}
}
