import { HEADERS, PATHS } from '../contract';
import { retryAfterMs, type Answer, type Outcome } from './outcome';
import { pause, stopIfCancelled, type Waiter } from './pause';

/** First pause after a 429 that names no time; doubled each time, up to the longest. */
const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 60_000;

/** Limits count by the minute (§8.1). */
const WINDOW_MS = 60_000;

/** A wait that is longer is told in the log. */
const LONG_WAIT_MS = 5 * 60_000;

/** How often a request that waits for another one checks whether the execution was cancelled. */
const CANCEL_CHECK_MS = 200;

/** What has a limit of its own, beside the limit for all requests (§8.1). */
const LIMITED = [PATHS.sendMessage, PATHS.media, PATHS.lookup];

/** One of the service's limits (§8.1), as all requests of this process know it by the answers. */
class Limit {
	private inFlight = 0;

	private entered = 0;

	/** The smallest limit that an answer has named; a larger one is that of all requests. */
	size = Number.POSITIVE_INFINITY;

	closedUntilMs = 0;

	/** When the first answer of the present window came. */
	private sinceMs = 0;

	private refusalsInARow = 0;

	/** @param left how many requests the service still lets in; where it is 0, one goes ahead to ask */
	constructor(private left: number) {}

	hasRoom(nowMs: number): boolean {
		return nowMs >= this.closedUntilMs && (this.inFlight === 0 || this.inFlight < this.left);
	}

	/** Whether half of the limit is left, or anything where no limit is named. */
	hasToSpare(nowMs: number): boolean {
		if (nowMs < this.closedUntilMs) return false;
		const enough = Number.isFinite(this.size) ? this.size / 2 : 1;
		return this.isWindowOver(nowMs) || this.left - this.inFlight >= enough;
	}

	/** Takes a place. What it returns tells for `leave` whether no other request is under way at the same time. */
	enter(): number {
		this.entered += 1;
		return this.inFlight++ === 0 ? this.entered : Number.NaN;
	}

	/** Gives the place back, and learns from the answer what is left. */
	leave(place: number, nowMs: number, answer?: Answer, isShown = true): void {
		this.inFlight -= 1;
		if (!answer) return;
		const wasAlone = place === this.entered;
		if (isShown) this.learn(answer, nowMs, wasAlone);
		else if (answer.status !== 429) this.spend(nowMs);
	}

	private learn(answer: Answer, nowMs: number, wasAlone: boolean): void {
		const said = Number(answer.headers[HEADERS.rateRemaining]);
		// A service that does not say what is left gets requests as fast as they come, until it refuses one.
		const left = Number.isFinite(said) ? said : Number.POSITIVE_INFINITY;
		const isRefused = answer.status === 429;
		// Answers overtake each other, so a higher number counts only where none can have overtaken it.
		const isNewWindow = this.isWindowOver(nowMs) || (wasAlone && !isRefused && left >= this.left);
		if (isNewWindow) this.sinceMs = nowMs;
		if (isRefused) return this.refuse(answer, nowMs, wasAlone);
		this.refusalsInARow = 0;
		this.size = Math.min(this.size, Number(answer.headers[HEADERS.rateLimit]) || this.size);
		this.left = isNewWindow ? left : Math.min(left, this.left);
		this.closeIfUsedUp(nowMs);
	}

	private refuse(answer: Answer, nowMs: number, wasAlone: boolean): void {
		this.refusalsInARow = wasAlone ? this.refusalsInARow + 1 : Math.max(1, this.refusalsInARow);
		this.closedUntilMs = Math.max(this.closedUntilMs, nowMs + this.waitMs(answer, nowMs));
		this.left = 0;
	}

	/** Counts a request that the service has let in, and whose answer shows another limit. */
	private spend(nowMs: number): void {
		// Nothing was left, and yet it was let in: a new window, of which nothing is known.
		const isNewWindow = this.left === 0 || this.isWindowOver(nowMs);
		this.left = isNewWindow ? Number.POSITIVE_INFINITY : this.left - 1;
		this.closeIfUsedUp(nowMs);
	}

	/**
	 * Only the service knows when a window ends. It rounds Retry-After up to whole seconds (§8.1), so the wait is shortest
	 * when the request that asks comes a whole number of seconds after the window began.
	 */
	private closeIfUsedUp(nowMs: number): void {
		if (this.left > 0) return;
		const seconds = Math.ceil((nowMs - this.sinceMs) / 1_000);
		this.closedUntilMs = Math.max(this.closedUntilMs, this.sinceMs + seconds * 1_000);
	}

