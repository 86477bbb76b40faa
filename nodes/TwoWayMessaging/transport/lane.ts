import { HEADERS } from '../contract';
import { serviceTimeMs } from '../serviceTime';
import type { Answer } from './request';

/** First pause after a 429 that names no time; doubled each time, up to the longest. */
const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 60_000;

/**
 * One of the service's request limits (§8.1), as all requests of this process know it. Every answer says how many
 * requests are left, and a refusal says how long to wait; nothing is configured here.
 *
 * When nothing is left, only the service knows when the limit opens again, so one request goes ahead to ask. Either
 * the service accepts it, or its refusal names the time, and that is the only refusal of the window.
 *
 * ```ts
 * if (lane.tryEnter(nowMs)) lane.leave(await askOnce(), clock.nowMs());
 * ```
 *
 * Requests that have a limit of their own count here too, although their answers say what is left of their own limit:
 * they are guests, which `tryEnterAsGuest` lets in and `leaveAsGuest` lets out.
 */
export class Lane {
	private remaining = 0;

	/** Whether `remaining` comes from the service, or is counted from such a number. */
	private isCounted = false;

	private inFlight = 0;

	private guestsInFlight = 0;

	/** How many answers have said what is left, and how many had when no request was last under way. */
	private answers = 0;

	private answersWhenEmpty = 0;

	/**
	 * Whether the last guest went ahead although nothing is left by the count, to ask whether a new window has begun; absent
	 * before the first guest.
	 */
	private isGuestAsking: boolean | undefined;

	private closedUntilMs = 0;

	private toldUntilMs = 0;

	/** When the first answer of the present window came. */
	private windowSinceMs = 0;

	private refusalsInARow = 0;

	/** The smallest limit that an answer to a request of this lane has named: the other one is the limit of all. */
	private limit = Number.POSITIVE_INFINITY;

	private wake = () => {};

	private change = this.nextChange();

	/** Takes a place, if there is one. */
	tryEnter(nowMs: number): boolean {
		if (nowMs < this.closedUntilMs) return false;
		// A guest's answer may say nothing about this lane, so only what it takes from a known number counts.
		const others = this.isCounted ? this.inFlight : this.inFlight - this.guestsInFlight;
		if (others > 0 && others >= this.remaining) return false;
		this.inFlight += 1;
		return true;
	}

	/** Whether a request that can be left out leaves enough for those that cannot: half of the limit, and no wait. */
	hasToSpare(nowMs: number): boolean {
		if (nowMs < this.closedUntilMs) return false;
		return !this.isCounted || this.remaining - this.inFlight >= (this.limit ?? 0) / 2;
	}

	/** Takes a place for a guest, if there is one. While it is not known what is left, there is. */
	tryEnterAsGuest(nowMs: number): boolean {
		if (nowMs < this.closedUntilMs) return false;
		if (this.isCounted && this.inFlight > 0 && this.inFlight >= this.remaining) return false;
		this.isGuestAsking = this.isCounted && this.remaining === 0;
		this.inFlight += 1;
		this.guestsInFlight += 1;
		return true;
	}

	/** Gives a place back that was not used. */
	cancel(): void {
		this.end();
	}

	/** How many answers have said what is left; a request takes the number along, to tell which answers overtake its own. */
	get answersSoFar(): number {
		return this.answers;
	}

	/** How much longer the service has asked to wait, in milliseconds. */
	closedForMs(nowMs: number): number {
		return Math.max(0, this.closedUntilMs - nowMs);
	}

	/** Whether no closing was told that lasts until now; the present one counts as told from then on. */
	tellOnce(nowMs: number): boolean {
		if (nowMs < this.toldUntilMs) return false;
		this.toldUntilMs = this.closedUntilMs;
		return true;
	}

	/** Whether an answer to a request of this lane shows the limit of all requests, which counts it as well. */
	isShowing(answer: Answer, all: Lane): boolean {
		const limit = limitOf(answer);
		return Number.isFinite(all.limit) ? limit === all.limit : limit > this.limit;
	}

	/**
	 * Gives the place back, and learns from the answer what is left of the limit.
	 *
	 * @param answer undefined when no answer came
	 * @param answersBefore `answersSoFar` when the request went out; as many as possible count as overtaking without it
	 */
	leave(
		answer: Answer | undefined,
		nowMs: number,
		answersBefore: number = this.answersWhenEmpty,
	): void {
		if (answer) this.learn(answer, nowMs, answersBefore);
		this.end();
		this.announceChange();
	}

