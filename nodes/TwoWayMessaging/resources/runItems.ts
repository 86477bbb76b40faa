import type { INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { findOperation } from './index';
import { isCancelled } from '../n8n/cancelledExecution';
import { readCollection, textValue } from '../parameterValues';
import { fillSkipped } from './message/skippedMessage';
import {
	ItemAtSecondOutput,
	toLinkedItem,
	type ListOperation,
	type Operation,
	type Output,
	type Run,
	type Turn,
	type Wait,
} from './run';

type NodeError = NodeApiError | NodeOperationError;

/** What an item has come to: what it does next, or the error that ended it. */
type Standing<Next> = { next: Next } | { error: NodeError };

/** A list that takes longer, and goes on for longer, is told in the log: somebody may be waiting for it. */
const LONG_MS = 60_000;

/** How many unusable items a refusal describes, and of how many it says the numbers. */
const MOST_DESCRIBED = 10;
const MOST_NUMBERED = 50;

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
	if (!mayContinue) refuseUnusable(run, turns);

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
	const failed = ended.find((one) => 'error' in one);
	if (failed && !mayContinue) throw withResults(run, failed.error);
	if (sends(run) && ended.length > 1) {
		caller.addExecutionHints({ message: results.summary(), location: 'outputPane' });
	}
	const outputs = toOutputs(ended, failedItemsOf(run));
	if (sends(run)) outputs.forEach(fillSkipped);
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

/** Gives the operation of an item. It is read once unless it comes from an expression, which the editor does not offer. */
function operationsOf(run: Run): (itemIndex: number) => Operation {
	const { resource, operation } = run.caller.getNode().parameters;
	const isFixed = [resource, operation].every((value) => !String(value).startsWith('='));
	let known: Operation | undefined;
	return (itemIndex) => {
		if (!isFixed) return operationOf(run, itemIndex);
		return (known ??= operationOf(run, itemIndex));
	};
}

function operationOf({ caller }: Run, itemIndex: number): Operation {
	const resource = caller.getNodeParameter('resource', itemIndex) as string;
	const name = caller.getNodeParameter('operation', itemIndex) as string;
	const operation = findOperation(resource, name);
	if (operation) return operation;
	throw new NodeOperationError(caller.getNode(), 'The operation does not exist', {
		description: 'Open the node and choose a Resource and an Operation from the lists.',
		itemIndex,
	});
}

/** The operation of a run as one for lists. Every item has the same: neither of its fields takes an expression. */
function listOperationOf(run: Run): ListOperation | undefined {
	if (run.caller.getInputData().length === 0) return undefined;
	const operation = operationOf(run, 0);
	return 'read' in operation ? operation : undefined;
}

/** Whether the run sends messages. */
const sends = (run: Run): boolean => listOperationOf(run)?.sends === true;

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

/** @throws NodeApiError or NodeOperationError that names every item that cannot be used, while nothing has been sent */
function refuseUnusable(run: Run, turns: Array<Standing<Turn>>): void {
	const unusable = turns.flatMap((turn, itemIndex) =>
		'error' in turn ? [{ itemIndex, error: turn.error }] : [],
	);
	const [first] = unusable;
	if (!first) return;
	const refuse = (error: NodeError) => {
		const refusal = withResults(run, error);
		if (sends(run) && unusable.length < turns.length) {
			refusal.description = `${refusal.description} To let the others go, open the node's Settings and set On Error to 'Continue'.`;
		}
		return refusal;
	};
	if (unusable.length === 1) throw refuse(first.error);
	const words = new Set(unusable.map(({ error }) => withoutNumber(error.message)));
	const described = unusable.slice(0, MOST_DESCRIBED).map(({ error }) => `${error.message}.`);
	if (unusable.length > MOST_DESCRIBED) described.push('…');
	const [said = ''] = words;
	const message =
		words.size === 1 ? said : `${unusable.length} of ${turns.length} items cannot be used`;
	const advice = first.error.description ?? '';
	const error = new NodeOperationError(run.caller.getNode(), `${message} ${numbersOf(unusable)}`, {
		description: words.size === 1 ? advice : `${described.join(' ')} ${advice}`,
		itemIndex: first.itemIndex,
	});
	throw refuse(error);
}

/** A message without the number of its item, which says nothing where there is only one. */
function withoutNumber(message: string): string {
	return message.replace(/ \[item \d+\]$/, '');
}

function numbersOf(unusable: Array<{ itemIndex: number }>): string {
	const numbers = unusable.slice(0, MOST_NUMBERED).map(({ itemIndex }) => itemIndex);
	const more = unusable.length - numbers.length;
	return `[items ${numbers.join(', ')}${more > 0 ? ` and ${more} more` : ''}]`;
}

/** The error of a run that sends messages, which then says how many were sent. */
function withResults(run: Run, error: NodeError): NodeError {
	if (sends(run) && run.caller.getInputData().length > 1) {
		error.description = `${asSentence(error.description)} ${sentSoFar(run)}`.trim();
	}
	return error;
}

/** The service's own words may end without a full stop. */
function asSentence(words: string | null | undefined): string {
	const trimmed = (words ?? '').trim();
	return trimmed === '' || /[.!?…]”?$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

function sentSoFar({ caller, results }: Run): string {
	const open = (['sent', 'unconfirmed', 'undeliverable'] as const).map((one) => results.count(one));
	if (open.every((count) => count === 0)) return 'Nothing was sent for any of the items.';
	const all = caller.getInputData().length;
	const soFar = `Of the ${all} items, when the node stopped: ${results.summary()}.`;
	return sendsOnlyOnce(caller)
		? `${soFar} Retry On Fail does not send a message again. A new execution sends only what was not sent before, as Only Once For is set.`
		: `${soFar} Retry On Fail does not send a message again; a new execution does.`;
}

/** Whether every item says what its message is for. All items have been read when the first message leaves. */
function sendsOnlyOnce(caller: Run['caller']): boolean {
	return caller.getInputData().every((_, itemIndex) => {
		const { onlyOnceFor } = readCollection(caller, 'options', itemIndex);
		return textValue(onlyOnceFor).trim() !== '';
	});
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
