import { HEADERS } from '../contract';
import { pause, stopIfCancelled, type Waiter } from './pause';
import type { Answer } from './request';

/** First pause after a 429 that names no time; doubled each time, up to the longest. */
const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 60_000;

/** How often a request that waits for a place checks whether the execution was cancelled. */
const CANCEL_CHECK_MS = 200;

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
 */
export class Lane {
	private remaining = 0;

	private inFlight = 0;

	private closedUntilMs = 0;

	/** When the first answer of the present window came. */
	private windowSinceMs = 0;

	private refusalsInARow = 0;

	private wake = () => {};

	private change = this.nextChange();

	/** Takes a place, if there is one. */
	tryEnter(nowMs: number): boolean {
		if (nowMs < this.closedUntilMs) return false;
		if (this.inFlight > 0 && this.inFlight >= this.remaining) return false;
		this.inFlight += 1;
		return true;
	}

	/** How much longer the service has asked to wait, in milliseconds. */
	closedForMs(nowMs: number): number {
		return Math.max(0, this.closedUntilMs - nowMs);
	}

	/**
	 * Gives the place back, and learns from the answer what is left of the limit.
	 *
	 * @param answer undefined when no answer came
	 */
	leave(answer: Answer | undefined, nowMs: number): void {
		if (answer) this.learn(answer, nowMs);
		this.inFlight -= 1;
		this.wake();
		this.change = this.nextChange();
	}

	/** Resolves when the next place is given back. */
	async changed(): Promise<void> {
		await this.change;
	}

	private learn(answer: Answer, nowMs: number): void {
		if (answer.status === 429) {
			this.refusalsInARow += 1;
			this.closedUntilMs = Math.max(this.closedUntilMs, nowMs + this.waitMs(answer, nowMs));
			this.remaining = 0;
			return;
		}
		this.refusalsInARow = 0;
		const left = Number(answer.headers[HEADERS.rateRemaining]);
		if (!Number.isFinite(left)) {
			// A service that does not say what is left gets requests as fast as they come, until it refuses one.
			this.remaining = Number.POSITIVE_INFINITY;
			return;
		}
		// Answers overtake each other, so a higher number counts only when a new window explains it.
		const wasAsking = this.remaining === 0 && this.inFlight === 1;
		const isNewWindow = wasAsking || left > this.remaining + this.inFlight;
		if (isNewWindow) this.windowSinceMs = nowMs;
		if (isNewWindow || left < this.remaining || this.inFlight === 1) this.remaining = left;
		if (this.remaining === 0) this.closedUntilMs = this.nextWholeSecond(nowMs);
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
	const value = answer.headers[HEADERS.retryAfter]?.trim();
	if (!value) return undefined;
	if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
	const dateMs = Date.parse(value);
	return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}

function backoffMs(refusalsInARow: number): number {
	return Math.min(FIRST_BACKOFF_MS * 2 ** (refusalsInARow - 1), LONGEST_BACKOFF_MS);
}

/** The limits of §8.1, named after the path that each limits. */
export type LaneName = 'sendMessage' | 'media' | 'lookup' | 'all';

/** The lanes of a process: every request of one account to one limit goes through the same one. */
export class Lanes {
	private readonly lanes = new Map<string, Lane>();

	laneOf(accountId: string, name: LaneName): Lane {
		const key = `${name} ${accountId}`;
		let lane = this.lanes.get(key);
		if (!lane) {
			lane = new Lane();
			this.lanes.set(key, lane);
		}
		return lane;
	}
}

/**
 * Waits for a place in the lane. The caller must `leave` the lane when the answer has come.
 *
 * @throws NodeOperationError when the execution is cancelled meanwhile
 */
export async function enterLane(waiter: Waiter, lane: Lane): Promise<void> {
	const { caller, clock } = waiter;
	stopIfCancelled(caller);
	while (!lane.tryEnter(clock.nowMs())) {
		const closedMs = lane.closedForMs(clock.nowMs());
		if (closedMs > 0) await pause(waiter, closedMs);
		else await Promise.race([lane.changed(), clock.sleep(CANCEL_CHECK_MS)]);
		stopIfCancelled(caller);
	}
}
