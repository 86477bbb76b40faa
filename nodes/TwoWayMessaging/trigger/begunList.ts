import type { IExecuteFunctions } from 'n8n-workflow';
import type { Clock } from '../clock';
import { addProcessedNames, withRowLock } from '../n8n/processedData';
import { writeSaved, type TriggerCall } from './nodeMemory';

/**
 * Writes names into n8n's table of processed data.
 *
 * @returns those that were not in it
 */
type WriteNames = (names: string[], maxEntries: number) => Promise<string[]>;

type Waiter = {
	names: string[];
	write: WriteNames;
	resolve: (first: Set<string>) => void;
	reject: (reason: unknown) => void;
};

/** Names kept beside those of the last days: about 27 bytes each, in one row of n8n's table. */
const USUAL_NAMES = 5_000;

/** Most names kept, and all that are kept where this process does not know how many events have begun. */
const MOST_NAMES = 100_000;

/**
 * How many days an event may come again: the service delivers for 60 hours (§6.4), and a check after a restart looks
 * back for a week at most.
 */
const EIGHT_DAYS_MS = 8 * 24 * 60 * 60_000;

/** How many events have begun, each counting half after eight days. */
export type Lately = { count: number; atMs: number };

/**
 * The durable list of the events that have begun. One group of names is written at a time, as each write reads and writes
 * the whole list, and of two at once one would be lost. Names that come meanwhile form the next group.
 */
export class BegunList {
	private waiting: Waiter[] = [];

	private isWriting = false;

	/** Undefined where this process does not know how many events had begun before it started. */
	private begun?: Lately;

	constructor(private readonly clock: Clock) {}

	/** What is saved of the list's size. */
	get lately(): Lately | undefined {
		return this.begun && { count: this.latelyBegun(), atMs: this.clock.nowMs() };
	}

	/** Takes over what was saved, the first time in a process. */
	restore(saved: Lately = { count: 0, atMs: this.clock.nowMs() }): void {
		this.begun ??= saved;
	}

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
		return await new Promise<Set<string>>((resolve, reject) => {
			this.waiting.push({ names, write, resolve, reject });
			if (!this.isWriting) void this.writeGroups();
		});
	}

	private async writeGroups(): Promise<void> {
		this.isWriting = true;
		while (this.waiting.length > 0) {
			const group = this.waiting;
			this.waiting = [];
			await this.writeGroup(group);
		}
		this.isWriting = false;
	}

	private async writeGroup(group: Waiter[]): Promise<void> {
		try {
			const names = [...new Set(group.flatMap((waiter) => waiter.names))];
			// Any waiter of the group may write: the row belongs to the node, not to the execution.
			const fresh = new Set(await group[0]?.write(names, this.maxEntries(names.length)));
			this.count(fresh.size);
			for (const waiter of group) {
				waiter.resolve(new Set(waiter.names.filter((name) => fresh.delete(name))));
			}
		} catch (thrown) {
			for (const waiter of group) waiter.reject(thrown);
		}
	}

	/** Enough for the names of all events that may come again. */
	private maxEntries(more: number): number {
		if (!this.begun) return MOST_NAMES;
		return Math.min(MOST_NAMES, USUAL_NAMES + Math.ceil(2 * this.latelyBegun()) + more);
	}

	private count(more: number): void {
		if (this.begun) this.begun = { count: this.latelyBegun() + more, atMs: this.clock.nowMs() };
	}

	private latelyBegun(): number {
		const { count, atMs } = this.begun ?? { count: 0, atMs: 0 };
		// A clock that is set back must not make it more.
		return count * 2 ** -(Math.max(0, this.clock.nowMs() - atMs) / EIGHT_DAYS_MS);
	}
}

/**
 * Writes names into n8n's table. Where the node does not listen in this process, as in a worker of n8n's queue mode,
 * executions begin in several processes, of which one writes at a time.
 *
 * @returns those that were not in it
 * @throws what n8n's table throws
 */
export async function recordNames(
	{ context, clock, memory }: TriggerCall<IExecuteFunctions>,
	names: string[],
): Promise<Set<string>> {
	const write: WriteNames = async (group, maxEntries) =>
		await addProcessedNames(context, group, maxEntries);
	const writeLocked: WriteNames = async (group, maxEntries) => {
		const work = async () => await write(group, maxEntries);
		const locked = await withRowLock(context, clock, work);
		return locked ? locked.result : await work();
	};
	return await memory.part(BegunList).add(names, memory.data ? write : writeLocked);
}

/** Writes what has begun and what checks know where n8n saves it, with the next execution that starts or at the end of the publishing. */
export function saveProgress(call: TriggerCall): void {
	const { memory } = call;
	const { check, lines } = memory;
	memory.unsaved = 0;
	writeSaved(call, { check, lines, begun: memory.part(BegunList).lately });
}
