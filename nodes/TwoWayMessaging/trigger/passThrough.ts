import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { handToQuestions } from './answers';
import { outputItems, type Arrival } from './combine';
import { exclusively } from './exclusive';
import { gather } from './gather';
import { readHandover, type Handover } from './item';
import { memoryOf, type NodeMemory } from './memory';
import type { Write } from './record';
import { isRenewalDue, renewAfterMisses, renewalKey } from './renewal';
import { isSampleAsked, sampleItem } from './sample';
import { readItemSettings } from './settings';

/** Entries of the durable list where nothing asks for more: about 27 bytes each, in one row of n8n's table. */
const USUAL_ENTRIES = 5_000;

/** Entries in a process that hears of executions only, and cannot know what a check would ask for. */
const WORKER_ENTRIES = 50_000;
const MOST_ENTRIES = 100_000;

/**
 * Lets into the workflow what webhook() and poll() handed over, each event once, also across restarts: what
 * has begun before is dropped here.
 */
export async function passThrough(execution: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const { simplify, combineSeconds } = readItemSettings(execution);
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
	const events = arrivals.flatMap(({ handover }) => handover ?? []);
	const first = await begin(execution, memory, events);
	const missed = events.filter(({ isMissed, key }) => isMissed && first.has(key)).length;
	const begun = arrivals.filter(({ handover }) => !handover || isFirst(handover, first));
	const last = begun.findLast(({ handover }) => handover !== undefined);
	if (last) memory.lastBegun = last.item;
	const outputs = isProduction ? await handToQuestions(execution, begun) : arrivals;
	if (missed > 0) await renew(execution, memory, missed);
	return outputItems(outputs, simplify);
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
			first = await memory.recorder.record(keys, writer(execution, memory));
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
 * Writes into n8n's table. In a process that only runs executions, others may do so at the same moment, and of
 * two who write at once one is lost: there one process writes at a time.
 */
function writer(execution: IExecuteFunctions, memory: NodeMemory): Write {
	const write: Write = async (keys) => {
		const maxEntries = entriesToKeep(memory, keys.length);
		const options = { mode: 'entries', maxEntries } as const;
		const result = await execution.helpers.checkProcessedAndRecord(keys, 'node', options);
		return result.new.map(String);
	};
	if (memory.isServed) return write;
	return async (keys) => {
		const alone = await exclusively(execution, async () => await write(keys));
		return alone ? alone.result : await write(keys);
	};
}

/** Registers anew where what a check brought was truly missed: only here it is known what has begun before. */
async function renew(
	execution: IExecuteFunctions,
	memory: NodeMemory,
	missed: number,
): Promise<void> {
	const nowMs = Date.now();
	if (!isRenewalDue(memory, nowMs)) return;
	memory.renewedAtMs = nowMs;
	try {
		const key = renewalKey(nowMs);
		const first = await memory.recorder.record([key], writer(execution, memory));
		if (first.has(key)) await renewAfterMisses(execution, missed);
	} catch (thrown) {
		const reason = thrown instanceof Error ? thrown.message : String(thrown);
		execution.logger.warn(
			`${execution.getNode().name}: could not register for events anew: ${reason}`,
		);
	}
}

/**
 * How many entries the durable list keeps: at least those that a check would ask for if n8n were killed now
 * and came back with what it last saved.
 */
function entriesToKeep({ isServed, keptAtSave, begunSinceSave }: NodeMemory, more: number): number {
	if (!isServed) return WORKER_ENTRIES;
	if (keptAtSave === undefined) return MOST_ENTRIES;
	const wanted = keptAtSave + begunSinceSave + more;
	return Math.min(MOST_ENTRIES, Math.max(USUAL_ENTRIES, wanted));
}
