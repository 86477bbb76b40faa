import type { Clock } from '../clock';
import { isAnswerTo, isOver, type CustomerText, type Question } from './question';

/** A trigger that receives what customers text, and passes answers to the executions that wait for them. */
export type Listener = {
	account: string;
	/** Where questions are announced to it; absent when it polls, and has no URL. */
	url?: string;
	/** When n8n last called the trigger. */
	seenAtMs: number;
};

/** What happened when a text was passed to an execution; `gone` means that the execution waits no more. */
export type OfferResult = 'taken' | 'gone' | 'unreachable';

/** A polling trigger without a check for this long counts as stopped, as n8n does not say when such a trigger stops. */
const POLLS_EVERY_MS = 24 * 60 * 60_000;

/** Texts remembered as offered: far more than the triggers of a process receive at one time. */
const MOST_OFFERED = 1_000;

type Entry = {
	question: Question;
	/** Whether the question has been sent: no text can answer it before. */
	isAsked: boolean;
	/** Whether a text is being offered to it. */
	isBusy: boolean;
};

/**
 * The questions that the executions of this process wait to be answered, and the triggers that receive the answers:
 *
 * ```ts
 * waitingList.add(question); // the question is sent
 * waitingList.markAsked(question, serviceClocks.offsetMs(account));
 * await waitingList.offer(account, messageHandle, text, async (question) => await passToExecution(question, text));
 * ```
 */
export class WaitingList {
	/** By the URL that lets the execution continue. */
	private readonly entries = new Map<string, Entry>();

	private readonly listeners = new Map<string, Listener>();

	/** Whether each text that was offered was taken, by account and name. */
	private readonly offered = new Map<string, Promise<boolean>>();

	constructor(private readonly clock: Clock) {}

	/**
	 * Adds a trigger, or updates it.
	 *
	 * @returns whether it is new to this process
	 */
	listen(key: string, { account, url }: Omit<Listener, 'seenAtMs'>): boolean {
		const isNew = !this.listeners.has(key);
		this.listeners.set(key, { account, seenAtMs: this.clock.nowMs(), ...(url && { url }) });
		return isNew;
	}

	listener(key: string): Listener | undefined {
		return this.listeners.get(key);
	}

	stopListening(key: string): void {
		this.listeners.delete(key);
	}

	/** The triggers that receive the texts of an account. */
	listenersOf(account: string): Listener[] {
		const nowMs = this.clock.nowMs();
		return [...this.listeners.values()].filter(
			(one) => one.account === account && (one.url || nowMs - one.seenAtMs < POLLS_EVERY_MS),
		);
	}

	/** Adds a question that is about to be sent. */
	add(question: Question): void {
		this.entries.set(question.resumeUrl, { question, isAsked: false, isBusy: false });
	}

	/**
	 * Marks a question as sent: from now on a text may answer it.
	 *
	 * @param serviceOffsetMs how far the service's clock is ahead; undefined where no answer has told the service's time
	 */
	markAsked({ resumeUrl }: Question, serviceOffsetMs: number | undefined): void {
		const entry = this.entries.get(resumeUrl);
		if (!entry) return;
		entry.question.askedAtMs = this.clock.nowMs();
		entry.question.serviceOffsetMs = serviceOffsetMs;
		entry.isAsked = true;
	}

	/** Adds questions that were saved. They count as sent, unless this process has them in the list already. */
	restore(questions: Question[]): void {
		for (const question of questions) {
			if (this.entries.has(question.resumeUrl)) continue;
			this.entries.set(question.resumeUrl, { question, isAsked: true, isBusy: false });
		}
	}

	/** Removes a question whose execution waits no more. */
	remove({ resumeUrl, token }: Question): void {
		if (this.entries.get(resumeUrl)?.question.token === token) this.entries.delete(resumeUrl);
	}

	/** The account's questions that wait for an answer. */
	questionsOf(account: string): Question[] {
		const nowMs = this.clock.nowMs();
		for (const { question } of [...this.entries.values()]) {
			if (isOver(question, nowMs)) this.remove(question);
		}
		return [...this.entries.values()]
			.map(({ question }) => question)
			.filter((question) => question.account === account);
	}

	/**
	 * Whether some execution waits for such a text, or is being offered this one, or has taken it.
	 *
	 * @param name identifies the text
	 */
	isAwaited(account: string, name: string, text: CustomerText): boolean {
		return this.offered.has(offerKey(account, name)) || this.newestFor(account, text) !== undefined;
	}

	/**
	 * Offers a text to the executions that wait for such a text. The execution that asked last comes first, as people
	 * answer what they read last.
	 *
	 * @param name identifies the text: however many triggers receive the text, it answers one question
	 * @param pass passes the text to one execution
	 * @returns whether an execution has taken the text
	 */
	async offer(
		account: string,
		name: string,
		text: CustomerText,
		pass: (question: Question) => Promise<OfferResult>,
	): Promise<boolean> {
		const key = offerKey(account, name);
		const known = this.offered.get(key);
		if (known) {
			// An execution that is stopped while it passes a text on must not take another one along.
			const isTaken = await known.catch(() => undefined);
			return isTaken ?? (await this.offer(account, name, text, pass));
		}
		const result = this.offerInTurn(account, text, pass);
		this.offered.set(key, result);
		const [oldest] = this.offered.keys();
		if (this.offered.size > MOST_OFFERED && oldest) this.offered.delete(oldest);
		let isTaken = false;
		try {
			return (isTaken = await result);
		} finally {
			if (!isTaken && this.offered.get(key) === result) this.offered.delete(key);
		}
	}

	private async offerInTurn(
		account: string,
		text: CustomerText,
		pass: (question: Question) => Promise<OfferResult>,
	): Promise<boolean> {
		const offered: Entry[] = [];
		try {
			for (;;) {
				const entry = this.newestFor(account, text);
				if (!entry) return false;
				entry.isBusy = true;
				offered.push(entry);
				const result = await pass(entry.question);
				if (result !== 'unreachable') this.remove(entry.question);
				if (result === 'taken') return true;
			}
		} finally {
			for (const entry of offered) entry.isBusy = false;
		}
	}

	private newestFor(account: string, text: CustomerText): Entry | undefined {
		const nowMs = this.clock.nowMs();
		return [...this.entries.values()]
			.filter(
				({ question, isAsked, isBusy }) =>
					isAsked &&
					!isBusy &&
					question.account === account &&
					!isOver(question, nowMs) &&
					isAnswerTo(question, text),
			)
			.sort((one, other) => other.question.askedAtMs - one.question.askedAtMs)[0];
	}
}

function offerKey(account: string, name: string): string {
	return `${account} ${name}`;
}
