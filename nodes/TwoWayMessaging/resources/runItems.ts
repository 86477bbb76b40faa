import type { INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { isCancelled } from '../n8n/cancelledExecution';
import { listOperationOf, operationsOf, sendsMessages } from './chosenOperation';
import { fillSkipped } from './message/skippedMessage';
import { refuseUnusable, withoutNumber, withResults, type NodeError } from './refusalOfItems';
import {
	ItemAtSecondOutput,
	toLinkedItem,
	type Operation,
	type Output,
	type Run,
	type Turn,
	type Wait,
} from './run';

/** What an item has come to: what it does next, or the error that ended it. */
type Standing<Next> = { next: Next } | { error: NodeError };

const errorOf = (standing: Standing<unknown>) => ('error' in standing ? standing.error : undefined);

/** A list that takes longer, and goes on for longer, is told in the log: somebody may be waiting for it. */
const LONG_MS = 60_000;

/**
 * Runs the operation of every item: first it reads all items, then each item acts in its turn, then all wait side by side.
 *
 * @returns the items of each output, in the order of their input items
 * @throws NodeApiError or NodeOperationError where an item fails and n8n's setting On Error is to stop
 */
export async function runItems(run: Run): Promise<INodeExecutionData[][]> {
	const { caller, results } = run;
	const mayContinue = caller.continueOnFail();
	const itemIndexes = caller.getInputData().map((_, itemIndex) => itemIndex);

	const operationOfItem = operationsOf(run);
	const turns: Array<Standing<Turn>> = [];
	for (const itemIndex of itemIndexes) {
		const read = async () => await readItem(run, operationOfItem(itemIndex), itemIndex);
		turns.push(await attempt(run, itemIndex, read));
	}
	if (!mayContinue) refuseUnusable(run, turns.map(errorOf));

	const waits: Array<Standing<Wait>> = [];
	const tellIfLong = tellOnceIfLong(run);
	for (const [itemIndex, turn] of turns.entries()) {
		const wait = await goOn(run, itemIndex, turn);
		if ('error' in wait && !mayContinue) throw withResults(run, wait.error);
		waits.push(wait);
		tellIfLong(waits.length);
	}

	const ended = await Promise.all(
		waits.map(async (wait, itemIndex) => await goOn(run, itemIndex, wait)),
	);
	const failure = ended.map(errorOf).find((error) => error);
	if (failure && !mayContinue) throw withResults(run, failure);
	if (sendsMessages(run) && ended.length > 1) {
		caller.addExecutionHints({ message: results.summary(), location: 'outputPane' });
	}
	const outputs = toOutputs(ended, failedItemsOf(run));
	if (sendsMessages(run)) outputs.forEach(fillSkipped);
	return outputs;
}

/** Says in n8n's log how long a list will take, once, when it has taken longer than most do. */
function tellOnceIfLong({ caller, clock }: Run): (done: number) => void {
	const all = caller.getInputData().length;
	const sinceMs = clock.nowMs();
	let isTold = false;
	return (done) => {
		const tookMs = clock.nowMs() - sinceMs;
		const leftMs = (tookMs / done) * (all - done);
		if (isTold || tookMs < LONG_MS || leftMs < LONG_MS) return;
		isTold = true;
		const minutes = Math.round(leftMs / 60_000);
		caller.logger.info(
			`${caller.getNode().name}: the limits of the service make the list take about ${minutes} more minutes; ${done} of ${all} items are done`,
		);
	};
}

/** What the item does in its turn; the operation may do all of it there. */
async function readItem(run: Run, operation: Operation, itemIndex: number): Promise<Turn> {
	if ('read' in operation) return await operation.read(run, itemIndex);
	return async () => {
		const outputs = await operation.run(run, itemIndex);
		return async () => outputs;
	};
}

/** Does the next thing about an item that has not failed. */
async function goOn<Next>(
	run: Run,
	itemIndex: number,
	standing: Standing<() => Promise<Next>>,
): Promise<Standing<Next>> {
	return 'error' in standing ? standing : await attempt(run, itemIndex, standing.next);
}

/**
 * Does something for one item, whose error is the item's own.
 *
 * @throws NodeOperationError only when the execution is cancelled
 */
async function attempt<Next>(
	{ caller, results }: Run,
	itemIndex: number,
	work: () => Promise<Next>,
): Promise<Standing<Next>> {
	try {
		return { next: await work() };
	} catch (thrown) {
		const isOurs = thrown instanceof NodeApiError || thrown instanceof NodeOperationError;
		const error = isOurs
			? thrown
			: new NodeOperationError(caller.getNode(), thrown as Error, { itemIndex });
		if (isCancelled(caller)) throw error;
		if (caller.getInputData().length === 1) error.message = withoutNumber(error.message);
		results.markFailed(itemIndex);
		return { error };
	}
}

/**
 * Makes the items that failed. n8n knows them for its error output by having no other field than `error`, and gives them
 * the fields of their input items there.
 */
function failedItemsOf(run: Run): (error: NodeError, itemIndex: number) => INodeExecutionData {
	const { caller } = run;
	const inputs = caller.getInputData();
	const keepsFields =
		caller.getNode().onError !== 'continueErrorOutput' &&
		listOperationOf(run)?.keepsFieldsOfFailed === true;
	return ({ message }, itemIndex) => ({
		json: { ...(keepsFields && inputs[itemIndex]?.json), error: message },
		pairedItem: { item: itemIndex },
	});
}

/** The items of the first output and, where there are some, of the second. */
function toOutputs(
	ended: Array<Standing<Output[]>>,
	toFailedItem: (error: NodeError, itemIndex: number) => INodeExecutionData,
): INodeExecutionData[][] {
	const [first, second]: [INodeExecutionData[], INodeExecutionData[]] = [[], []];
	for (const [itemIndex, one] of ended.entries()) {
		if ('error' in one) {
			first.push(toFailedItem(one.error, itemIndex));
			continue;
		}
		for (const output of one.next) {
			const items = output instanceof ItemAtSecondOutput ? second : first;
			items.push(toLinkedItem(output, itemIndex));
		}
	}
	return second.length > 0 ? [first, second] : [first];
}
