import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Clock } from '../clock';
import { isFields } from '../message';
import type { ServiceEvent } from './event';

/** An event on its way into the workflow. */
export type Arrival = {
	/** The name that it goes by, however it comes (`eventName`). */
	name: string;
	event: ServiceEvent;
	/** Whether a check found it, and no webhook brought it. */
	isFound: boolean;
	/** Set when the service should have sent it and has not, as far as the check could know. */
	isMissed?: true;
	/** The conversation with whose other texts it becomes one item; absent for what becomes an item of its own. */
	conversation?: string;
};

/**
 * How an event stands in this process:
 *
 * ```text
 * unknown ── webhook or check ──▶ waiting ── starter ──▶ handed ── execute() ──▶ begun
 *                                    ▲                      │
 *                                    └──────────────────────┘
 *             n8n could not start it, or it ended without beginning: after a minute
 *                                                n8n says nothing of it: after an hour
 * ```
 */
export type EventState = 'unknown' | 'waiting' | 'handed' | 'begun';

/** Longest time that texts of a conversation wait for each other, so that a customer who never pauses gets an answer. */
export const MOST_WAIT_MS = 120_000;

/** An execution that n8n has not reported about for so long is lost: its event waits again. */
const HANDED_FOR_MS = 60 * 60_000;

/** Begun events that are remembered; of more, those that nothing has asked for. */
const MOST_BEGUN = 50_000;

/** Arrivals that start together: the texts of a conversation that are combined; everything else stands alone. */
type Group = { arrivals: Map<string, Arrival>; sinceMs: number; notBeforeMs: number };

/** When an arrival may start. */
export type Start = {
	/** Not before this time, in Unix ms; at once unless given. */
	notBeforeMs?: number;
	/** Whether a webhook brought it just now: it starts before what a check has found, as somebody waits for an answer. */
	isLive?: boolean;
};

/**
 * The events of a node that have come and have not begun, by webhook or check, and those that have begun. It is in memory:
 * the history is its durable source, from which a check brings again what a process that was killed had in it.
 *
 * ```ts
 * inbox.put(arrival, { notBeforeMs });
 * const arrivals = inbox.take(1); // they are handed to n8n now
 * inbox.markBegun(['receive:5f1c']); // an execution has recorded that the event begins
 * ```
 */
export class Inbox {
	private readonly live = new Map<string, Group>();

	private readonly found = new Map<string, Group>();

	private readonly handed = new Map<string, { arrival: Arrival; atMs: number }>();

	/** What was asked for last stands last, and stays the longest: checks ask for an event as long as its row is in view. */
	private readonly begun = new Set<string>();

	/** The key of the group in which each event waits. */
	private readonly waiting = new Map<string, string>();

	constructor(private readonly clock: Clock) {}

	stateOf(name: string): EventState {
		if (this.waiting.has(name)) return 'waiting';
		if (this.handed.has(name)) return 'handed';
		if (!this.begun.delete(name)) return 'unknown';
		this.begun.add(name);
		return 'begun';
	}

	/** Whether some event waits for its execution to start. */
	get isEmpty(): boolean {
		return this.waiting.size === 0;
	}

	/**
	 * Lets an event wait for its execution, if it is not known yet. What a webhook brings replaces what a check has found:
	 * it says more, and starts at once.
	 *
	 * @returns whether it waits by this call
	 */
	put(arrival: Arrival, { notBeforeMs = 0, isLive = false }: Start = {}): boolean {
		const { name, conversation } = arrival;
		const isFound = this.found.get(this.waiting.get(name) ?? '')?.arrivals.has(name);
		if (isLive && isFound) this.remove(name);
		if (this.stateOf(name) !== 'unknown') return false;
		const key = conversation === undefined ? `event ${name}` : `texts ${conversation}`;
		const groups = isLive ? this.live : this.found;
		// What is found of a conversation whose customer is still writing joins those texts.
		const sinceMs = this.clock.nowMs();
		const known = this.live.get(key) ?? this.found.get(key);
		const group = known ?? { arrivals: new Map(), sinceMs, notBeforeMs: 0 };
		if (!known || (isLive && this.found.delete(key))) groups.set(key, group);
		group.arrivals.set(name, arrival);
		if (isLive || group.arrivals.size === 1) {
			group.notBeforeMs = Math.min(notBeforeMs, group.sinceMs + MOST_WAIT_MS);
		}
		this.waiting.set(name, key);
		return true;
	}

