import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { stopIfCancelled } from '../service/pause';
import type { Run } from '../service/run';
import { OPERATIONS } from './index';
import { countResults, errorOfRun, summaryOf, type NodeError } from './refusalOfItems';

const MINUTE_MS = 60_000;

/** What the items of messages that were to be sent begin with. */
const FIRST_COLUMNS = ['to', 'from', 'content', 'status', 'error_message'];

/**
 * Runs the operation of every item: first it reads all items, then each item acts in its turn, then all wait side by side.
 *
 * @returns the items of each output, in the order of their input items
 * @throws NodeApiError or NodeOperationError where an item fails and n8n's setting On Error is to stop
 */
export async function runItems(run: Run): Promise<INodeExecutionData[][]> {
	const { context, notes } = run;
	const inputs = context.getInputData();
	const { resource, operation: value } = context.getNode().parameters;
	const operation = OPERATIONS.get(`${String(resource)} ${String(value)}`);
	const sends = operation?.sends === true;
	/** What ended an item; it does no more. */
	const errors = new Map<number, NodeError>();
	/** Does something for one item, whose error is the item's own. */
	async function attempt<Next>(itemIndex: number, work?: () => Promise<Next>) {
		try {
			return await work?.();
		} catch (thrown) {
			errors.set(itemIndex, itemError(run, thrown, itemIndex));
			return undefined;
		}
	}
	const mayContinue = context.continueOnFail();

	const turns = [];
	for (const itemIndex of inputs.keys()) {
		const turn = await attempt(itemIndex, async () => {
			if (operation) return await operation.read(run, itemIndex);
			throw new NodeOperationError(context.getNode(), 'The operation does not exist', {
				description: 'Open the node and choose a Resource and an Operation from the lists.',
			});
		});
		turns.push(turn);
	}
	if (errors.size > 0 && !mayContinue) throw await errorOfRun(run, operation, errors);

	const waits = [];
	for (const [itemIndex, turn] of turns.entries()) {
		waits.push(await attempt(itemIndex, turn));
		if (errors.size > 0 && !mayContinue) throw await errorOfRun(run, operation, errors);
	}

	const ended = await Promise.all(
		waits.map(async (wait, itemIndex) => await attempt(itemIndex, wait)),
	);
	if (errors.size > 0 && !mayContinue) throw await errorOfRun(run, operation, errors);
	const minutes = Math.round(run.waited.ms / MINUTE_MS);
	// Messages go one after the other.
	if (sends && minutes > 0) {
		notes.add(
			`The service lets only so many requests in per minute, so the node waited ${minutes} min in all.`,
		);
	}
	const isListSent = sends && inputs.length > 1;
	const reasons = new Set([...errors.values()].map(({ message }) => message));
	const why = errors.size === inputs.length && reasons.size === 1 ? `: ${[...reasons].join()}` : '';
	const summary = isListSent ? [summaryOf(await countResults(run, errors)) + why] : [];
	for (const message of [...summary, ...notes]) {
		context.addExecutionHints({ message, location: 'outputPane' });
	}
	const items: INodeExecutionData[][] = [[]];
	const all = await Promise.all(
		ended.map(async (outputs, itemIndex) => outputs ?? [{ json: await failedItem(itemIndex) }]),
	);
	// A table's columns are those of its first row, so the rows begin alike: what one says, the others have, too.
	const said = FIRST_COLUMNS.filter((name) => all.flat().some(({ json }) => json[name]));
	const beginning = Object.fromEntries(said.map((name) => [name, '']));
	for (const [itemIndex, outputs] of all.entries()) {
		for (const { at = 0, json, ...item } of outputs) {
			while (items.length <= at) items.push([]);
			const row = sends && !json.error ? { ...beginning, ...json } : json;
			items[at]?.push({ ...item, json: row, pairedItem: { item: itemIndex } });
		}
	}
	return items;

	async function failedItem(itemIndex: number): Promise<IDataObject> {
		const { message } = errors.get(itemIndex)!;
		// n8n knows those that failed for its error output by having no other field, and gives them their fields there.
		if (context.getNode().onError === 'continueErrorOutput') return { error: message };
		return { ...(await operation?.fieldsOfFailed?.(run, itemIndex)), error_message: message };
	}
}

/** @throws NodeOperationError only when the execution is cancelled */
function itemError({ context }: Run, thrown: unknown, itemIndex: number): NodeError {
	stopIfCancelled(context);
	const isOurs = thrown instanceof NodeApiError || thrown instanceof NodeOperationError;
	const error = isOurs
		? thrown
		: new NodeOperationError(context.getNode(), thrown as Error, { itemIndex });
	// n8n's own have the number of their item behind the message.
	error.message = error.message.replace(/ \[item \d+\]$/, '');
	return error;
}
