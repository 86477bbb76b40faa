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
type Group = {
	key: string;
	arrivals: Map<string, Arrival>;
	sinceMs: number;
	notBeforeMs: number;
};

/**
 * The events of a node that have come and have not begun, by webhook or check, and those that have begun. It is in memory:
 * the history is its durable source, from which a check brings again what a process that was killed had in it.
 */
export class Inbox {
	/** The groups of which a webhook brought something: they start first, as somebody waits for an answer. */
	private readonly live = new Map<string, Group>();
	private readonly found = new Map<string, Group>();
	/** By the names of the events. */
	private readonly waiting = new Map<string, Group>();
	private readonly handed = new Map<string, { arrival: Arrival; atMs: number }>();

	/** What was asked for last stands last, and stays the longest: checks ask for an event as long as its row is in view. */
	private readonly begun = new Set<string>();

	constructor(private readonly clock: Clock) {}

	stateOf(name: string): EventState {
		if (this.waiting.has(name)) return 'waiting';
		if (this.handed.has(name)) return 'handed';
		if (!this.begun.delete(name)) return 'unknown';
		this.begun.add(name);
		return 'begun';
	}

	get isEmpty(): boolean {
		return this.waiting.size === 0;
	}

	/**
	 * Lets an event wait for its execution, if it is not known yet. What a webhook brings replaces what a check has found:
	 * it says more, and starts at once.
	 *
	 * @returns whether it waits by this call
	 */
	put(arrival: Arrival, notBeforeMs = 0): boolean {
		const { name, conversation, isFound } = arrival;
		const before = this.waiting.get(name)?.arrivals.get(name);
		if (!isFound && before?.isFound) this.remove(name);
		if (this.stateOf(name) !== 'unknown') return false;
		const key = conversation === undefined ? `event ${name}` : `texts ${conversation}`;
		// What is found of a conversation whose customer is still writing joins those texts.
		const sinceMs = this.clock.nowMs();
		const known = this.live.get(key) ?? this.found.get(key);
		const group = known ?? { key, arrivals: new Map(), sinceMs, notBeforeMs: 0 };
		if (!known || !isFound) group.notBeforeMs = Math.min(notBeforeMs, group.sinceMs + MOST_WAIT_MS);
		group.arrivals.set(name, arrival);
		this.waiting.set(name, group);
		if (isFound && !this.live.has(key)) this.found.set(key, group);
		else {
			this.found.delete(key);
			this.live.set(key, group);
		}
		return true;
	}

	/**
	 * Takes the arrivals of the next execution, which count as handed over from now on; none when nothing is due.
	 *
	 * @param onlyLive whether what a check has found goes on waiting
	 */
	take(mostGroups: number, onlyLive = false): Arrival[] {
		const nowMs = this.clock.nowMs();
		const taken: Arrival[] = [];
		let count = 0;
		for (const groups of onlyLive ? [this.live] : [this.live, this.found]) {
			for (const { arrivals, notBeforeMs } of groups.values()) {
				if (count >= mostGroups) return taken;
				// A clock that is set back must not make anything wait for as long.
				const isDue = notBeforeMs <= nowMs || notBeforeMs > nowMs + MOST_WAIT_MS;
				if (!isDue) continue;
				count += 1;
				for (const arrival of arrivals.values()) {
					taken.push(arrival);
					this.hand(arrival);
				}
			}
		}
		return taken;
	}

	hand(arrival: Arrival): void {
		this.remove(arrival.name);
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

	/** Lets events wait again whose execution could not start, or has ended and not begun them, if there are any. */
	putBack(arrivals: Arrival[], notBeforeMs: number): boolean {
		const unbegun = arrivals.filter(({ name }) => this.handed.delete(name));
		for (const arrival of unbegun) this.put(arrival, notBeforeMs);
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
			for (const name of arrivals.keys()) this.remove(name);
		}
	}

	private remove(name: string): void {
		const group = this.waiting.get(name);
		if (!group) return;
		this.waiting.delete(name);
		group.arrivals.delete(name);
		if (group.arrivals.size > 0) return;
		this.live.delete(group.key);
		this.found.delete(group.key);
	}
}

/**
 * What an execution begins with. n8n carries it as the JSON of an item. Beside an arrival that is what makes n8n save static
 * data and starts nothing, and what makes an execution fail with these words, so that the list of executions shows them.
 */
export type Handed = Arrival | { isForSaving: true } | { failedCheck: string; description: string };

/** The item that carries it: `readHanded(toItem(arrival))`. */
export const toItem = (handed: Handed): INodeExecutionData => ({
	json: handed as unknown as IDataObject,
});

/** What an item carries; undefined for one that this node has not made, as a person may run anything. */
export function readHanded({ json }: INodeExecutionData): Handed | undefined {
	const { event, name, isForSaving, failedCheck } = json;
	const isArrival =
		typeof name === 'string' &&
		isFields(event) &&
		(isFields(event.message) || isFields(event.line));
	const isOurs = isArrival || isForSaving === true || typeof failedCheck === 'string';
	return isOurs ? (json as unknown as Handed) : undefined;
}
