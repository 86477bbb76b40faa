import type { INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { MESSAGE_FIELDS } from '../message';
import { isCancelled } from '../n8n/cancelledExecution';
import type { Run } from '../service/run';
import { OPERATIONS } from './index';
import { ItemAtOutput, toLinkedItem, type Operation, type Output, type Turn } from './operation';
import { refusalOf, summaryOf, withoutNumber, withResults, type NodeError } from './refusalOfItems';
import { SKIPPED } from './sending/sendMessage';

/** A list that takes longer, and goes on for longer, is told in the log: somebody may be waiting for it. */
const LONG_MS = 60_000;

/**
 * Runs the operation of every item: first it reads all items, then each item acts in its turn, then all wait side by side.
 *
 * @returns the items of each output, in the order of their input items
 * @throws NodeApiError or NodeOperationError where an item fails and n8n's setting On Error is to stop
 */
export async function runItems(run: Run): Promise<INodeExecutionData[][]> {
	const { context } = run;
	const inputs = context.getInputData();
	const { resource, operation: value } = context.getNode().parameters;
	const operation = OPERATIONS.get(`${String(resource)} ${String(value)}`);
	run.sends = operation !== undefined && 'read' in operation && operation.sends;
	const mayContinue = context.continueOnFail();
	/** What ended an item; it does no more. */
	const errors = new Map<number, NodeError>();
	/** Does something for one item, whose error is the item's own. */
	async function attempt<Next>(itemIndex: number, work?: () => Promise<Next>) {
		if (!work) return undefined;
		try {
			return await work();
		} catch (thrown) {
			errors.set(itemIndex, itemError(run, thrown, itemIndex));
			return undefined;
		}
	}

	const turns: Array<Turn | undefined> = [];
	for (const itemIndex of inputs.keys()) {
		turns.push(await attempt(itemIndex, async () => await read(run, operation, itemIndex)));
	}
	if (errors.size > 0 && !mayContinue) throw refusalOf(run, errors);

	const sinceMs = run.clock.nowMs();
	let isTold = false;
	const waits: Array<Awaited<ReturnType<Turn>> | undefined> = [];
	for (const [itemIndex, turn] of turns.entries()) {
		waits.push(await attempt(itemIndex, turn));
		const error = errors.get(itemIndex);
		if (error && !mayContinue) throw withResults(run, error);
		isTold ||= tellIfLong(run, sinceMs, waits.length);
	}

	const ended = await Promise.all(
		waits.map(async (wait, itemIndex) => await attempt(itemIndex, wait)),
	);
	const [failed] = [...errors.keys()].sort((one, other) => one - other);
	if (failed !== undefined && !mayContinue) throw withResults(run, errors.get(failed)!);
	if (run.sends && inputs.length > 1) {
		context.addExecutionHints({ message: summaryOf(run), location: 'outputPane' });
	}
	const keepsFields =
		operation && 'read' in operation && operation.keepsFieldsOfFailed
			? context.getNode().onError !== 'continueErrorOutput'
			: false;
	// n8n knows those that failed for its error output by having no other field than `error`, and gives them their fields there.
	const outputs = ended.map((output, itemIndex) => {
		const fields = keepsFields ? inputs[itemIndex]?.json : {};
		return output ?? [{ ...fields, error: errors.get(itemIndex)?.message }];
	});
	return toItems(outputs, run.sends);
}

/** What the item does in its turn; the operation may do all of it there. */
async function read(run: Run, operation: Operation | undefined, itemIndex: number): Promise<Turn> {
	if (!operation) {
		throw new NodeOperationError(run.context.getNode(), 'The operation does not exist', {
			description: 'Open the node and choose a Resource and an Operation from the lists.',
			itemIndex,
		});
	}
	if ('read' in operation) return await operation.read(run, itemIndex);
	return async () => {
		const outputs = await operation.run(run, itemIndex);
		return async () => outputs;
	};
}

/** @throws NodeOperationError only when the execution is cancelled */
function itemError({ context, results }: Run, thrown: unknown, itemIndex: number): NodeError {
	const isOurs = thrown instanceof NodeApiError || thrown instanceof NodeOperationError;
	const error = isOurs
		? thrown
		: new NodeOperationError(context.getNode(), thrown as Error, { itemIndex });
	if (isCancelled(context)) throw error;
	const number = context.getInputData().length === 1 ? '' : ` [item ${itemIndex}]`;
	error.message = withoutNumber(error.message) + number;
	// Unless it is known better what became of its message.
	if ((results.get(itemIndex) ?? 'sent') === 'sent') results.set(itemIndex, 'refused');
	return error;
}

/** Says in n8n's log how long a list will take, when it has taken longer than most do. */
function tellIfLong({ context, clock }: Run, sinceMs: number, done: number): boolean {
	const all = context.getInputData().length;
	const tookMs = clock.nowMs() - sinceMs;
	const leftMs = (tookMs / done) * (all - done);
	if (tookMs < LONG_MS || leftMs < LONG_MS) return false;
	context.logger.info(
		`${context.getNode().name}: the limits of the service make the list take about ${Math.round(leftMs / 60_000)} more minutes; ${done} of ${all} items are done`,
	);
	return true;
}

/** The items of the outputs, as far as there are some. */
function toItems(outputs: Output[][], sends: boolean): INodeExecutionData[][] {
	const first: INodeExecutionData[] = [];
	const items = [first];
	for (const [itemIndex, ofItem] of outputs.entries()) {
		for (const output of ofItem) {
			const at = output instanceof ItemAtOutput ? output.output : 0;
			while (items.length <= at) items.push([]);
			items[at]?.push(toLinkedItem(output, itemIndex));
		}
	}
	if (sends) fillSkipped(first);
	return items;
}

/**
 * Gives skipped messages of a list the fields of those that were sent, with null for what they do not have. In the
 * editor's table the others' columns would otherwise say *undefined*.
 */
function fillSkipped(items: INodeExecutionData[]): void {
	const skipped = items.filter(({ json }) => json.status === SKIPPED);
	if (skipped.length === 0) return;
	const shown = MESSAGE_FIELDS.filter((name) => items.some(({ json }) => name in json));
	for (const item of skipped) {
		const { json } = item;
		item.json = Object.fromEntries(shown.map((name) => [name, json[name] ?? null]));
	}
}
