import type { IExecuteFunctions } from 'n8n-workflow';
import type { Clock } from '../clock';
import { addProcessedNames, TableTurns } from '../n8n/processedData';
import { Rounds } from '../queue';
import { writeSaved, type TriggerCall } from './nodeMemory';

/**
 * Writes names into n8n's table of processed data.
 *
 * @returns those that were not in it
 */
type WriteNames = (names: string[], maxEntries: number) => Promise<string[]>;

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
	private readonly names: string[] = [];

	private readonly rounds = new Rounds<Set<string>>();

	/** Undefined where this process does not know how many events had begun before it started. */
	lately?: Lately;

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
		this.names.push(...names);
		// Any of those who wait may write: the row belongs to the node, not to the execution.
		const fresh = await this.rounds.join(async () => {
			const group = [...new Set(this.names.splice(0))];
			const written = await write(group, Math.min(MOST_NAMES, this.countBegun(0) + group.length));
			this.countBegun(written.length);
			return new Set(written);
		});
		return new Set(names.filter((name) => fresh.delete(name)));
	}

	/** Counts events that begin; returns how many names are enough for all events that may come again. */
	private countBegun(more: number): number {
		if (!this.lately) return MOST_NAMES;
		const { count, atMs } = this.lately;
		const nowMs = this.clock.nowMs();
		// After a clock is set back, the count must not grow.
		const left = count * 2 ** -(Math.max(0, nowMs - atMs) / EIGHT_DAYS_MS);
		this.lately = { count: left + more, atMs: nowMs };
		return USUAL_NAMES + Math.ceil(2 * this.lately.count);
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
	{ context, memory, processMemory }: TriggerCall<IExecuteFunctions>,
	names: string[],
): Promise<Set<string>> {
	const write: WriteNames = async (group, maxEntries) =>
		await addProcessedNames(context, group, maxEntries);
	const writeLocked: WriteNames = async (group, maxEntries) =>
		await processMemory.part(TableTurns).take(context, async () => await write(group, maxEntries));
	return await memory.part(BegunList).add(names, memory.data ? write : writeLocked);
}

/** Writes what has begun and what checks know where n8n saves it, with the next execution that starts or at the end of the publishing. */
export function saveProgress(call: TriggerCall): void {
	const { memory } = call;
	const { check, lines } = memory;
	memory.unsaved = 0;
	writeSaved(call, { check, lines, begun: memory.part(BegunList).lately });
}
