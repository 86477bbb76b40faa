import type { AnswerHandover, EventHandover } from '../handover';

/** An event that starts an execution, or answers a question in one. */
export type StartHandover = EventHandover | AnswerHandover;

type Groups = Map<string, StartHandover[]>;

/** How many spares an execution gets after one in which nothing began; after each other, twice as many. */
const FIRST_SPARES = 25;

/** As many of them count: an execution gets 400 spares at most. */
const MOST_BLANKS = 5;

/**
 * The events of a node that wait for their execution to start, in the order in which they came: first those that
 * requests have brought just now, then those that a check has found.
 *
 * After a restart, a check hands over what earlier processes have begun, and only an execution can tell. So that not
 * each of them costs an execution without items, an execution gets *spares* once others have found nothing to begin: it
 * begins the first of them that has not begun, and gives the rest back.
 */
export class StartQueue {
	/** Texts that become one item stand together, at the place of the first. */
	private readonly live: Groups = new Map();

	private found: Groups = new Map();

	private lent: StartHandover[] = [];

	/** How many executions have lately had nothing to begin, more or less. */
	private blanks = 0;

	/** Whether somebody starts the executions of what waits. */
	isBeingStarted = false;

	/** How many items would start if all of it started. */
	get size(): number {
		return this.live.size + this.found.size;
	}

	/** Whether something waits that a request has brought. */
	get hasLive(): boolean {
		return this.live.size > 0;
	}

	/** Whether an execution has spares. Until it gives them back nothing else that was found may start, to keep the order. */
	get isLending(): boolean {
		return this.lent.length > 0;
	}

	addLive(handover: StartHandover): void {
		addTo(this.live, handover);
	}

	/** Removes an event, unless it has started already; returns whether it has not. */
	removeLive(handover: StartHandover): boolean {
		const key = groupOf(handover);
		const group = this.live.get(key) ?? [];
		const rest = group.filter((one) => one !== handover);
		if (rest.length === 0) this.live.delete(key);
		else this.live.set(key, rest);
		return rest.length < group.length;
	}

	addFound(handover: StartHandover): void {
		addTo(this.found, handover);
	}

	/**
	 * Removes the events of the next execution.
	 *
	 * @param mostItems how many items it takes
	 */
	take(mostItems: number): { handovers: StartHandover[]; spares: StartHandover[] } {
		if (this.hasLive) return { handovers: takeFrom(this.live, mostItems), spares: [] };
		const handovers = takeFrom(this.found, mostItems);
		if (this.blanks > 0) {
			this.lent = takeFrom(this.found, FIRST_SPARES * 2 ** (this.blanks - 1));
		}
		return { handovers, spares: this.lent };
	}

	/**
	 * Puts the spares that are still needed back to their place.
	 *
	 * @param lent the spares in question; unless given, those that are lent now
	 */
	takeBack(isNeeded: (handover: StartHandover) => boolean, lent = this.lent): void {
		if (!this.isLending || lent !== this.lent) return;
		const later = this.found;
		this.found = new Map();
		for (const handover of this.lent.filter(isNeeded)) this.addFound(handover);
		this.lent = [];
		for (const handover of [...later.values()].flat()) this.addFound(handover);
	}

	/** Says whether an execution has found something to begin. */
	markRun(hasBegun: boolean): void {
		// One that begins among many that have begun does not end the loan at once.
		this.blanks = hasBegun ? Math.floor(this.blanks / 2) : Math.min(this.blanks + 1, MOST_BLANKS);
	}

	/** Removes what a check has found. */
	clearFound(): StartHandover[] {
		const all = [...this.lent, ...[...this.found.values()].flat()];
		this.lent = [];
		this.found.clear();
		return all;
	}

	/** Removes what requests have brought. */
	clearLive(): StartHandover[] {
		const all = [...this.live.values()].flat();
		this.live.clear();
		return all;
	}
}

function addTo(groups: Groups, handover: StartHandover): void {
	const key = groupOf(handover);
	const group = groups.get(key);
	if (group) group.push(handover);
	else groups.set(key, [handover]);
}

function takeFrom(groups: Groups, mostItems: number): StartHandover[] {
	const taken: StartHandover[] = [];
	let items = 0;
	for (const [key, group] of groups) {
		if (items >= mostItems) break;
		items += 1;
		groups.delete(key);
		taken.push(...group);
	}
	return taken;
}

/** Texts that become one item belong together; everything else stands alone. */
export function groupOf(handover: StartHandover): string {
	const text = handover.kind === 'event' ? handover.text : undefined;
	return text ? `text ${text.conversation}` : `event ${handover.name}`;
}
