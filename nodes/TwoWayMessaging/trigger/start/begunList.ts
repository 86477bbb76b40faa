import type { Clock } from '../../clock';

/**
 * Writes names into n8n's table of processed data.
 *
 * @returns those that were not in it
 */
export type WriteNames = (names: string[], maxEntries: number) => Promise<string[]>;

type Waiter = {
	names: string[];
	write: WriteNames;
	resolve: (first: Set<string>) => void;
	reject: (reason: unknown) => void;
};

/**
 * A group is written when no name has joined it for this long, or none is left that could: each write reads and writes
 * the whole list.
 */
const QUIET_MS = 150;

/** How often at most a group waits for more names. */
const MOST_WAITS = 7;

/** Names kept beside those of the last days: about 27 bytes each, in one row of n8n's table. */
const USUAL_NAMES = 5_000;

/** Most names kept, and all that are kept where this process does not know how many events have begun. */
const MOST_NAMES = 100_000;

const DAY_MS = 24 * 60 * 60_000;

/**
 * How many days an event may come again: the service delivers for 60 hours (§6.4), and a check after a restart looks
 * back for a week at most.
 */
const DAYS = 8;

/** Events begun since n8n last saved, and the time since then, before a check makes n8n save. */
const MOST_UNSAVED = 2_000;
const SAVED_EVERY_MS = 12 * 60 * 60_000;

/**
 * The durable list of the events that have begun. One group of names is written at a time, because of two at once
 * one would be lost. Names that come meanwhile form the next group.
 */
export class BegunList {
	private waiting: Waiter[] = [];

	private isWriting = false;

	private mayOthersJoin: (waiting: number) => boolean = () => true;

	/** Ends the wait for more names at once. */
	private stopWaiting = () => {};

	/** How many events have begun on each day, by its number since 1970. */
	private readonly begun = new Map<number, number>();

	/** Whether this process knows how many events had begun before it started. */
	private isRestored = false;

	private unsaved = 0;

	private savedAtMs = 0;

	constructor(private readonly clock: Clock) {}

	/**
	 * Adds the names of events that begin.
	 *
	 * ```ts
	 * const first = await list.add(['receive:1', 'receive:2'], write);
	 * first.has('receive:1'); // whether the event had not begun before
	 * ```
	 *
	 * @param mayOthersJoin whether names of other events may come within moments, besides so many that already wait
	 * @returns those of the names that were not in the list; each is given to one caller only
	 * @throws what `write` throws
	 */
	async add(
		names: string[],
		write: WriteNames,
		mayOthersJoin: (waiting: number) => boolean = () => true,
	): Promise<Set<string>> {
		this.mayOthersJoin = mayOthersJoin;
		const first = await new Promise<Set<string>>((resolve, reject) => {
			this.waiting.push({ names, write, resolve, reject });
			if (!this.isWriting) void this.writeGroups();
			else if (!mayOthersJoin(this.waiting.length)) this.stopWaiting();
		});
		return first;
	}

	/** Counts events that have begun, whether they could be written or not. */
	countBegun(count: number): void {
		if (count === 0) return;
		const day = this.today();
		this.begun.set(day, (this.begun.get(day) ?? 0) + count);
		this.unsaved += count;
	}

	/** Takes over what was saved, the first time in a process. */
	restore(countsByDay: Record<string, number> = {}): void {
		if (this.isRestored) return;
		this.isRestored = true;
		this.savedAtMs = this.clock.nowMs();
		for (const [day, count] of Object.entries(countsByDay)) {
			this.begun.set(Number(day), (this.begun.get(Number(day)) ?? 0) + count);
		}
	}

	/**
	 * How many events have begun on each of the last days, to be saved.
	 *
	 * @param soon how many are about to begin; nothing may be saved before they have
	 */
	countsByDay(soon = 0): Record<string, number> {
		const today = this.today();
		for (const day of this.begun.keys()) if (day <= today - DAYS) this.begun.delete(day);
		const counts = Object.fromEntries(this.begun);
		return soon > 0 ? { ...counts, [today]: (this.begun.get(today) ?? 0) + soon } : counts;
	}

	/** Says that n8n saves what the checks know. */
	markSaved(): void {
		this.unsaved = 0;
		this.savedAtMs = this.clock.nowMs();
	}

	/** Whether a check should make n8n save what it knows. */
	isSaveDue(): boolean {
		if (this.unsaved >= MOST_UNSAVED) return true;
		return this.unsaved > 0 && this.clock.nowMs() - this.savedAtMs >= SAVED_EVERY_MS;
	}

	private today(): number {
		return Math.floor(this.clock.nowMs() / DAY_MS);
	}

	private async writeGroups(): Promise<void> {
		this.isWriting = true;
		while (this.waiting.length > 0) {
			await this.waitForMore();
			const group = this.waiting;
			this.waiting = [];
			await this.writeGroup(group);
		}
		this.isWriting = false;
	}

	private async waitForMore(): Promise<void> {
		for (let waits = 0; waits < MOST_WAITS; waits += 1) {
			if (!this.mayOthersJoin(this.waiting.length)) return;
			const before = this.waiting.length;
			const stopped = new Promise<void>((resolve) => (this.stopWaiting = resolve));
			await Promise.race([this.clock.sleep(QUIET_MS), stopped]);
			if (this.waiting.length === before) return;
		}
	}

	private async writeGroup(group: Waiter[]): Promise<void> {
		try {
			const names = [...new Set(group.flatMap((waiter) => waiter.names))];
			// Any waiter of the group may write: the row belongs to the node, not to the execution.
			const fresh = new Set(await group[0]?.write(names, this.maxEntries(names.length)));
			for (const waiter of group) {
				waiter.resolve(new Set(waiter.names.filter((name) => fresh.delete(name))));
			}
		} catch (thrown) {
			for (const waiter of group) waiter.reject(thrown);
		}
	}

	/** Enough for the names of all events that may come again. */
	private maxEntries(more: number): number {
		if (!this.isRestored) return MOST_NAMES;
		const recent = Object.values(this.countsByDay()).reduce((sum, count) => sum + count, 0);
		return Math.min(MOST_NAMES, USUAL_NAMES + recent + more);
	}
}
