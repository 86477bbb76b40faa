import { isAnswerTo, isOver, type CustomerText, type Question } from './question';

/** A trigger that hears what customers text, and hands answers on. */
export type Listener = {
	account: string;
	/** Where it is told of questions; absent when it polls, and has no address. */
	url?: string;
	/** When it was last known to listen. */
	seenAtMs: number;
};

/** n8n does not tell a node that polls when its workflow is stopped; most poll at least so often. */
const POLLS_EVERY_MS = 24 * 60 * 60_000;

type Entry = {
	question: Question;
	/** Whether the question has gone out: before, nothing can be its answer. */
	isAsked: boolean;
	/** Whether a text is being handed over as the answer. */
	isTaken: boolean;
};

/** The questions that executions of one process wait to be answered, and who hears the answers. */
export class WaitingList {
	/** By the address that lets the execution go on. */
	private readonly entries = new Map<string, Entry>();

	private readonly listeners = new Map<string, Listener>();

	/** Texts that are, or were, handed over, by what they are recognized by. */
	private readonly handed = new Map<string, Promise<boolean>>();

	/** @returns whether the listener is new to this process */
	listen(key: string, listener: Listener): boolean {
		const isNew = !this.listeners.has(key);
		this.listeners.set(key, listener);
		return isNew;
	}

	listener(key: string): Listener | undefined {
		return this.listeners.get(key);
	}

	stopListening(key: string): void {
		this.listeners.delete(key);
	}

	/** Who listens for the account. */
	listenersOf(account: string, nowMs: number): Listener[] {
		return [...this.listeners.values()].filter(
			(one) => one.account === account && (one.url || nowMs - one.seenAtMs < POLLS_EVERY_MS),
		);
	}

	/** Takes note of a question that is about to be asked. */
	announce(question: Question): void {
		this.entries.set(question.resumeUrl, { question, isAsked: false, isTaken: false });
	}

	/** The question has gone out. */
	ask({ resumeUrl }: Question, nowMs: number): void {
		const entry = this.entries.get(resumeUrl);
		if (!entry) return;
		entry.question.askedAtMs = nowMs;
		entry.isAsked = true;
	}

	/** Takes over what was kept elsewhere: it was asked, unless this process knows better. */
	restore(questions: Question[]): void {
		for (const question of questions) {
			if (this.entries.has(question.resumeUrl)) continue;
			this.entries.set(question.resumeUrl, { question, isAsked: true, isTaken: false });
		}
	}

	/** Nobody waits for the answer any more. */
	forget({ resumeUrl, token }: Question): void {
		if (this.entries.get(resumeUrl)?.question.token === token) this.entries.delete(resumeUrl);
	}

	/** Everything that is to be kept for the account. */
	questionsOf(account: string, nowMs: number): Question[] {
		for (const { question } of [...this.entries.values()]) {
			if (isOver(question, nowMs)) this.forget(question);
		}
		return [...this.entries.values()]
			.map(({ question }) => question)
			.filter((question) => question.account === account);
	}

	/** Whether some execution waits for such a text. */
	isAwaited(account: string, text: CustomerText, nowMs: number): boolean {
		return this.awaiting(account, text, nowMs) !== undefined;
	}

	/**
	 * Hands a text to the execution that asked last: people answer what they read last.
	 *
	 * @param key what the text is recognized by: however many triggers hear it, it answers one question
	 * @param handOver hands it to one execution; `gone` when that waits no more, `unreachable` when nobody knows
	 * @returns whether an execution has taken it
	 */
	async handOver(
		account: string,
		key: string,
		text: CustomerText,
		handOver: (question: Question) => Promise<'taken' | 'gone' | 'unreachable'>,
	): Promise<boolean> {
		const name = `${account} ${key}`;
		let result = this.handed.get(name);
		if (!result) {
			result = this.handToOne(account, text, handOver);
			this.handed.set(name, result);
			const [oldest] = this.handed.keys();
			if (this.handed.size > MOST_HANDED && oldest) this.handed.delete(oldest);
		}
		const isTaken = await result;
		if (!isTaken) this.handed.delete(name);
		return isTaken;
	}

	private async handToOne(
		account: string,
		text: CustomerText,
		handOver: (question: Question) => Promise<'taken' | 'gone' | 'unreachable'>,
	): Promise<boolean> {
		const unreachable: Entry[] = [];
		try {
			for (;;) {
				const entry = this.awaiting(account, text, Date.now());
				if (!entry) return false;
				entry.isTaken = true;
				const outcome = await handOver(entry.question);
				if (outcome === 'unreachable') unreachable.push(entry);
				else this.forget(entry.question);
				if (outcome === 'taken') return true;
			}
		} finally {
			for (const entry of unreachable) entry.isTaken = false;
		}
	}

	private awaiting(account: string, text: CustomerText, nowMs: number): Entry | undefined {
		return [...this.entries.values()]
			.filter(
				({ question, isAsked, isTaken }) =>
					isAsked &&
					!isTaken &&
					question.account === account &&
					!isOver(question, nowMs) &&
					isAnswerTo(question, text),
			)
			.sort((one, other) => other.question.askedAtMs - one.question.askedAtMs)[0];
	}
}

/** Texts remembered as handed over: far more than the triggers of a process hear at one time. */
const MOST_HANDED = 1_000;

/** The list of this process: all nodes of it share this module. */
export const waitingList = new WaitingList();
