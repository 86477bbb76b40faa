import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { ProcessMemory } from '../processMemory';
import { stopIfCancelled } from '../service/pause';
import { startRun, type Item } from '../service/request';
import { OPERATIONS } from './index';
import type { Output, Turn } from './operation';
import { countResults, errorOfRun, summaryOf, type Errors, type NodeError } from './refusalOfItems';

const MINUTE_MS = 60_000;

/** What the items of messages that were to be sent begin with. */
const FIRST_COLUMNS = ['to', 'from', 'content', 'status', 'error_message'];

/**
 * Runs the operation of every item: first it reads all items, then each item acts in its turn, then all wait side by side.
 *
 * @returns the items of each output, in the order of their input items
 * @throws NodeApiError or NodeOperationError where an item fails and n8n's setting On Error is to stop
 */
export async function runItems(
	context: IExecuteFunctions,
	memory: ProcessMemory,
): Promise<INodeExecutionData[][]> {
	const { resource, operation: value } = context.getNode().parameters;
	const operation = OPERATIONS.get(`${String(resource)} ${String(value)}`);
	if (!operation) {
		throw new NodeOperationError(context.getNode(), 'The operation does not exist', {
			description: 'Open the node and choose a Resource and an Operation from the lists.',
		});
	}
	const { read, sends = false, fieldsOfFailed } = operation;
	const run = await startRun(context, memory).catch((thrown: Error) => thrown);
	// n8n would take the input of a node that continues for what it puts out.
	if (run instanceof Error) {
		if (!context.continueOnFail()) throw run;
		const json = failed(run);
		return [context.getInputData().map((_, item) => ({ json, pairedItem: { item } }))];
	}
	const { notes } = run;
	const inputs = context.getInputData().map((_, itemIndex): Item => ({ ...run, itemIndex }));
	/** What ended an item; it does no more. */
	const errors: Errors = new Map();
	/** Does something for one item, whose error is the item's own. */
	async function attempt<Next>(item: Item, work?: () => Promise<Next>) {
		try {
			return await work?.();
		} catch (thrown) {
			errors.set(item, itemError(item, thrown));
			return undefined;
		}
	}
	async function stopIfRefused(): Promise<void> {
		if (errors.size > 0 && !context.continueOnFail()) {
			throw await errorOfRun(inputs, operation!, errors);
		}
	}

	const turns = [];
	for (const item of inputs) turns.push(await attempt(item, async () => await read(item)));
	await stopIfRefused();

	const waits: Array<Awaited<ReturnType<Turn>> | undefined> = [];
	for (const [at, item] of inputs.entries()) {
		waits.push(await attempt(item, turns[at]));
		await stopIfRefused();
	}

	const ended = await Promise.all(inputs.map(async (item, at) => await attempt(item, waits[at])));
	await stopIfRefused();
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
	const summary = isListSent ? [summaryOf(await countResults(inputs, errors)) + why] : [];
	for (const message of [...summary, ...notes]) {
		context.addExecutionHints({ message, location: 'outputPane' });
	}
	const items: INodeExecutionData[][] = [[]];
	const all = await Promise.all(
		inputs.map(async (item, at): Promise<Output[]> => {
			const error = errors.get(item);
			return error ? [{ json: failed(error, await fieldsOfFailed?.(item)) }] : (ended[at] ?? []);
		}),
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

	function failed({ message }: Error, fields?: IDataObject): IDataObject {
		// n8n knows those that failed for its error output by having no other field, and gives them their fields there.
		if (context.getNode().onError === 'continueErrorOutput') return { error: message };
		return { ...fields, error_message: message };
	}
}

/** @throws NodeOperationError only when the execution is cancelled */
function itemError({ context, itemIndex }: Item, thrown: unknown): NodeError {
	stopIfCancelled(context);
	const isOurs = thrown instanceof NodeApiError || thrown instanceof NodeOperationError;
	const error = isOurs
		? thrown
		: new NodeOperationError(context.getNode(), thrown as Error, { itemIndex });
	// n8n's own have the number of their item behind the message.
	error.message = error.message.replace(/ \[item \d+\]$/, '');
	return error;
}
