import type { Clock } from '../clock';
import { isSameNumber } from '../phoneNumber';
import type { EndReason } from './passedText';
import { isOver, type Question } from './question';

/**
 * What happened when a text was passed to an execution: it was `taken` as the answer, or `read`, and the execution goes on
 * waiting; `other` means that the text is about something else, `gone` that the execution waits no more. Where it is `unclear`
 * whether the execution has the text, no other may get it.
 */
export type OfferResult = 'taken' | 'read' | 'other' | 'gone' | 'unreachable' | 'unclear';

/** For which questions a message is meant. */
export type Offer = {
	isMeant: (question: Question) => boolean;
	/** Why it ends them all; absent for a text that one takes as its answer. */
	ends?: EndReason;
};

type Pass = (question: Question) => Promise<OfferResult>;

/** Questions by buttons that are remembered, so that they can end early. They are not saved. */
const MOST_BY_BUTTONS = 5_000;

/** Texts that are remembered: far more than the triggers of a process receive at one time. */
const MOST_OFFERED = 1_000;

type Entry = {
	question: Question;
	/** Whether its request has gone out: no text can answer it before. */
	isAsked: boolean;
	/** Settles when the text that is being passed to it has been; absent while none is. */
	passing?: Promise<OfferResult>;
};

/** The questions that the executions of this process wait to be answered. */
export class WaitingList {
	/** By the names of the questions. */
	private readonly entries = new Map<string, Entry>();

	/** Whether each text that was offered was taken, or has reached all. Several triggers may receive it. */
	private readonly offered = new Map<string, Promise<boolean>>();

	/** The texts that have lately started a workflow. */
	private readonly started = new Set<string>();

	constructor(private readonly clock: Clock) {}

	/** Marks that a text has started a workflow, so that it answers nothing that is asked then. */
	markStarted(account: string, name: string): void {
		this.started.add(`${account} ${name}`);
		forgetOldest(this.started);
	}

	/** Whether no question waits, and no text has answered one. */
	get isEmpty(): boolean {
		return this.entries.size + this.offered.size === 0;
	}

	/** Adds a question that is about to be sent. */
	add(question: Question): void {
		this.entries.set(question.token, { question, isAsked: false });
		const byButtons = this.all.filter((one) => one.question.isByButtons);
		if (byButtons.length > MOST_BY_BUTTONS) this.remove(byButtons[0]!.question);
	}

	/**
	 * Marks that the request goes out that sends a question. From now on a text may answer it.
	 *
	 * @param sinceMs when the request went out; now, unless an earlier try has sent it
	 */
	markAsked(
		{ token }: Question,
		serviceOffsetMs: number | undefined,
		sinceMs = this.clock.nowMs(),
	): void {
		const entry = this.entries.get(token);
		if (!entry) return;
		entry.question.serviceOffsetMs = serviceOffsetMs;
		// An earlier request without an answer may have sent it.
		if (!entry.isAsked) entry.question.askedAtMs = sinceMs;
		entry.isAsked = true;
	}

	/** Takes back that a question was asked: the service has refused the request. */
	markNotAsked({ token }: Question): void {
		const entry = this.entries.get(token);
		if (entry) entry.isAsked = false;
	}

	/** Adds questions that were saved. They count as sent, unless this process has them in the list already. */
	restore(questions: Question[]): void {
		for (const question of questions) {
			if (this.entries.has(question.token)) continue;
			this.entries.set(question.token, { question, isAsked: true });
		}
	}

	/** The question of this name; undefined when no execution of this process waits for it. */
	find(token: string): Question | undefined {
		return this.entries.get(token)?.question;
	}

	/** Marks that the customer is asked again after a text, and so has read this question last. */
	markAskedAgain(token: string, text: { name: string; content?: string }): void {
		const question = this.find(token);
		if (!question) return;
		const texts = [...(question.askedAgain?.texts ?? []), text];
		question.askedAgain = { texts, atMs: this.clock.nowMs() };
	}

