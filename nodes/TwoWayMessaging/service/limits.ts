import { HEADERS, PATHS } from '../contract';
import { retryAfterMs, type Answer, type Outcome } from './outcome';
import { pause, SLICE_MS, stopIfCancelled, type Waiter } from './pause';

/** The wait after a 429 that names no time, and the shortest after one that does. */
const USUAL_WAIT_MS = 5_000;
const SHORTEST_WAIT_MS = 1_000;

/** What has a limit of its own, beside the limit for all requests (§8.1). */
const LIMITED = [PATHS.sendMessage, PATHS.media, PATHS.lookup];

/** One of the service's limits (§8.1), as all requests of this process know it by the answers. */
class Limit {
	inFlight = 0;

	/** The smallest limit that an answer has named; a larger one is that of all requests. */
	size = Number.POSITIVE_INFINITY;

	closedUntilMs = 0;

	/** @param left how many requests the service still lets in; at 0 a single one still goes out, to learn what the limit is */
	constructor(public left: number) {}

	hasRoom(nowMs: number): boolean {
		return nowMs >= this.closedUntilMs && (this.inFlight === 0 || this.inFlight < this.left);
	}

	/** Whether half of the limit is left, or anything where no limit is named. */
	get hasToSpare(): boolean {
		const enough = Number.isFinite(this.size) ? this.size / 2 : 1;
		return this.left - this.inFlight >= enough;
	}

	/**
	 * Learns from an answer what is left.
	 *
	 * @param leftBefore what was left when its request went out: an answer with as much left belongs to a new window
	 */
	learn(answer: Answer, nowMs: number, leftBefore: number): void {
		const said = Number(answer.headers[HEADERS.rateRemaining]);
		// A service that does not say what is left gets requests as fast as they come, until it refuses one.
		const left = Number.isFinite(said) ? said : Number.POSITIVE_INFINITY;
		if (answer.status === 429) {
			const waitMs = Math.max(retryAfterMs(answer, nowMs) ?? USUAL_WAIT_MS, SHORTEST_WAIT_MS);
			this.closedUntilMs = Math.max(this.closedUntilMs, nowMs + waitMs);
			this.left = 0;
			return;
		}
		this.size = Math.min(this.size, Number(answer.headers[HEADERS.rateLimit]) || this.size);
		// Answers overtake each other.
		this.left = left >= leftBefore ? left : Math.min(left, this.left);
	}

	/** Counts a request that the service has let in, and whose answer shows another limit. */
	spend(): void {
		// Nothing was left, and yet it was let in: a new window, of which nothing is known.
		this.left = this.left === 0 ? Number.POSITIVE_INFINITY : this.left - 1;
	}
}

/**
 * Lets the requests of an account out as fast as the service admits. Every answer says how many are left, and a refusal
 * says how long to wait; nothing is configured here. When nothing is left, one request goes ahead to ask: either the
 * service accepts it, or its refusal names the time, and that is the only refusal of the window.
 *
 * assumption: an answer shows one of the two limits that count a request, and `X-RateLimit-Limit` tells which (§8.1: not
 * shown).
 */
export class RateLimiter {
	private readonly all = new Limit(Number.POSITIVE_INFINITY);

	private readonly limited = LIMITED.map((path) => ({ path, limit: new Limit(0) }));

	private waiting: Array<() => void> = [];

	/**
	 * Waits until a request may go out.
	 *
	 * ```ts
	 * const leave = await limits.enter(connection, path);
	 * leave(await request());
	 * ```
	 *
	 * @param path decides which limits count the request
	 * @returns what has to be called when the request has ended
	 * @throws NodeOperationError when the execution is cancelled meanwhile
	 */
	async enter(waiter: Waiter, path: string): Promise<(outcome?: Outcome) => void> {
		const { all, limited } = this;
		const { context, clock } = waiter;
		let own = all;
		for (const one of limited) if (path.endsWith(one.path)) own = one.limit;
		stopIfCancelled(context);
		while (!own.hasRoom(clock.nowMs()) || !all.hasRoom(clock.nowMs())) {
			const closedMs = Math.max(own.closedUntilMs, all.closedUntilMs) - clock.nowMs();
			if (closedMs > 0) await pause(waiter, closedMs);
			else {
				const answered = new Promise<void>((resolve) => this.waiting.push(resolve));
				await Promise.race([answered, clock.sleep(SLICE_MS)]);
			}
			stopIfCancelled(context);
		}
		const before = new Map([
			[own, own.left],
			[all, all.left],
		]);
		for (const limit of before.keys()) limit.inFlight += 1;
		return (outcome) => {
			for (const [limit, leftBefore] of before) {
				limit.inFlight -= 1;
				if (outcome?.kind !== 'answer') continue;
				const shown = isOfAll(outcome, own, all) ? all : own;
				if (limit === shown) limit.learn(outcome, clock.nowMs(), leftBefore);
				else if (outcome.status !== 429) limit.spend();
			}
			for (const wake of this.waiting.splice(0)) wake();
		};
	}

	/** Whether a request that can be skipped may go out without holding up one that cannot (§8.1). */
	get hasToSpare(): boolean {
		return this.all.hasToSpare;
	}
}

/** Whether an answer shows the limit of all requests, and not that of its own kind. */
function isOfAll(answer: Answer, own: Limit, all: Limit): boolean {
	const size = Number(answer.headers[HEADERS.rateLimit]);
	return Number.isFinite(all.size) ? size === all.size : size > own.size;
}
