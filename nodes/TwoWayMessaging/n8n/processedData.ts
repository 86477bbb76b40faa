import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';
import type { Clock } from '../clock';
import type { Memory } from '../processMemory';
import { Queue, Rounds } from '../queue';
import { reasonOf } from '../reasonOf';

/**
 * Beside the row for each node, n8n keeps one row of processed data for the whole workflow. Whoever inserts it holds
 * the lock: the table's primary key lets only one process do so, and nothing else that a node can reach is atomic
 * across processes. Should n8n write the row in another way, no lock is to be had, and two processes may do at once what
 * one should: begin an event, or send a message that is sent only once.
 *
 * A holder marks its row with a number of its own: as the row's mode, so that n8n refuses to write into the row for
 * any other holder or node, and as the number of entries, the only thing that n8n tells a node about a row.
 */
const SCOPE = 'workflow';

/** n8n's mode of a list of names. */
const ENTRIES = { mode: 'entries' } as const;

/** The marks of holders. Two one after the other seldom have the same, and a row stays small. */
const MOST_MARK = 64;

/** The node of n8n's own that uses the workflow's row, if it is told to. */
const OTHER_USER = 'n8n-nodes-base.removeDuplicates';

/** The least pause between two tries, and what chance adds at most, so that processes do not try in step. */
const PAUSE_MS = 4;
const MORE_PAUSE_MS = 36;

/** After how many tries a process that waits looks who holds the lock. */
const TRIES_A_LOOK = 20;

/** A lock is kept for milliseconds. A holder that keeps it longer than this does not remove it: it may be another's. */
const RELEASED_WITHIN_MS = 5_000;

/** In place of the time by which a lock is released, where there is none. */
const NO_LOCK = 0;

/** When a holder must have ended, and up to half as long again: only then another process removes its row. */
const ABANDONED_AFTER_MS = 15_000;

/**
 * Lets the calls that use n8n's table of processed data in a workflow take turns, in this process and in all processes of
 * n8n. n8n reads a list, changes it and writes it back: of two writers at once, one would be undone.
 */
export class TableTurns {
	private readonly queue = new Queue();

	/** The workflows whose row another node uses, so that it cannot be a lock. */
	private readonly withoutLock = new Set<string>();

	constructor(private readonly clock: Clock) {}

	/** @throws what `work` throws, and what n8n's table does where it cannot be read */
	async take<Result>(execution: IExecuteFunctions, work: () => Promise<Result>): Promise<Result> {
		const { clock, withoutLock } = this;
		const workflowId = String(execution.getWorkflow().id);
		return await this.queue.inTurn(workflowId, async () => {
			const mayLock = !withoutLock.has(workflowId) && !isRowUsed(execution);
			const releaseByMs = mayLock ? await acquireLock(execution, clock) : NO_LOCK;
			if (releaseByMs === NO_LOCK) withoutLock.add(workflowId);
			try {
				return await work();
			} finally {
				if (clock.nowMs() < releaseByMs) await removeRow(execution);
			}
		});
	}
}

/** @returns until when the holder may remove its row (Unix time in ms); `NO_LOCK` when the row is another node's, or cannot be written */
async function acquireLock(execution: IExecuteFunctions, clock: Clock): Promise<number> {
	const mark = 1 + Math.floor(Math.random() * MOST_MARK);
	const abandonedAfterMs = ABANDONED_AFTER_MS * (1 + Math.random() / 2);
	// The wait starts over with each new holder: a long wait alone says nothing.
	let holder: { mark: number; sinceMs: number } | undefined;
	for (let tries = 1; ; tries += 1) {
		const releaseByMs = clock.nowMs() + RELEASED_WITHIN_MS;
		if ((await writeRow(execution, mark)) > 0) return releaseByMs;
		if (tries % TRIES_A_LOOK === 0) {
			const seen = await readMark(execution);
			if (seen !== holder?.mark) holder = { mark: seen, sinceMs: clock.nowMs() };
			if (clock.nowMs() - holder.sinceMs >= abandonedAfterMs) {
				if ((await writeRow(execution, seen)) !== REFUSED) await removeRow(execution);
				else if ((await readMark(execution)) === seen) return NO_LOCK;
				holder = undefined;
			}
		}
		await clock.sleep(PAUSE_MS + Math.random() * MORE_PAUSE_MS);
	}
}