	/**
	 * Gives a guest's place back.
	 *
	 * @param answer undefined when no answer came
	 * @param isShown whether the answer shows this lane's limit, and not the guest's own
	 */
	leaveAsGuest(answer: Answer | undefined, nowMs: number, isShown: boolean): void {
		if (answer && isShown) this.learn(answer, nowMs, this.answersWhenEmpty);
		else if (answer && answer.status !== 429) this.spend(nowMs);
		this.end();
		this.guestsInFlight -= 1;
		this.announceChange();
	}

	/** Resolves when the next place is given back. */
	async changed(): Promise<void> {
		await this.change;
	}

	private end(): void {
		this.inFlight -= 1;
		if (this.inFlight === 0) this.answersWhenEmpty = this.answers;
	}

	private announceChange(): void {
		this.wake();
		this.change = this.nextChange();
	}

	private learn(answer: Answer, nowMs: number, answersBefore: number): void {
		if (answer.status === 429) {
			this.answers += 1;
			this.refusalsInARow += 1;
			this.closedUntilMs = Math.max(this.closedUntilMs, nowMs + this.waitMs(answer, nowMs));
			this.remaining = 0;
			this.isCounted = true;
			return;
		}
		this.refusalsInARow = 0;
		this.limit = Math.min(this.limit, limitOf(answer) || this.limit);
		const left = Number(answer.headers[HEADERS.rateRemaining]);
		if (!Number.isFinite(left)) {
			// A service that does not say what is left gets requests as fast as they come, until it refuses one.
			this.remaining = Number.POSITIVE_INFINITY;
			return;
		}
		// Answers overtake each other, so a higher number counts only when a new window explains it: without one, an answer is
		// higher by the requests at most that are under way or have overtaken it.
		const overtaking = this.answers - answersBefore;
		const wasAlone = this.inFlight === 1 && overtaking === 0;
		const wasAsking = this.remaining === 0 && wasAlone;
		const isNewWindow =
			!this.isCounted || wasAsking || left > this.remaining + this.inFlight + overtaking;
		this.answers += 1;
		if (isNewWindow) this.windowSinceMs = nowMs;
		const isLatest = isNewWindow || wasAlone;
		this.remaining = isLatest ? left : Math.min(left, this.remaining);
		this.isCounted = true;
		if (this.remaining === 0) this.closedUntilMs = this.nextWholeSecond(nowMs);
	}

	/** Counts a guest that the service has let in. */
	private spend(nowMs: number): void {
		if (this.remaining > 0) {
			this.remaining -= 1;
			if (this.remaining === 0) this.closedUntilMs = this.nextWholeSecond(nowMs);
			return;
		}
		// An answer that was overtaken may come when nothing is left. One to a guest that asked shows that a new window has
		// begun, of which nothing is known.
		if (!this.isGuestAsking) return;
		this.refusalsInARow = 0;
		this.isCounted = false;
	}

	/**
	 * When to ask how long the limit stays closed. The service rounds Retry-After up to whole seconds (§8.1), so the
	 * wait is shortest when the request comes a whole number of seconds after the window began.
	 */
	private nextWholeSecond(nowMs: number): number {
		const seconds = Math.ceil((nowMs - this.windowSinceMs) / 1_000);
		return this.windowSinceMs + seconds * 1_000;
	}

	/** The wait that the refusal names. It grows where the refusal names no time, or a time that is too short. */
	private waitMs(answer: Answer, nowMs: number): number {
		const askedMs = retryAfterMs(answer, nowMs);
		if (askedMs === undefined) return backoffMs(this.refusalsInARow);
		return this.refusalsInARow > 1
			? Math.max(askedMs, backoffMs(this.refusalsInARow - 1))
			: askedMs;
	}

	private nextChange(): Promise<void> {
		return new Promise<void>((resolve) => {
			this.wake = resolve;
		});
	}
}

/**
 * The wait that a refusal names (§8.1).
 *
 * @returns milliseconds; undefined when `Retry-After` is absent or neither whole seconds nor a date
 */
export function retryAfterMs(answer: Answer, nowMs: number): number | undefined {
	const value = String(answer.headers[HEADERS.retryAfter]).trim();
	if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
	const dateMs = serviceTimeMs(value);
	return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}

/** The limit that an answer names; not a number where it names none. */
function limitOf(answer: Answer): number {
	return Number(answer.headers[HEADERS.rateLimit]);
}

function backoffMs(refusalsInARow: number): number {
	return Math.min(FIRST_BACKOFF_MS * 2 ** (refusalsInARow - 1), LONGEST_BACKOFF_MS);
}
