import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { EVENT_KINDS } from '../contract';
import { amountValue, switchValue } from '../parameterValues';
import { readFilters, refusalOfFilters } from './filters';
import { TOLERANCE_SECONDS } from './verifySignature';

/** The contexts in which n8n calls a trigger. */
export type TriggerContext =
	IExecuteFunctions | IHookFunctions | ITriggerFunctions | IWebhookFunctions;

/** How often the node checks for events, in minutes, unless it says otherwise. */
export const CHECK_EVERY = 5;

/** Longest time between two checks, in minutes: a day. */
export const MOST_CHECK_EVERY = 24 * 60;

/** How far back checks recover what was missed, unless the node says otherwise. */
export const RECOVER_HOURS = 24;

/** How far back a person may let checks look, in hours: a week. */
export const MOST_RECOVER_HOURS = 7 * 24;

/** Longest time without a text that a person may choose: a customer should not wait for an answer longer. */
export const MOST_COMBINE_SECONDS = 60;

export type TriggerSettings = ReturnType<typeof readTriggerSettings>;

export function readTriggerSettings(context: TriggerContext) {
	const kinds = readParameter(context, 'events', []);
	const options = readParameter(context, 'options', {}) as IDataObject;
	const filters = readParameter(context, 'filters', {}) as IDataObject;
	const isPolling = readParameter(context, 'receiveBy', 'webhook') === 'polling';
	const minutes = amountValue(readParameter(context, 'checkEvery', undefined), CHECK_EVERY);
	return {
		kinds: EVENT_KINDS.filter((kind) => Array.isArray(kinds) && kinds.includes(kind)),
		filters: readFilters(filters),
		filterRefusal: refusalOfFilters(filters),
		receiveBy: isPolling ? ('polling' as const) : ('webhook' as const),
		/** Whole minutes, 0 for never. What is polled comes in no other way. */
		checkEveryMinutes: Math.max(isPolling ? 1 : 0, Math.ceil(minutes)),
		/** How long to wait for more texts of a conversation, to make one item of them; 0 for not at all. */
		combineSeconds: Math.min(amountValue(options.combineSeconds, 0), MOST_COMBINE_SECONDS),
		completeMessages: switchValue(options.completeMessages, true) ?? true,
		downloadMedia: switchValue(options.downloadMedia, false) ?? false,
		/** How many events may share an execution when they wait for one at the same moment. */
		maxEventsPerExecution: Math.max(1, Math.floor(amountValue(options.maxEventsPerExecution, 1))),
		recoverHours: amountValue(options.recoverHours, RECOVER_HOURS),
		/** Whether items take the one message shape, instead of the service's body. */
		simplify: switchValue(options.simplify, true) ?? true,
		toleranceSeconds: amountValue(options.toleranceSeconds, TOLERANCE_SECONDS),
	};
}

function readParameter(context: TriggerContext, name: string, fallback: unknown): unknown {
	// Only the context of an execution has items, and takes the number of one.
	if ('getInputData' in context) return context.getNodeParameter(name, 0, fallback);
	return (context as ITriggerFunctions).getNodeParameter(name, fallback);
}
