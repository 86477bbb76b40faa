import { NodeOperationError, type NodeApiError } from 'n8n-workflow';
import type { Item } from '../service/request';
import type { Operation } from './operation';
import { Ledger } from './sending/ledger';
import { isOnlyOnce } from './sending/sendFields';

export type NodeError = NodeApiError | NodeOperationError;

/** What ended items. */
export type Errors = Map<Item, NodeError>;

/** How many items of a list a refusal names. */
const MOST_NAMED = 20;

/**
 * The error that ends a run. That of a list has a line for each item, counted from 1 as people count rows, then what to do,
 * and what became of the other messages. An error without an item, as of the key pair or of the line of all items, is no
 * item's fault: none is named, and no other would go.
 */
export async function errorOfRun(
	items: Item[],
	operation: Operation,
	errors: Errors,
): Promise<NodeError> {
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
		const letGo = ` To let the other ${others} go, set On Error in the node's Settings to 'Continue'.`;
		return `Nothing was sent for any of the items.${mayLetGo && others > 0 ? letGo : ''}`;
	}
	return `Of the ${items.length} items, when the node stopped: ${summaryOf(counts)}. ${
		items.every(isOnlyOnce)
			? 'A new execution sends only what was not sent before, as Send Only Once Per is set.'
			: 'A new execution sends those again: take them off the list first, and set Send Only Once Per for the next list.'
	}`;
}

/** How often each result has occurred so far among the messages of a run, in the order in which a summary says them. */
export async function countResults(items: Item[], errors: Errors) {
	const counts = {
		...{ accepted: 0, 'opted out': 0, 'sent before': 0 },
		...{ 'could not be sent': 0, 'not confirmed': 0, refused: 0 },
	};
	for (const item of items) {
		const { state, skipped } = await item.memory.part(Ledger).entryOf(item);
		const hasFailed = errors.has(item);
		if (state === 'open') counts['not confirmed'] += 1;
		else if (state === 'sent') counts[hasFailed ? 'could not be sent' : 'accepted'] += 1;
		else if (hasFailed) counts.refused += 1;
		else if (skipped) counts[skipped] += 1;
	}
	return counts;
}

/** The results in words: `118 accepted, 2 opted out`. */
export function summaryOf(counts: Record<string, number>): string {
	const said = Object.entries(counts).filter(([, count]) => count > 0);
	return said.map(([result, count]) => `${count} ${result}`).join(', ');
}
