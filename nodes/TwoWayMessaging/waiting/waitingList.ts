import type { Clock } from '../clock';
import { OnceByName } from './onceByName';
import { isAnswerTo, isOver, lastAskedAtMs, type CustomerText, type Question } from './question';
import { newSending, SendingGate, type Sending } from './sendingGate';

/**
 * What happened when a text was passed to an execution: it was `taken` as the answer, or `read`, and the execution goes on
 * waiting; `gone` means that the execution waits no more. Where it is `unclear` whether the execution has the text, no
 * other may get it.
 */
export type OfferResult = 'taken' | 'read' | 'gone' | 'unreachable' | 'unclear';

/** Passes something to the execution that waits for a question. */
export type Pass = (question: Question) => Promise<OfferResult>;

/** Questions by buttons that are remembered, so that they can end early. They are not saved. */
const MOST_BY_BUTTONS = 5_000;

/** Texts remembered with a question as those that were passed to others. */
const MOST_USED = 50;

type Entry = {
	question: Question;
	/** Whether the question has been sent: no text can answer it before. */
	isAsked: boolean;
	/** Present while it is being sent: a text may be the answer, if the service has accepted the question. */
	sending?: Sending;
	/** Settles when the text that is being passed to it has been; absent while none is. */
	passing?: Promise<unknown>;
};

/**
 * The questions that the executions of this process wait to be answered:
 *
 * ```ts
 * waitingList.add(question);
 * waitingList.markSending(question); // the request goes out
 * waitingList.markAsked(question, serviceClocks.offsetMs(account));
 * await waitingList.offer(account, messageHandle, text, async (question) => await passToExecution(question, text));
 * ```
 */
export class WaitingList {
	/** By the URL that lets the execution continue. */
	private readonly entries = new Map<string, Entry>();

	/** Whether each text that was offered was taken. */
	private readonly offered = new OnceByName();

	/** Where texts wait until a question is sent. */
	private readonly gate: SendingGate;

	constructor(private readonly clock: Clock) {
		this.gate = new SendingGate(clock);
	}

	/** Adds a question that is about to be sent. */
	add(question: Question): void {
		this.entries.set(question.resumeUrl, { question, isAsked: false });
		if (question.isByButtons) this.forgetOldestByButtons();
	}

	/**
	 * Marks that the request goes out that sends a question. The answer may come before the node knows that the service has
	 * accepted the question, and waits until then.
	 *
	 * @param sinceMs when the request went out; now, unless an earlier try has sent it
	 * @returns to be called when the service has refused this request
	 */
	markSending({ resumeUrl }: Question, sinceMs = this.clock.nowMs()): () => void {
		const entry = this.entries.get(resumeUrl);
		// An earlier request without an answer may have sent it.
		if (!entry || entry.sending) return () => {};
		entry.question.sentAtMs = sinceMs;
		entry.sending = newSending();
		return () => {
			entry.question.sentAtMs = undefined;
			endSending(entry);
		};
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
		endSending(entry);
	}

	/** Adds questions that were saved. They count as sent, unless this process has them in the list already. */
	restore(questions: Question[]): void {
		for (const question of questions) {
			const known = this.entries.get(question.resumeUrl)?.question;
			if (known?.token === question.token) mergeUsed(known, question);
			if (known) continue;
			this.entries.set(question.resumeUrl, { question, isAsked: true });
		}
	}

	/** Lets the questions that were asked with an earlier key pair of a credential be answered with its present one. */
	followKeyPair(account: string, credential: string | undefined): void {
		for (const { question } of this.entries.values()) {
			const isSame = credential !== undefined && question.credential === credential;
			if (isSame) question.account = account;
		}
	}

	/** The question of this name; undefined when no execution of this process waits for it. */
	find(token: string): Question | undefined {
		return [...this.entries.values()].find(({ question }) => question.token === token)?.question;
	}

	/** Marks that the customer is asked again after a text, and so has read this question last. */
	markAskedAgain(token: string, text: string): void {
		const question = this.find(token);
		if (!question) return;
		const texts = [...(question.askedAgain?.texts ?? []), text];
		question.askedAgain = { texts, atMs: this.clock.nowMs() };
	}

	/**
	 * Marks with the other questions that a text could answer that it is being passed to this one. What is saved with them
	 * tells it also after a restart, and to triggers that did not pass the text.
	 *
	 * @param name identifies the text
	 * @returns the questions that were marked
	 */
	markUsed({ token, account }: Question, name: string, text: CustomerText): Question[] {
		const others = this.meantIn(account, (question) => isAnswerTo(question, text))
			.map(({ question }) => question)
			.filter((question) => question.token !== token && !isUsed(question, name));
		for (const question of others) {
			question.usedTexts = [...(question.usedTexts ?? []), name].slice(-MOST_USED);
		}
		return others;
	}

	/** Takes back that a text was passed to another question than these. */
	unmarkUsed(questions: Question[], name: string): void {
		for (const question of questions) {
			question.usedTexts = question.usedTexts?.filter((one) => one !== name);
		}
	}

	/** Removes a question whose execution waits no more. */
	remove({ resumeUrl, token }: Question): void {
		const entry = this.entries.get(resumeUrl);
		if (entry?.question.token !== token) return;
		this.entries.delete(resumeUrl);
		endSending(entry);
	}

	/** The account's questions that wait for an answer by text. */
	questionsOf(account: string): Question[] {
		const nowMs = this.clock.nowMs();
		for (const { question } of [...this.entries.values()]) {
			if (isOver(question, nowMs)) this.remove(question);
		}
		return [...this.entries.values()]
			.map(({ question }) => question)
			.filter((question) => question.account === account && !question.isByButtons);
	}