	/**
	 * Takes the arrivals of the next execution. They count as handed over from now on.
	 *
	 * @param mostGroups how many items it takes
	 * @param onlyLive whether what a check has found goes on waiting
	 * @returns an empty list when nothing is due
	 */
	take(mostGroups: number, onlyLive = false): Arrival[] {
		const nowMs = this.clock.nowMs();
		const taken: Arrival[] = [];
		let count = 0;
		for (const groups of onlyLive ? [this.live] : [this.live, this.found]) {
			for (const [key, { arrivals, notBeforeMs }] of groups) {
				if (count >= mostGroups) break;
				// A clock that is set back must not make anything wait for as long.
				if (notBeforeMs > nowMs && notBeforeMs <= nowMs + MOST_WAIT_MS) continue;
				count += 1;
				groups.delete(key);
				for (const arrival of arrivals.values()) this.hand(arrival);
				taken.push(...arrivals.values());
			}
		}
		return taken;
	}

	/** Marks an event as handed over to n8n. */
	hand(arrival: Arrival): void {
		this.waiting.delete(arrival.name);
		this.handed.set(arrival.name, { arrival, atMs: this.clock.nowMs() });
	}

	/** Marks events as begun, in whichever process. They need no execution any more. */
	markBegun(names: string[]): void {
		for (const name of names) {
			this.remove(name);
			this.handed.delete(name);
			this.begun.add(name);
		}
		for (const oldest of this.begun) {
			if (this.begun.size <= MOST_BEGUN) return;
			this.begun.delete(oldest);
		}
	}

	/** How many events were handed to n8n within a time and have not begun. */
	handedWithin(durationMs: number): number {
		const nowMs = this.clock.nowMs();
		let count = 0;
		for (const { atMs } of this.handed.values()) {
			if (Math.abs(nowMs - atMs) < durationMs) count += 1;
		}
		return count;
	}

	/**
	 * Lets events wait again whose execution could not start, or has ended and not begun them.
	 *
	 * @returns whether there are any
	 */
	putBack(arrivals: Arrival[], notBeforeMs: number): boolean {
		const unbegun = arrivals.filter(({ name }) => this.handed.delete(name));
		for (const arrival of unbegun) this.put(arrival, { notBeforeMs, isLive: !arrival.isFound });
		return unbegun.length > 0;
	}

	/** Lets events wait again of whose executions n8n has said nothing for an hour. */
	putBackLost(): void {
		const nowMs = this.clock.nowMs();
		for (const { arrival, atMs } of [...this.handed.values()]) {
			if (Math.abs(nowMs - atMs) >= HANDED_FOR_MS) this.putBack([arrival], nowMs);
		}
	}

	/** Forgets what a check has found and has not started, as it was found under the rules of an earlier publishing. */
	dropFound(): void {
		for (const { arrivals } of this.found.values()) {
			for (const name of arrivals.keys()) this.waiting.delete(name);
		}
		this.found.clear();
	}

	private remove(name: string): void {
		const key = this.waiting.get(name);
		if (key === undefined) return;
		this.waiting.delete(name);
		for (const groups of [this.live, this.found]) {
			const arrivals = groups.get(key)?.arrivals;
			if (arrivals?.delete(name) && arrivals.size === 0) groups.delete(key);
		}
	}
}

/** Makes an execution fail with these words, so that the list of executions shows them. */
type Failure = { failedCheck: string; description?: string };

/** What an execution begins with. n8n carries it as the JSON of an item. */
export type Handed =
	| { kind: 'arrival'; arrival: Arrival }
	| { kind: 'save' }
	| { kind: 'failure'; failure: Failure }
	/** An item that this node has not made, as a person may run anything. */
	| { kind: 'other' };

/** The item that carries an arrival: `readHanded(toItem(arrival))`. */
export function toItem(arrival: Arrival): INodeExecutionData {
	return { json: arrival as unknown as IDataObject };
}

/** Starts nothing: n8n saves static data with each execution that starts. */
export const saveItem = (): INodeExecutionData => ({ json: { isForSaving: true } });

export const failureItem = (failure: Failure): INodeExecutionData => ({ json: failure });

/** What an item carries. */
export function readHanded({ json }: INodeExecutionData): Handed {
	const { event, name, isForSaving, failedCheck } = json;
	if (isForSaving === true) return { kind: 'save' };
	if (typeof failedCheck === 'string') return { kind: 'failure', failure: json as Failure };
	const isArrival =
		typeof name === 'string' &&
		isFields(event) &&
		(isFields(event.message) || isFields(event.line));
	return isArrival ? { kind: 'arrival', arrival: json as unknown as Arrival } : { kind: 'other' };
}
