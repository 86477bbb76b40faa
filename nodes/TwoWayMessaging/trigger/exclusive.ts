import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

/**
 * n8n keeps one row of processed data for the workflow beside the one for each node. Whoever inserts it holds the
 * lock: the table's primary key lets one process do so. Its mode is this package's own, so that n8n refuses to mix
 * it up with a row that another node keeps, before anything is changed.
 */
const LOCK = 'lock';
const SCOPE = 'workflow';
const OPTIONS: ICheckProcessedOptions = {
	mode: 'two-way-messaging lock' as string as ICheckProcessedOptions['mode'],
};

/** The node of n8n's own that keeps the workflow's row for itself, if it is told to. */
const OTHER_KEEPER = 'n8n-nodes-base.removeDuplicates';

/** Pauses between tries, drawn at random, so that processes do not try in step. */
const LEAST_PAUSE_MS = 4;
const MOST_PAUSE_MS = 40;

/** A lock is held for milliseconds: after so long, and up to half as long again, its holder is gone. */
const GONE_AFTER_MS = 10_000;

/** Inserts that may be refused in a row: of two at once, one is; of so many, the row is not to be had at all. */
const MOST_REFUSALS = 10;

/**
 * Runs one thing at a time across all processes of n8n.
 *
 * @returns what `work` gives; undefined, and `work` has not run, when no lock is to be had in this workflow
 * @throws what `work` throws
 */
export async function exclusively<Result>(
	execution: IExecuteFunctions,
	work: () => Promise<Result>,
): Promise<{ result: Result } | undefined> {
	if (isKeptByOthers(execution) || !(await acquire(execution))) return undefined;
	const sinceMs = Date.now();
	try {
		return { result: await work() };
	} finally {
		// Held for so long, it has been taken for granted that this process is gone, and may be another's.
		if (Date.now() - sinceMs < GONE_AFTER_MS) await release(execution);
	}
}

/** Whether a node after this one remembers items for the whole workflow, in the same row. */
function isKeptByOthers(execution: IExecuteFunctions): boolean {
	const { name } = execution.getNode();
	return execution
		.getChildNodes(name, { includeNodeParameters: true })
		.some(
			({ type, parameters }) =>
				type === OTHER_KEEPER && JSON.stringify(parameters ?? {}).includes('"scope":"workflow"'),
		);
}

async function acquire(execution: IExecuteFunctions): Promise<boolean> {
	const goneAfterMs = GONE_AFTER_MS * (1 + Math.random() / 2);
	let sinceMs = Date.now();
	let refusals = 0;
	for (;;) {
		try {
			const said = await execution.helpers.checkProcessedAndRecord([LOCK], SCOPE, OPTIONS);
			if (said.new.length > 0) return true;
			refusals = 0;
		} catch {
			refusals += 1;
			if (refusals >= MOST_REFUSALS) return false;
		}
		if (Date.now() - sinceMs > goneAfterMs) {
			await release(execution);
			sinceMs = Date.now();
		}
		await sleep(LEAST_PAUSE_MS + Math.random() * (MOST_PAUSE_MS - LEAST_PAUSE_MS));
	}
}

async function release(execution: IExecuteFunctions): Promise<void> {
	try {
		await execution.helpers.clearAllProcessedItems(SCOPE, OPTIONS);
	} catch (thrown) {
		// The next one who waits for it finds out that nobody holds it any more.
		const reason = thrown instanceof Error ? thrown.message : String(thrown);
		execution.logger.warn(`${execution.getNode().name} could not unlock its list: ${reason}`);
	}
}
