import { NodeOperationError, type IDataObject, type NodeApiError } from 'n8n-workflow';
import type { Run, SendingResult } from '../service/run';
import { isOnlyOnce } from './sending/sendFields';

export type NodeError = NodeApiError | NodeOperationError;

/** How many items of a list a refusal names. */
const MOST_NAMED = 20;

/** What the summary calls what became of a message. */
export const RESULT_WORDS: Record<SendingResult, string> = {
	sent: 'sent',
	optedOut: 'opted out',
	alreadySent: 'sent before',
	undeliverable: 'could not be sent',
	unconfirmed: 'not confirmed',
	refused: 'refused',
};

/**
 * The error that ends a run. That of a list has a line for each item, counted from 1 as people count rows, then what to do,
 * and what became of the other messages.
 *
 * @param fieldsOf what is known of an item that failed: `to` says whom its message is for
 */
export async function errorOfRun(
	run: Run,
	errors: Map<number, NodeError>,
	fieldsOf: (itemIndex: number) => Promise<IDataObject | undefined>,
): Promise<NodeError> {
	const { context, sends } = run;
	const all = context.getInputData().length;
	const inOrder = [...errors].sort(([one], [other]) => one - other);
	const [first, ...others] = inOrder.map(([, error]) => error);
	if (all === 1) return first!;
	const isSame = others.every(({ message }) => message === first!.message);
	const message = isSame ? first!.message : `${errors.size} of ${all} items cannot be used`;
	const error = others.length > 0 ? new NodeOperationError(context.getNode(), message) : first!;
	// n8n would show it behind the message, counted from 0.
	delete error.context.itemIndex;
	const lines = new Map<string, string[]>();
	for (const [itemIndex, { message: reason, description }] of inOrder.slice(0, MOST_NAMED)) {
		const { to } = (await fieldsOf(itemIndex)) ?? {};
		const who = typeof to !== 'string' || reason.includes(to) ? '' : `, ${to}`;
		const line = `Item ${itemIndex + 1}${who}${isSame ? '' : `: ${reason}`}.`;
		const advice = asSentence(description);
		lines.set(advice, [...(lines.get(advice) ?? []), line]);
	}
	const said = [...lines].map(([advice, who]) => [...who, advice].join('<br>'));
	if (errors.size > MOST_NAMED) said.push(`And ${errors.size - MOST_NAMED} more.`);
	if (sends) said.push(sentSoFar(run, all - errors.size));
	error.description = said.join('<br>');
	return error;
}

/** A message without the number of its item. n8n's own have one, too. */
export function withoutNumber(message: string): string {
	return message.replace(/ \[item \d+\]$/, '');
}

/** The service's own words may end without a full stop. */
function asSentence(words: string | null | undefined): string {
	const trimmed = (words ?? '').trim();
	return trimmed === '' || /[.!?…]”?$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

function sentSoFar(run: Run, others: number): string {
	const { results, context } = run;
	const open = ['sent', 'unconfirmed', 'undeliverable'];
	if (![...results.values()].some((one) => open.includes(one))) {
		const letGo = ` To let the other ${others} go, set On Error in the node's Settings to 'Continue'.`;
		return `Nothing was sent for any of the items.${others > 0 ? letGo : ''}`;
	}
	const items = context.getInputData();
	return `Of the ${items.length} items, when the node stopped: ${summaryOf(run)}. ${
		items.every((_, itemIndex) => isOnlyOnce(run, itemIndex))
			? 'A new execution sends only what was not sent before, as Send Only Once Per is set.'
			: 'A new execution sends those again: take them off the list first, and set Send Only Once Per for the next list.'
	}`;
}

/** How often each result occurred, in words: `118 sent, 2 opted out`. */
export function summaryOf({ results }: Pick<Run, 'results'>): string {
	const said = [...results.values()];
	return Object.entries(RESULT_WORDS)
		.map(([result, words]) => [said.filter((one) => one === result).length, words] as const)
		.flatMap(([count, words]) => (count > 0 ? [`${count} ${words}`] : []))
		.join(', ');
}