/** Whether a node behind this one remembers items for the whole workflow, in the same row. */
function isRowUsed(execution: IExecuteFunctions): boolean {
	const { name } = execution.getNode();
	return execution
		.getChildNodes(name, { includeNodeParameters: true })
		.some(
			({ type, parameters }) =>
				type === OTHER_USER && JSON.stringify(parameters ?? {}).includes('"scope":"workflow"'),
		);
}

const optionsOf = (mark: number): ICheckProcessedOptions => ({
	mode: `two-way-messaging lock ${mark}` as string as ICheckProcessedOptions['mode'],
});

const entriesOf = (mark: number): string[] => Array.from({ length: mark }, (_, at) => `lock ${at}`);

/** In place of a count: the row is another's. */
const REFUSED = -1;

/**
 * Inserts the row of a holder, if there is none.
 *
 * @returns how many of its entries are new: none where the row is there already. `REFUSED` where it is that of another
 * holder or node, which stays as it is, or was inserted at the same moment
 */
async function writeRow(execution: IExecuteFunctions, mark: number): Promise<number> {
	try {
		const { checkProcessedAndRecord } = execution.helpers;
		const answer = await checkProcessedAndRecord(entriesOf(mark), SCOPE, optionsOf(mark));
		return answer.new.length;
	} catch {
		return REFUSED;
	}
}

/**
 * The mark of the present holder; 0 when there is no row.
 *
 * @throws what n8n's table throws, where it cannot be read
 */
const readMark = async ({ helpers }: IExecuteFunctions): Promise<number> =>
	await helpers.getProcessedDataCount(SCOPE, ENTRIES);

async function removeRow(execution: IExecuteFunctions): Promise<void> {
	try {
		await execution.helpers.clearAllProcessedItems(SCOPE, optionsOf(0));
	} catch (thrown) {
		// The next process that waits for the lock finds it abandoned.
		execution.logger.warn(
			`${execution.getNode().name} could not release its lock in n8n's database: ${reasonOf(thrown)}`,
		);
	}
}

/**
 * Adds names to the list that n8n keeps for the node in its table of processed data, the newest `maxEntries` of them. The
 * caller has to let one write at a time. Should n8n lose the function, events begin all the same, and may begin again
 * after a restart; a message that is sent only once is then not sent at all.
 *
 * @returns the names that were not in the list
 */
export async function addProcessedNames(
	execution: IExecuteFunctions,
	names: string[],
	maxEntries: number,
): Promise<string[]> {
	const options = { ...ENTRIES, maxEntries };
	const result = await execution.helpers.checkProcessedAndRecord(names, 'node', options);
	return result.new.map(String);
}

/** Names that the trigger keeps in its list, about 27 bytes each: those of all events that may come again. */
const MOST_NAMES = 10_000;

/** The names that are about to be recorded. Those that come while one group is written form the next. */
class Recording extends Rounds<Set<string>> {
	readonly names = new Set<string>();
}

/**
 * Records in the node's list that events begin. A write reads and writes the whole list, so one is made for all names that came
 * meanwhile. Where the node does not listen in this process, as in a worker of n8n's queue mode, other processes write, too.
 *
 * @returns those of the names that were not in the list; each is given to one caller only
 * @throws what n8n's table throws
 */
export async function recordNames(
	{ context, memory, processMemory }: Recorder,
	names: string[],
): Promise<Set<string>> {
	const recording = memory.part(Recording);
	for (const name of names) recording.names.add(name);
	// Any of those who wait may write: the list belongs to the node, not to the execution.
	const fresh = await recording.join(async () => {
		const group = [...recording.names];
		recording.names.clear();
		const added = memory.data
			? await addProcessedNames(context, group, MOST_NAMES)
			: await processMemory
					.part(TableTurns)
					.take(context, async () => await addProcessedNames(context, group, MOST_NAMES));
		return new Set(added);
	});
	const first = new Set<string>();
	for (const name of names) if (fresh.delete(name)) first.add(name);
	return first;
}

/** A call of the trigger: `data` is there where the node listens in this process. */
type Recorder = {
	context: IExecuteFunctions;
	memory: Memory & { data?: unknown };
	processMemory: Memory;
};

/** Removes names from the same list; here, too, one write at a time. */
export async function removeProcessedNames(
	execution: IExecuteFunctions,
	names: string[],
): Promise<void> {
	await execution.helpers.removeProcessed(names, 'node', ENTRIES);
}
