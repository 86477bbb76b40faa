import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { ProcessMemory } from '../processMemory';
import { stopIfCancelled } from '../service/pause';
import { startRun, type Item } from '../service/request';
import { OPERATIONS } from './index';
import type { Operation, Output, Turn } from './operation';
import { Ledger } from './sending/ledger';
import { isOnlyOnce } from './sending/sendFields';

/** How many items of a list a refusal names. */
const MOST_NAMED = 20;

/** What the items of messages that were to be sent begin with. */
const FIRST_COLUMNS = ['to', 'from', 'content', 'status', 'error_message'];

type NodeError = NodeApiError | NodeOperationError;

/** What ended items; they do no more. */
type Errors = Map<Item, NodeError>;

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
	const minutes = Math.round(run.waited.ms / 60_000);
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

/**
 * The error that ends a run. That of a list has a line for each item, counted from 1 as people count rows, then what to do,
 * and what became of the other messages. An error without an item, as of the key pair or of the line of all items, is no
 * item's fault: none is named, and no other would go.
 */
async function errorOfRun(items: Item[], operation: Operation, errors: Errors): Promise<NodeError> {
	const all = items.length;
	const inOrder = [...errors].sort(([one], [other]) => one.itemIndex - other.itemIndex);
	const [first, ...others] = inOrder.map(([, error]) => error);
	if (all === 1) return first!;
	const ofAll = inOrder.find(([, { context: of }]) => of.itemIndex === undefined)?.[1];
	if (ofAll) {
		const rest = operation.sends ? [await sentSoFar(items, errors, false)] : [];
		ofAll.description = [asSentence(ofAll.description), ...rest].join('<br>');
		return ofAll;
	}
	const isSame = others.every(({ message }) => message === first!.message);
	const message = isSame ? first!.message : `${errors.size} of ${all} items cannot be used`;
	const error =
		others.length > 0 ? new NodeOperationError(items[0]!.context.getNode(), message) : first!;
	// n8n would show it behind the message, counted from 0.
	delete error.context.itemIndex;
	const lines = new Map<string, string[]>();
	for (const [item, { message: reason, description }] of inOrder.slice(0, MOST_NAMED)) {
		const { to } = (await operation.fieldsOfFailed?.(item)) ?? {};
		const who = typeof to !== 'string' || reason.includes(to) ? '' : `, ${to}`;
		const line = `Item ${item.itemIndex + 1}${who}${isSame ? '' : `: ${reason}`}.`;
		const advice = asSentence(description);
		lines.set(advice, [...(lines.get(advice) ?? []), line]);
	}
	const said = [...lines].map(([advice, who]) => [...who, advice].join('<br>'));
	if (errors.size > MOST_NAMED) said.push(`And ${errors.size - MOST_NAMED} more.`);
	if (operation.sends) said.push(await sentSoFar(items, errors, true));
	error.description = said.join('<br>');
	return error;
}

/** The service's own words may end without a full stop. */
function asSentence(words: string | null | undefined): string {
	const trimmed = (words ?? '').trim();
	return trimmed === '' || /[.!?…]”?$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

async function sentSoFar(items: Item[], errors: Errors, mayLetGo: boolean): Promise<string> {
	const counts = await countResults(items, errors);
	if (counts.accepted + counts['could not be sent'] + counts['not confirmed'] === 0) {
		const others = items.length - errors.size;
		const letGo = ` To let the other ${others > 1 ? others : 'one'} go, set On Error in the node's Settings to 'Continue'.`;
		return `Nothing was sent for any of the items.${mayLetGo && others > 0 ? letGo : ''}`;
	}
	return `Of the ${items.length} items, when the node stopped: ${summaryOf(counts)}. ${
		items.every(isOnlyOnce)
			? 'A new execution sends only what was not sent before, as Send Only Once Per is set.'
			: 'A new execution would send the accepted ones again: take them off the list first, and set Send Only Once Per for the next list.'
	}`;
}

/** How often each result has occurred so far among the messages of a run, in the order in which a summary says them. */
async function countResults(items: Item[], errors: Errors) {
	const counts = {
		...{ accepted: 0, 'opted out': 0, 'sent before': 0 },
		...{ 'could not be sent': 0, 'not confirmed': 0, 'not sent': 0, 'not tried': 0 },
	};
	for (const item of items) {
		const { state, skipped } = await item.memory.part(Ledger).entryOf(item);
		const hasFailed = errors.has(item);
		if (state === 'open') counts['not confirmed'] += 1;
		else if (state === 'sent') counts[hasFailed ? 'could not be sent' : 'accepted'] += 1;
		else if (hasFailed) counts['not sent'] += 1;
		else counts[skipped ?? 'not tried'] += 1;
	}
	return counts;
}

/** The results in words: `118 accepted, 2 opted out`. */
export function summaryOf(counts: Record<string, number>): string {
	const said = Object.entries(counts).filter(([, count]) => count > 0);
	return said.map(([result, count]) => `${count} ${result}`).join(', ');
}
