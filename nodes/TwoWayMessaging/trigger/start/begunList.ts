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

/** A group is written when no name has joined it for this long: each write reads and writes the whole list. */
const QUIET_MS = 40;

/** How often at most a group waits for more names. */
const MOST_WAITS = 25;

/** Names kept where a check would ask for few: about 27 bytes each, in one row of n8n's table. */
const USUAL_NAMES = 5_000;

/** Names kept where this process cannot know what a check would ask for. */
const MOST_NAMES = 100_000;

/** From this many names on, a check makes n8n save what it knows, so that it would ask for fewer. */
const SAVE_FROM_NAMES = 2_000;

/**
 * The durable list of the events that have begun. One group of names is written at a time, because of two at once
 * one would be lost. Names that come meanwhile form the next group.
 */
export class BegunList {
	private waiting: Waiter[] = [];

	private isWriting = false;

	/**
	 * How many names a check would ask for if n8n ended now, and started again with what it has saved; undefined in
	 * a process in which no check has saved anything.
	 */
	private namesAskedFor?: number;

	constructor(private readonly clock: Clock) {}

	/**
	 * Adds the names of events that begin.
	 *
	 * ```ts
	 * const first = await list.add(['receive:1', 'receive:2'], write);
	 * first.has('receive:1'); // whether the event had not begun before
	 * ```
	 *
	 * @returns those of the names that were not in the list; each is given to one caller only
	 * @throws what `write` throws
	 */
	async add(names: string[], write: WriteNames): Promise<Set<string>> {
		const first = await new Promise<Set<string>>((resolve, reject) => {
			this.waiting.push({ names, write, resolve, reject });
			if (!this.isWriting) void this.writeGroups();
		});
		return first;
	}

	/** Counts events that have begun, whether they could be written or not. */
	countBegun(count: number): void {
		if (this.namesAskedFor !== undefined) this.namesAskedFor += count;
	}

	/**
	 * Says that n8n saves what the checks know.
	 *
	 * @param askedFor how many events a check that starts from there would ask for
	 */
	markSaved(askedFor: number): void {
		this.namesAskedFor = askedFor;
	}

	/** Says that no check will ask for anything. */
	markUnchecked(): void {
		this.namesAskedFor = Number.NEGATIVE_INFINITY;
	}

	/** Whether a check should make n8n save what it knows. */
	isSaveDue(): boolean {
		return (this.namesAskedFor ?? 0) >= SAVE_FROM_NAMES;
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
			const before = this.waiting.length;
			await this.clock.sleep(QUIET_MS);
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

	/** Enough for all names that a check after a restart would ask for. */
	private maxEntries(more: number): number {
		if (this.namesAskedFor === undefined) return MOST_NAMES;
		return Math.min(MOST_NAMES, Math.max(USUAL_NAMES, this.namesAskedFor + more));
	}
}
