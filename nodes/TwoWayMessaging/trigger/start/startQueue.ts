import type { AnswerHandover, EventHandover } from '../handover';

/** An event that starts an execution, or answers a question in one. */
export type StartHandover = EventHandover | AnswerHandover;

/** Most events that an execution is given as spares. */
const MOST_SPARES = 400;

/** How many spares the first execution gets after one in which nothing began. */
const FIRST_SPARES = 25;

/**
 * The events of a node that wait for their execution to start, in the order in which they came.
 *
 * After a restart, a check hands over what earlier processes have begun, and only an execution can tell. So that not
 * each of them costs an execution without items, an execution gets *spares* once others have found nothing to begin: it
 * begins the first of them that has not begun, and gives the rest back.
 */
export class StartQueue {
	/** Texts that become one item stand together, at the place of the first. */
	private groups = new Map<string, StartHandover[]>();

	private lent: StartHandover[] = [];

	/** How many executions one after the other had nothing to begin. */
	private blanks = 0;

	/** Whether somebody starts the executions of what waits. */
	isBeingStarted = false;

	/** How many items would start if all of it started. */
	get size(): number {
		return this.groups.size;
	}

	/** Whether an execution has spares. Until it gives them back nothing may start, to keep the order. */
	get isLending(): boolean {
		return this.lent.length > 0;
	}

	add(handover: StartHandover): void {
		const key = groupOf(handover);
		const group = this.groups.get(key);
		if (group) group.push(handover);
		else this.groups.set(key, [handover]);
	}

	/** Removes the events of the next execution: as many items as asked for. */
	take(mostItems: number): StartHandover[] {
		const taken: StartHandover[] = [];
		let items = 0;
		for (const [key, group] of this.groups) {
			if (items >= mostItems) break;
			items += 1;
			this.groups.delete(key);
			taken.push(...group);
		}
		return taken;
	}

	/** Lends the spares of the next execution; none where executions find something to begin. */
	lendSpares(): StartHandover[] {
		if (this.blanks === 0) return [];
		this.lent = this.take(Math.min(MOST_SPARES, FIRST_SPARES * 2 ** (this.blanks - 1)));
		return this.lent;
	}

	/**
	 * Puts the spares that are still needed back to their place.
	 *
	 * @param lent the spares in question; unless given, those that are lent now
	 */
	takeBack(isNeeded: (handover: StartHandover) => boolean, lent = this.lent): void {
		if (!this.isLending || lent !== this.lent) return;
		const later = this.groups;
		this.groups = new Map();
		for (const handover of this.lent.filter(isNeeded)) this.add(handover);
		this.lent = [];
		for (const handover of [...later.values()].flat()) this.add(handover);
	}

	/** Says whether an execution has found something to begin. */
	markRun(hasBegun: boolean): void {
		this.blanks = hasBegun ? 0 : this.blanks + 1;
	}

	/** Removes everything. */
	clear(): StartHandover[] {
		const lent = this.lent;
		this.lent = [];
		return [...lent, ...this.take(Number.POSITIVE_INFINITY)];
	}
}

/** Texts that become one item belong together; everything else stands alone. */
export function groupOf(handover: StartHandover): string {
	const text = handover.kind === 'event' ? handover.text : undefined;
	return text ? `text ${text.conversation}` : `event ${handover.name}`;
}
