import { NodeOperationError, type NodeApiError } from 'n8n-workflow';
import type { Run, SendingResult } from '../service/run';
import { isOnlyOnce } from './sending/sendOptions';

export type NodeError = NodeApiError | NodeOperationError;

/** How many unusable items a refusal describes, and of how many it says the numbers. */
const MOST_DESCRIBED = 10;
const MOST_NUMBERED = 50;

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
 * The error for a run with items that cannot be used, while nothing has been sent.
 *
 * @param errors of the items that cannot be used
 * @returns an error that names every such item
 */
export function refusalOf(run: Run, errors: Map<number, NodeError>): NodeError {
	const all = run.context.getInputData().length;
	const refusal = errors.size === 1 ? [...errors.values()][0]! : refusalOfSeveral(run, errors, all);
	withResults(run, refusal);
	if (run.sends && errors.size < all) {
		refusal.description = `${refusal.description} To let the others go, open the node's Settings and set On Error to 'Continue'.`;
	}
	return refusal;
}

function refusalOfSeveral(run: Run, errors: Map<number, NodeError>, all: number): NodeError {
	const said = new Set([...errors.values()].map(({ message }) => withoutNumber(message)));
	const message =
		said.size === 1 ? [...said].join('') : `${errors.size} of ${all} items cannot be used`;
	const numbers = [...errors.keys()].slice(0, MOST_NUMBERED).join(', ');
	const more = errors.size > MOST_NUMBERED ? ` and ${errors.size - MOST_NUMBERED} more` : '';
	return new NodeOperationError(run.context.getNode(), `${message} [items ${numbers}${more}]`, {
		// Without an item's number beside it, as n8n would show the first one behind the numbers of all.
		description: describe([...errors.values()], said.size > 1),
	});
}

/** What to do about unusable items: said once for those of which the same is to be said, behind what is wrong with each. */
function describe(errors: NodeError[], saysWhy: boolean): string {
	const alike = new Map<string, string>();
	for (const { message, description } of errors.slice(0, saysWhy ? MOST_DESCRIBED : undefined)) {
		const advice = description ?? '';
		alike.set(advice, (alike.get(advice) ?? '') + (saysWhy ? `${message}. ` : ''));
	}
	const described = [...alike].map(([advice, reasons]) => reasons + advice);
	if (saysWhy && errors.length > MOST_DESCRIBED) described.push('…');
	return described.join(' ');
}

/** A message without the number of its item, which says nothing where there is only one. */
export function withoutNumber(message: string): string {
	return message.replace(/ \[item \d+\]$/, '');
}

/** The error of a run that sends messages, which then says how many were sent. */
export function withResults(run: Run, error: NodeError): NodeError {
	if (run.sends && run.context.getInputData().length > 1) {
		error.description = `${asSentence(error.description)} ${sentSoFar(run)}`.trim();
	}
	return error;
}

/** The service's own words may end without a full stop. */
function asSentence(words: string | null | undefined): string {
	const trimmed = (words ?? '').trim();
	return trimmed === '' || /[.!?…]”?$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

function sentSoFar(run: Run): string {
	const open = [...run.results.values()].filter((one) =>
		['sent', 'unconfirmed', 'undeliverable'].includes(one),
	);
	if (open.length === 0) return 'Nothing was sent for any of the items.';
	const items = run.context.getInputData();
	const soFar = `Of the ${items.length} items, when the node stopped: ${summaryOf(run)}.`;
	return items.every((_, itemIndex) => isOnlyOnce(run, itemIndex))
		? `${soFar} Retry On Fail does not send a message again. A new execution sends only what was not sent before, as Send Only Once Per is set.`
		: `${soFar} Retry On Fail does not send a message again; a new execution does.`;
}

/** How often each result occurred, in words: `118 sent, 2 opted out`. */
export function summaryOf({ results }: Run): string {
	return Object.entries(RESULT_WORDS)
		.map(([result, words]) => ({
			words,
			count: [...results.values()].filter((one) => one === result).length,
		}))
		.flatMap(({ words, count }) => (count > 0 ? [`${count} ${words}`] : []))
		.join(', ');
}