	/**
	 * Whether some execution waits for such a text, or may wait for it once it has read the text before; also while and after
	 * this text itself is passed on.
	 *
	 * @param name identifies the text
	 */
	isAwaited(account: string, name: string, text: CustomerText): boolean {
		return (
			this.offered.has(nameIn(account, name)) ||
			this.isUsed(account, name) ||
			this.newestFor(account, name, text) !== undefined ||
			this.gate.isClosed(this.sendingIn(account, (question) => isAnswerTo(question, text)))
		);
	}

	/** Whether some execution waits for a question for which `isMeant` holds. */
	isAnyAwaited(account: string, isMeant: (question: Question) => boolean): boolean {
		return (
			this.meantIn(account, isMeant).length > 0 ||
			this.gate.isClosed(this.sendingIn(account, isMeant))
		);
	}

	/**
	 * Offers a text to the executions that wait for such a text. The execution that asked last comes first, as people
	 * answer what they read last.
	 *
	 * @param name identifies the text: however many triggers receive the text, it answers one question
	 * @param pass passes the text to one execution
	 * @returns whether an execution has taken or read the text, or may have
	 */
	async offer(account: string, name: string, text: CustomerText, pass: Pass): Promise<boolean> {
		return await this.offered.run(nameIn(account, name), async () => {
			const sendings = () => this.sendingIn(account, (question) => isAnswerTo(question, text));
			if (this.gate.isClosed(sendings())) await this.gate.pass(sendings);
			return (await this.offerInTurn(account, name, text, pass)) || this.isUsed(account, name);
		});
	}

	/**
	 * Passes something to every execution that waits for a question for which `isMeant` holds: what ends these questions.
	 *
	 * @param name identifies what is passed: however many triggers receive it, it is passed once, unless it is not sure that
	 * every execution has it
	 */
	async passToAll(
		account: string,
		name: string,
		isMeant: (question: Question) => boolean,
		pass: Pass,
	): Promise<void> {
		await this.offered.run(nameIn(account, name), async () => {
			const sendings = () => this.sendingIn(account, isMeant);
			if (this.gate.isClosed(sendings())) await this.gate.pass(sendings);
			let areReached = true;
			for (const entry of this.meantIn(account, isMeant)) {
				await entry.passing;
				if (!this.isListed(entry)) continue;
				const result = await this.passTo(entry, pass);
				if (result === 'unreachable' || result === 'unclear') areReached = false;
			}
			return areReached;
		});
	}

	private sendingIn(account: string, isMeant: (question: Question) => boolean): Sending[] {
		return [...this.entries.values()]
			.filter(({ question }) => question.account === account && isMeant(question))
			.flatMap(({ sending }) => sending ?? []);
	}

	/** Whether the text was passed to a question before, as far as those know that wait still. */
	private isUsed(account: string, name: string): boolean {
		return [...this.entries.values()].some(
			({ question }) => question.account === account && isUsed(question, name),
		);
	}

	private async offerInTurn(
		account: string,
		name: string,
		text: CustomerText,
		pass: Pass,
	): Promise<boolean> {
		const unreachable: Entry[] = [];
		for (;;) {
			const entry = this.newestFor(account, name, text, unreachable);
			if (!entry) return false;
			if (entry.passing) {
				await entry.passing;
				continue;
			}
			switch (await this.passTo(entry, pass)) {
				case 'taken':
				case 'read':
				case 'unclear':
					return true;
				case 'unreachable':
					unreachable.push(entry);
					break;
				case 'gone':
					break;
			}
		}
	}

	/** Passes something to one execution. A question that has ended by that is removed. */
	private async passTo(entry: Entry, pass: Pass): Promise<OfferResult> {
		const passing = pass(entry.question);
		entry.passing = passing.catch(() => undefined);
		try {
			const result = await passing;
			if (result === 'taken' || result === 'gone') this.remove(entry.question);
			return result;
		} finally {
			entry.passing = undefined;
		}
	}

	private isListed(entry: Entry): boolean {
		return this.entries.get(entry.question.resumeUrl) === entry;
	}

	private meantIn(account: string, isMeant: (question: Question) => boolean): Entry[] {
		const nowMs = this.clock.nowMs();
		return [...this.entries.values()].filter(
			({ question, isAsked }) =>
				isAsked && question.account === account && !isOver(question, nowMs) && isMeant(question),
		);
	}

	private newestFor(
		account: string,
		name: string,
		text: CustomerText,
		leaveOut: Entry[] = [],
	): Entry | undefined {
		return this.meantIn(
			account,
			(question) => isAnswerTo(question, text) && !isUsed(question, name),
		)
			.filter((entry) => !leaveOut.includes(entry))
			.filter(({ passing, question }) => !passing || question.isChoosy)
			.sort((one, other) => lastAskedAtMs(other.question) - lastAskedAtMs(one.question))[0];
	}

	private forgetOldestByButtons(): void {
		const byButtons = [...this.entries.values()].filter(({ question }) => question.isByButtons);
		const [oldest] = byButtons;
		if (oldest && byButtons.length > MOST_BY_BUTTONS) this.remove(oldest.question);
	}
}

function isUsed({ usedTexts }: Question, name: string): boolean {
	return usedTexts?.includes(name) === true;
}

/** Several triggers save a question, and not each of them has saved the latest. */
function mergeUsed(known: Question, { usedTexts = [] }: Question): void {
	const more = usedTexts.filter((name) => !isUsed(known, name));
	if (more.length > 0) known.usedTexts = [...(known.usedTexts ?? []), ...more].slice(-MOST_USED);
}

function endSending(entry: Entry): void {
	entry.sending?.end();
	entry.sending = undefined;
}

function nameIn(account: string, name: string): string {
	return `${account} ${name}`;
}
