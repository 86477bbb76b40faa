import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { outputItems, type Arrival } from './combine';
import { gather } from './gather';
import { readHandover, type Handover } from './item';
import { memoryOf, type NodeMemory } from './memory';
import { isSampleAsked, sampleItem } from './sample';
import { readTriggerSettings } from './settings';

/** Entries of the durable list where nothing asks for more: about 27 bytes each, in one row of n8n's table. */
const USUAL_ENTRIES = 5_000;
const MOST_ENTRIES = 100_000;

/**
 * Lets into the workflow what webhook() and poll() handed over, each event once, also across restarts: what
 * has begun before is dropped here.
 */
export async function passThrough(execution: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const { simplify, combineSeconds } = readTriggerSettings(execution);
	if (isSampleAsked(execution)) {
		return outputItems([toArrival(await sampleItem(execution), 0)], simplify);
	}
	const memory = memoryOf(execution);
	const mode = execution.getMode();
	const given = execution.getInputData().map(toArrival);
	const isProduction = mode === 'webhook' || mode === 'trigger';
	// What a person runs, in the editor or once more, runs whatever it is given, and waits for nothing.
	if (!isProduction && mode !== 'retry') return outputItems(given, simplify);
	const arrivals = isProduction
		? await gather(execution, memory, given, combineSeconds * 1_000)
		: given;
	const first = await begin(
		execution,
		memory,
		arrivals.flatMap(({ handover }) => handover ?? []),
	);
	const begun = arrivals.filter(({ handover }) => !handover || isFirst(handover, first));
	const last = begun.findLast(({ handover }) => handover !== undefined);
	if (last) memory.lastBegun = last.item;
	return outputItems(isProduction ? begun : arrivals, simplify);
}

function toArrival(item: INodeExecutionData, index: number): Arrival {
	return { item, handover: readHandover(item), index };
}

/**
 * Takes note that events begin, in memory and in n8n's table.
 *
 * @returns the names under which nothing had begun before
 */
async function begin(
	execution: IExecuteFunctions,
	memory: NodeMemory,
	events: Handover[],
): Promise<Set<string>> {
	const isNew = ({ key }: Handover) => memory.seen.standing(key, Date.now()) !== 'settled';
	const keys = [...new Set(events.filter(isNew).flatMap(recordsOf))];
	let first = new Set<string>();
	if (keys.length > 0) {
		try {
			first = await memory.recorder.record(keys, async (all) => {
				const maxEntries = entriesToKeep(memory, all.length);
				const options = { mode: 'entries', maxEntries } as const;
				const result = await execution.helpers.checkProcessedAndRecord(all, 'node', options);
				return result.new.map(String);
			});
		} catch (thrown) {
			// Rather an event that may run again after a restart than one that does not run.
			const reason = thrown instanceof Error ? thrown.message : String(thrown);
			execution.logger.error(
				`${execution.getNode().name} cannot record which events have begun: ${reason}`,
			);
			first = new Set(events.filter(isNew).flatMap(recordsOf));
		}
	}
	memory.begunSinceSave += first.size;
	for (const handover of events) {
		for (const name of recordsOf(handover)) memory.seen.begin(name, Date.now());
		if (handover.eventId) memory.seen.begin(handover.eventId, Date.now());
	}
	return first;
}

/** Every name that an event is recorded under. */
function recordsOf(handover: Handover): string[] {
	return [...namesOf(handover), ...(handover.settles ? [handover.settles] : [])];
}

/** The names of an event, by any of which it may have begun before. */
function namesOf({ key, eventId, isKnownById }: Handover): string[] {
	return isKnownById && eventId ? [key, eventId] : [key];
}

/** Whether an event begins here, of those that come several times only the first. */
function isFirst(handover: Handover, first: Set<string>): boolean {
	return namesOf(handover).every((name) => first.has(name)) && first.delete(handover.key);
}

/**
 * How many entries the durable list keeps: at least those that a check would ask for if n8n were killed now
 * and came back with what it last saved.
 */
function entriesToKeep({ isServed, keptAtSave, begunSinceSave }: NodeMemory, more: number): number {
	if (!isServed) return USUAL_ENTRIES;
	if (keptAtSave === undefined) return MOST_ENTRIES;
	const wanted = keptAtSave + begunSinceSave + more;
	return Math.min(MOST_ENTRIES, Math.max(USUAL_ENTRIES, wanted));
}
