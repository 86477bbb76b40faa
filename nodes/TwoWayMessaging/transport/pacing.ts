import { Lane } from './lane';
import { pause, stopIfCancelled, type Waiter } from './pause';
import type { Answer } from './request';

/** A wait that is longer is told in the log. The limits of §8.1 count by the minute. */
const LONG_WAIT_MS = 5 * 60_000;

/** How often a request that waits for a place checks whether the execution was cancelled. */
const CANCEL_CHECK_MS = 200;

/** The limits of §8.1 that count one kind of request, named after the path that each limits. */
export type LaneName = 'sendMessage' | 'media' | 'lookup';

/**
 * The limits that count one kind of request: its own, and the limit for all requests (§8.1).
 *
 * assumption: an answer shows one of the two, and `X-RateLimit-Limit` tells which (§8.1: not shown).
 */
export class Route {
	private readonly lanes: Lane[];

	/** @param own absent where only the limit for all requests counts */
	constructor(
		private readonly all: Lane,
		private readonly own?: Lane,
	) {
		this.lanes = own ? [all, own] : [all];
	}

	/** Takes a place in every lane of the route, or in none. */
	tryEnter(nowMs: number): boolean {
		if (!this.own) return this.all.tryEnter(nowMs);
		if (!this.own.tryEnter(nowMs)) return false;
		if (this.all.tryEnterAsGuest(nowMs)) return true;
		this.own.cancel();
		return false;
	}

	/** How much longer the service has asked to wait, in milliseconds. */
	closedForMs(nowMs: number): number {
		return Math.max(...this.lanes.map((lane) => lane.closedForMs(nowMs)));
	}

	/** Whether the present wait is to be told, as none was told that lasts until now; it counts as told from then on. */
	tellOnce(nowMs: number): boolean {
		const closedMs = this.closedForMs(nowMs);
		return this.lanes.some((lane) => lane.closedForMs(nowMs) === closedMs && lane.tellOnce(nowMs));
	}

	/** What a request takes along when it goes out, for `leave`. */
	get answersSoFar(): number {
		return (this.own ?? this.all).answersSoFar;
	}

	/**
	 * Gives the places back, and lets the lanes learn from the answer.
	 *
	 * @param answer undefined when no answer came
	 * @param answersBefore `answersSoFar` when the request went out
	 */
	leave(answer: Answer | undefined, nowMs: number, answersBefore?: number): void {
		const { all, own } = this;
		if (!own) return all.leave(answer, nowMs, answersBefore);
		const isOfAll = answer !== undefined && own.isShowing(answer, all);
		all.leaveAsGuest(answer, nowMs, isOfAll);
		own.leave(isOfAll && answer.status === 429 ? undefined : answer, nowMs, answersBefore);
	}

	/** Resolves when a place in one of the lanes is given back. */
	async changed(): Promise<void> {
		await Promise.race(this.lanes.map(async (lane) => await lane.changed()));
	}
}

/** The lanes of a process: every request of one account to one limit goes through the same one. */
export class Lanes {
	private readonly lanes = new Map<string, Lane>();

	/** The lanes that a request goes through, by its own limit; without one, only the limit of all counts it. */
	routeOf(accountId: string, name?: LaneName): Route {
		return new Route(
			this.laneOf(accountId),
			name === undefined ? undefined : this.laneOf(`${accountId} ${name}`),
		);
	}

	/** Whether the limit of all requests leaves room for one that can be left out (§8.1). */
	hasToSpare(accountId: string, nowMs: number): boolean {
		return this.laneOf(accountId).hasToSpare(nowMs);
	}

	private laneOf(key: string): Lane {
		let lane = this.lanes.get(key);
		if (!lane) {
			lane = new Lane();
			this.lanes.set(key, lane);
		}
		return lane;
	}
}

/**
 * Waits for a place in the lanes of a request. The caller must `leave` them when the answer has come.
 *
 * @throws NodeOperationError when the execution is cancelled meanwhile
 */
export async function enterLane(waiter: Waiter, route: Route): Promise<void> {
	const { caller, clock } = waiter;
	stopIfCancelled(caller);
	while (!route.tryEnter(clock.nowMs())) {
		const closedMs = route.closedForMs(clock.nowMs());
		if (closedMs > LONG_WAIT_MS && route.tellOnce(clock.nowMs())) {
			const until = new Date(clock.nowMs() + closedMs).toISOString();
			caller.logger.warn(
				`${caller.getNode().name}: the service asks to wait ${inWords(closedMs)}, until ${until}; the node waits that long, unless the execution is stopped or its workflow has the setting Timeout Workflow`,
			);
		}
		if (closedMs > 0) await pause(waiter, closedMs);
		else await Promise.race([route.changed(), clock.sleep(CANCEL_CHECK_MS)]);
		stopIfCancelled(caller);
	}
}

function inWords(durationMs: number): string {
	const minutes = Math.round(durationMs / 60_000);
	return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}