	/** The wait that a refusal names. It grows where refusals name no time, or a time that is too short. */
	private waitMs(answer: Answer, nowMs: number): number {
		const askedMs = retryAfterMs(answer, nowMs);
		const times = this.refusalsInARow - (askedMs === undefined ? 1 : 2);
		const backoffMs = Math.min(FIRST_BACKOFF_MS * 2 ** times, LONGEST_BACKOFF_MS);
		return times < 0 ? (askedMs ?? 0) : Math.max(askedMs ?? 0, backoffMs);
	}

	private isWindowOver(nowMs: number): boolean {
		return nowMs - this.sinceMs > WINDOW_MS;
	}
}

/**
 * Lets requests out as fast as the service admits. Every answer says how many are left, and a refusal says how long to
 * wait; nothing is configured here. When nothing is left, one request goes ahead to ask: either the service accepts it, or
 * its refusal names the time, and that is the only refusal of the window.
 *
 * assumption: an answer shows one of the two limits that count a request, and `X-RateLimit-Limit` tells which (§8.1: not
 * shown).
 */
export class RateLimiter {
	private readonly limits = new Map<string, Limit>();

	private toldUntilMs = 0;

	private waiting: Array<() => void> = [];

	/**
	 * Makes a request when its turn is, and again while the service refuses it with a 429.
	 *
	 * @param path decides which limits count the request
	 * @throws NodeOperationError when the execution is cancelled meanwhile, and whatever the request throws
	 */
	async pass(
		waiter: Waiter,
		{ accountId, path }: { accountId: string; path: string },
		request: () => Promise<Outcome>,
	): Promise<Outcome> {
		const all = this.limitOf(accountId, Number.POSITIVE_INFINITY);
		let own: Limit | undefined;
		for (const end of LIMITED) if (path.endsWith(end)) own = this.limitOf(accountId + end, 0);
		for (;;) {
			const places = await this.enter(waiter, all, own);
			let outcome: Outcome | undefined;
			try {
				outcome = await request();
				if (outcome.kind !== 'answer' || outcome.status !== 429) return outcome;
			} finally {
				const answer = outcome?.kind === 'answer' ? outcome : undefined;
				const isOwn = answer !== undefined && own !== undefined && !isOfAll(answer, own, all);
				const nowMs = waiter.clock.nowMs();
				own?.leave(places.own, nowMs, answer, isOwn);
				all.leave(places.all, nowMs, answer, !isOwn);
				for (const wake of this.waiting.splice(0)) wake();
			}
		}
	}

	/** Whether the limit of all requests leaves enough for those that cannot be left out (§8.1). */
	hasToSpare(accountId: string, nowMs: number): boolean {
		return this.limitOf(accountId, Number.POSITIVE_INFINITY).hasToSpare(nowMs);
	}

	/** Waits for room, and takes a place in each limit. */
	private async enter(
		waiter: Waiter,
		all: Limit,
		own = all,
	): Promise<{ own: number; all: number }> {
		const { context, clock } = waiter;
		stopIfCancelled(context);
		while (!own.hasRoom(clock.nowMs()) || !all.hasRoom(clock.nowMs())) {
			const untilMs = Math.max(own.closedUntilMs, all.closedUntilMs);
			const closedMs = untilMs - clock.nowMs();
			if (closedMs > LONG_WAIT_MS) this.tellOnce(waiter, untilMs);
			if (closedMs > 0) await pause(waiter, closedMs);
			else {
				const place = new Promise<void>((resolve) => this.waiting.push(resolve));
				await Promise.race([place, clock.sleep(CANCEL_CHECK_MS)]);
			}
			stopIfCancelled(context);
		}
		const place = all.enter();
		return { all: place, own: own === all ? place : own.enter() };
	}

	private tellOnce({ context, clock }: Waiter, untilMs: number): void {
		const nowMs = clock.nowMs();
		if (nowMs < this.toldUntilMs) return;
		this.toldUntilMs = untilMs;
		const minutes = Math.round((untilMs - nowMs) / 60_000);
		const wait = minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
		context.logger.warn(
			`${context.getNode().name}: the service asks to wait ${wait}, until ${new Date(untilMs).toISOString()}; the node waits that long, unless the execution is stopped or its workflow has the setting Timeout Workflow`,
		);
	}

	/** @param left for a limit of which nothing is known yet */
	private limitOf(key: string, left: number): Limit {
		let limit = this.limits.get(key);
		if (!limit) this.limits.set(key, (limit = new Limit(left)));
		return limit;
	}
}

/** Whether an answer to a request with a limit of its own shows the limit of all requests. */
function isOfAll(answer: Answer, own: Limit, all: Limit): boolean {
	const size = Number(answer.headers[HEADERS.rateLimit]);
	return Number.isFinite(all.size) ? size === all.size : size > own.size;
}
