import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';
import type { Clock } from '../clock';
import { reasonOf } from '../reasonOf';

/**
 * Beside the row for each node, n8n keeps one row of processed data for the whole workflow. Whoever inserts it holds
 * the lock: the table's primary key lets only one process do so. Nothing else that a node can reach is atomic across
 * processes. The row's mode is this package's own, and n8n refuses to use a row of another mode before it changes
 * anything, so that a row of another node stays as it is. Should n8n write the row in another way, no lock is to be
 * had, and an event may begin in two processes.
 */
const LOCK = 'lock';
const SCOPE = 'workflow';
const OPTIONS: ICheckProcessedOptions = {
	mode: 'two-way-messaging lock' as string as ICheckProcessedOptions['mode'],
};

/** The node of n8n's own that uses the workflow's row, if it is told to. */
const OTHER_USER = 'n8n-nodes-base.removeDuplicates';

/** Pauses between two tries. They are drawn at random, so that processes do not try in step. */
const LEAST_PAUSE_MS = 4;
const MOST_PAUSE_MS = 40;

/** A lock is kept for milliseconds. After this time, and up to half as long again, its holder must have ended. */
const ABANDONED_AFTER_MS = 10_000;

/** Inserts that may be refused one after the other. Of two at once, one is; of so many, the row cannot be used. */
const MOST_REFUSALS = 10;

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
	if (isRowUsed(execution) || !(await lock(execution, clock))) return undefined;
	const lockedAtMs = clock.nowMs();
	try {
		return { result: await work() };
	} finally {
		// After that time another process takes the lock for abandoned, and it may hold it by now.
		if (clock.nowMs() - lockedAtMs < ABANDONED_AFTER_MS) await unlock(execution);
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

async function lock(execution: IExecuteFunctions, clock: Clock): Promise<boolean> {
	const abandonedAfterMs = ABANDONED_AFTER_MS * (1 + Math.random() / 2);
	let waitsSinceMs = clock.nowMs();
	let refusals = 0;
	for (;;) {
		try {
			const answer = await execution.helpers.checkProcessedAndRecord([LOCK], SCOPE, OPTIONS);
			if (answer.new.length > 0) return true;
			refusals = 0;
		} catch {
			refusals += 1;
			if (refusals >= MOST_REFUSALS) return false;
		}
		if (clock.nowMs() - waitsSinceMs > abandonedAfterMs) {
			await unlock(execution);
			waitsSinceMs = clock.nowMs();
		}
		await clock.sleep(LEAST_PAUSE_MS + Math.random() * (MOST_PAUSE_MS - LEAST_PAUSE_MS));
	}
}

async function unlock(execution: IExecuteFunctions): Promise<void> {
	try {
		await execution.helpers.clearAllProcessedItems(SCOPE, OPTIONS);
	} catch (thrown) {
		// The next process that waits for the lock finds it abandoned.
		execution.logger.warn(
			`${execution.getNode().name} could not unlock its list of begun events: ${reasonOf(thrown)}`,
		);
	}
}