	remove({ token }: Question): void {
		this.entries.delete(token);
	}

	/** The account's questions that wait for an answer by text. */
	questionsOf(account: string): Question[] {
		const nowMs = this.clock.nowMs();
		const questions: Question[] = [];
		for (const { question } of this.entries.values()) {
			if (isOver(question, nowMs)) this.remove(question);
			else if (question.account === account && !question.isByButtons) questions.push(question);
		}
		return questions;
	}

	/** The questions to a customer, also those that no text answers. */
	questionsTo(number: string | undefined): Question[] {
		return this.all
			.filter(({ question, isAsked }) => isAsked && isSameNumber(question.number, number))
			.map(({ question }) => question);
	}

	/** Whether some execution waits for such a message; also while and after this one itself is passed on. */
	isAwaited(account: string, name: string, { isMeant }: Offer): boolean {
		const key = `${account} ${name}`;
		if (this.offered.has(key)) return true;
		return !this.started.has(key) && this.meantIn(account, isMeant).length > 0;
	}

	/**
	 * Passes a message to the executions that wait for such a one, until one of them has taken or read it. The execution that asked
	 * last comes first, as people answer what they read last.
	 *
	 * @param name identifies the message: however many triggers receive it, it is passed on once
	 * @returns whether an execution has taken or read it, or may have; of what is for all, whether it is sure that all have it
	 */
	async offer(account: string, name: string, meaning: Offer, pass: Pass): Promise<boolean> {
		const key = `${account} ${name}`;
		const known = this.offered.get(key);
		if (known) {
			const hasEnded = await known.catch(() => undefined);
			// Where the execution that passes it on is cancelled, those that wait for its result do it themselves.
			return hasEnded ?? (await this.offer(account, name, meaning, pass));
		}
		const result = this.passOn(account, key, meaning, pass);
		this.offered.set(key, result);
		forgetOldest(this.offered);
		let isDone = false;
		try {
			return (isDone = await result);
		} finally {
			// What did not work may be tried again.
			if (!isDone && this.offered.get(key) === result) this.offered.delete(key);
		}
	}

	private async passOn(
		account: string,
		key: string,
		{ isMeant, ends }: Offer,
		pass: Pass,
	): Promise<boolean> {
		const passed = new Set<Entry>();
		let areReached = true;
		for (;;) {
			const entry = this.meantIn(account, isMeant).find((one) => !passed.has(one));
			if (!entry || this.started.has(key)) return ends !== undefined && areReached;
			if (entry.passing) {
				await entry.passing.catch(() => undefined);
				continue;
			}
			passed.add(entry);
			let result: OfferResult;
			try {
				result = await (entry.passing = pass(entry.question));
				// Before the next text looks for its question.
				if (result === 'taken' || result === 'gone') this.remove(entry.question);
			} finally {
				entry.passing = undefined;
			}
			if (result === 'unreachable' || result === 'unclear') areReached = false;
			if (!ends && !['other', 'unreachable', 'gone'].includes(result)) return true;
		}
	}

	/** The last that was asked comes first. */
	private meantIn(account: string, isMeant: (question: Question) => boolean): Entry[] {
		const nowMs = this.clock.nowMs();
		return this.all
			.filter(({ question }) => question.account === account && !isOver(question, nowMs))
			.filter(({ question, isAsked }) => isAsked && isMeant(question))
			.sort((one, other) => readAtMs(other) - readAtMs(one));
	}

	private get all(): Entry[] {
		return [...this.entries.values()];
	}
}

/** When the customer last read the question, as far as we know. */
const readAtMs = ({ question: { askedAgain, askedAtMs } }: Entry) => askedAgain?.atMs ?? askedAtMs;

function forgetOldest(names: Set<string> | Map<string, unknown>): void {
	const [oldest] = names.keys();
	if (names.size > MOST_OFFERED && oldest !== undefined) names.delete(oldest);
}
