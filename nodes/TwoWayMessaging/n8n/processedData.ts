import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';
import type { Clock } from '../clock';
import { Queue } from '../queue';
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

/** The marks of holders. Two holders one after the other seldom have the same, and a row stays small. */
const MOST_MARK = 64;

/** The node of n8n's own that uses the workflow's row, if it is told to. */
const OTHER_USER = 'n8n-nodes-base.removeDuplicates';

/** Pauses between two tries. They are drawn at random, so that processes do not try in step. */
const LEAST_PAUSE_MS = 4;
const MOST_PAUSE_MS = 40;

/** After how many tries a process that waits looks who holds the lock. */
const TRIES_A_LOOK = 20;

/** A lock is kept for milliseconds. A holder that keeps it longer than this does not remove it: it may be another's. */
const RELEASED_WITHIN_MS = 5_000;

/** A row that stays as it is for longer may be another node's. */
const UNUSUAL_AFTER_MS = 1_000;

/** How often n8n refuses to write into a row before the row counts as another node's. */
const MOST_REFUSALS = 3;

/** When a holder must have ended, and up to half as long again: only then another process removes its row. */
const ABANDONED_AFTER_MS = 15_000;

/**
 * Lets the calls that use n8n's table of processed data in a workflow take turns, in this process and in all processes of
 * n8n. n8n reads a list, changes it and writes it back: of two writers at once, one would be undone.
 *
 * ```ts
 * const added = await memory.part(TableTurns).take(execution, async () => await addProcessedNames(execution, names, 100));
 * ```
 */
export class TableTurns {
	private readonly queue = new Queue();

	/** The workflows whose row another node uses, so that it cannot be a lock. */
	private readonly withoutLock = new Set<string>();

	constructor(private readonly clock: Clock) {}

	/** @throws what `work` throws */
	async take<Result>(execution: IExecuteFunctions, work: () => Promise<Result>): Promise<Result> {
		const workflowId = execution.getWorkflow().id ?? '';
		return await this.queue.inTurn(workflowId, async () => {
			const mayLock = !this.withoutLock.has(workflowId);
			const done = mayLock ? await withRowLock(execution, this.clock, work) : undefined;
			if (done) return done.result;
			this.withoutLock.add(workflowId);
			return await work();
		});
	}
}

/**
 * Runs one piece of work at a time across all processes of n8n.
 *
 * @returns what `work` gives; undefined, without running `work`, where this workflow can have no lock
 * @throws what `work` throws
 */
export async function withRowLock<Result>(
	execution: IExecuteFunctions,
	clock: Clock,
	work: () => Promise<Result>,
): Promise<{ result: Result } | undefined> {
	if (isRowUsed(execution)) return undefined;
	const lockedAtMs = await new RowLock(execution, clock).acquire();
	if (lockedAtMs === undefined) return undefined;
	try {
		return { result: await work() };
	} finally {
		if (clock.nowMs() - lockedAtMs < RELEASED_WITHIN_MS) await removeRow(execution);
	}
}

/** One process's way to the lock. */
class RowLock {
	private readonly mark = 1 + Math.floor(Math.random() * MOST_MARK);

	private readonly abandonedAfterMs = ABANDONED_AFTER_MS * (1 + Math.random() / 2);

	/** Who was seen to hold the lock, since when, and whether the row is a lock at all. */
	private holder?: { mark: number; sinceMs: number; isLock: boolean; refusals: number };

	constructor(
		private readonly execution: IExecuteFunctions,
		private readonly clock: Clock,
	) {}

	/** @returns when the lock was asked for that is held now; undefined when the row is another node's */
	async acquire(): Promise<number | undefined> {
		for (let tries = 1; ; tries += 1) {
			const askedAtMs = this.clock.nowMs();
			if (await writesRow(this.execution, this.mark)) return askedAtMs;
			if (tries % TRIES_A_LOOK === 0 && !(await this.look())) return undefined;
			await this.clock.sleep(LEAST_PAUSE_MS + Math.random() * (MOST_PAUSE_MS - LEAST_PAUSE_MS));
		}
	}

	/**
	 * Looks who holds the lock, and removes the row of a holder that must have ended. The wait starts over with each
	 * new holder: a long wait alone says nothing.
	 *
	 * @returns false when the row is another node's, or cannot be inserted for any other reason
	 */
	private async look(): Promise<boolean> {
		const mark = await readMark(this.execution);
		const nowMs = this.clock.nowMs();
		if (mark !== this.holder?.mark) {
			this.holder = { mark, sinceMs: nowMs, isLock: false, refusals: 0 };
			return true;
		}
		const { holder } = this;
		// No row, and none can be inserted: the table cannot be written at all, and who waits for the lock would never end.
		if (mark === 0) return nowMs - holder.sinceMs < this.abandonedAfterMs;
		if (nowMs - holder.sinceMs < UNUSUAL_AFTER_MS) return true;
		if (!holder.isLock) {
			holder.isLock = await isMarked(this.execution, mark);
			if (!holder.isLock) holder.refusals += 1;
			// One refusal may be because the row was inserted at the same moment.
			return holder.refusals < MOST_REFUSALS;
		}
		if (nowMs - holder.sinceMs < this.abandonedAfterMs) return true;
		this.holder = undefined;
		await removeRow(this.execution);
		return true;
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

/** Inserts the row, if there is none. */
async function writesRow(execution: IExecuteFunctions, mark: number): Promise<boolean> {
	try {
		const { checkProcessedAndRecord } = execution.helpers;
		const answer = await checkProcessedAndRecord(entriesOf(mark), SCOPE, optionsOf(mark));
		return answer.new.length > 0;
	} catch {
		// Another holder's row is there, or was inserted at the same moment.
		return false;
	}
}

/** The mark of the present holder; 0 when there is no row. */
async function readMark(execution: IExecuteFunctions): Promise<number> {
	try {
		return await execution.helpers.getProcessedDataCount(SCOPE, { mode: 'entries' });
	} catch {
		return 0;
	}
}

/** Whether the row is a lock with this mark. n8n refuses to write into a row of another node, which stays as it is. */
async function isMarked(execution: IExecuteFunctions, mark: number): Promise<boolean> {
	if (mark > MOST_MARK) return false;
	try {
		const { checkProcessedAndRecord } = execution.helpers;
		const answer = await checkProcessedAndRecord(entriesOf(mark), SCOPE, optionsOf(mark));
		// The holder has removed its row in the meantime, and this has inserted another.
		if (answer.new.length > 0) await removeRow(execution);
		return true;
	} catch {
		return false;
	}
}

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
 * Adds names to the list that n8n keeps for the node in its table of processed data, the newest `maxEntries` of them.
 * n8n reads the node's row, changes it and writes it back without a lock, so that of two at once one is lost: the
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
	const options = { mode: 'entries', maxEntries } as const;
	const result = await execution.helpers.checkProcessedAndRecord(names, 'node', options);
	return result.new.map(String);
}

/** Removes names from the same list; here, too, one write at a time. */
export async function removeProcessedNames(
	execution: IExecuteFunctions,
	names: string[],
): Promise<void> {
	await execution.helpers.removeProcessed(names, 'node', { mode: 'entries' });
}
