import { NodeOperationError, type NodeApiError } from 'n8n-workflow';
import { readCollection, textValue } from '../parameterValues';
import { sendsMessages } from './chosenOperation';
import type { Run } from './run';

export type NodeError = NodeApiError | NodeOperationError;

/** An item that cannot be used, and why. */
type Unusable = { itemIndex: number; error: NodeError };

/** How many unusable items a refusal describes, and of how many it says the numbers. */
const MOST_DESCRIBED = 10;
const MOST_NUMBERED = 50;

/**
 * Refuses a run with items that cannot be used, while nothing has been sent.
 *
 * @param errors of each item; undefined for an item that can be used
 * @throws NodeApiError or NodeOperationError that names every such item
 */
export function refuseUnusable(run: Run, errors: Array<NodeError | undefined>): void {
	const unusable = errors.flatMap((error, itemIndex) => (error ? [{ itemIndex, error }] : []));
	const [first] = unusable;
	if (!first) return;
	const refuse = (error: NodeError) => {
		const refusal = withResults(run, error);
		if (sendsMessages(run) && unusable.length < errors.length) {
			refusal.description = `${refusal.description} To let the others go, open the node's Settings and set On Error to 'Continue'.`;
		}
		return refusal;
	};
	if (unusable.length === 1) throw refuse(first.error);
	const [said = '', ...others] = new Set(unusable.map((one) => withoutNumber(one.error.message)));
	const message =
		others.length === 0 ? said : `${unusable.length} of ${errors.length} items cannot be used`;
	const error = new NodeOperationError(run.caller.getNode(), `${message} ${numbersOf(unusable)}`, {
		// Without an item's number beside it, as n8n would show the first one behind the numbers of all.
		description: describe(unusable, others.length > 0),
	});
	throw refuse(error);
}

/** What to do about unusable items: said once for those of which the same is to be said, behind what is wrong with each. */
function describe(unusable: Unusable[], saysWhy: boolean): string {
	const alike = new Map<string, NodeError[]>();
	for (const { error } of unusable.slice(0, saysWhy ? MOST_DESCRIBED : undefined)) {
		const advice = error.description ?? '';
		alike.set(advice, [...(alike.get(advice) ?? []), error]);
	}
	const described = [...alike].map(([advice, errors]) => {
		const reasons = saysWhy ? errors.map(({ message }) => `${message}. `) : [];
		return reasons.join('') + advice;
	});
	if (saysWhy && unusable.length > MOST_DESCRIBED) described.push('…');
	return described.join(' ');
}

/** A message without the number of its item, which says nothing where there is only one. */
export function withoutNumber(message: string): string {
	return message.replace(/ \[item \d+\]$/, '');
}

function numbersOf(unusable: Unusable[]): string {
	const numbers = unusable.slice(0, MOST_NUMBERED).map(({ itemIndex }) => itemIndex);
	const more = unusable.length - numbers.length;
	return `[items ${numbers.join(', ')}${more > 0 ? ` and ${more} more` : ''}]`;
}

/** The error of a run that sends messages, which then says how many were sent. */
export function withResults(run: Run, error: NodeError): NodeError {
	if (sendsMessages(run) && run.caller.getInputData().length > 1) {
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
