import type {
	IDataObject,
	IExecuteFunctions,
	IGetNodeParameterOptions,
	IHookFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { EVENT_KINDS, type EventKind } from '../contract';
import { amountValue, shownValue, switchValue } from '../parameterValues';
import {
	entriesThatMatchNobody,
	readFilters,
	valuesThatAreNoFilter,
	type Filters,
} from './filters';
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

/** Longest time without a text that a person may choose: a customer should not wait for an answer longer. */
export const MOST_COMBINE_SECONDS = 60;

/** The values of all fields of the node. */
export type TriggerSettings = {
	kinds: EventKind[];
	filters: Filters;
	receiveBy: 'webhook' | 'polling';
	/** How often the node checks for events: whole minutes, 0 for never. What is polled comes in no other way. */
	checkEveryMinutes: number;
	/** How long to wait for more texts of a conversation, to make one item of them; 0 for not at all. */
	combineSeconds: number;
	/** Whether what an event leaves out is read from the history. */
	completeMessages: boolean;
	/** Whether the files of messages become part of the items. */
	downloadMedia: boolean;
	/** How many events may share an execution when they wait for one at the same moment. */
	maxEventsPerExecution: number;
	recoverHours: number;
	/** Whether items take the one message shape, instead of the service's body. */
	simplify: boolean;
	toleranceSeconds: number;
};

/** Reads all fields of the trigger node. */
export function readTriggerSettings(context: TriggerContext): TriggerSettings {
	const kinds = readParameter(context, 'events', []);
	const options = readParameter(context, 'options', {}) as IDataObject;
	const isPolling = readParameter(context, 'receiveBy', 'webhook') === 'polling';
	const minutes = amountValue(readParameter(context, 'checkEvery', undefined), CHECK_EVERY);
	return {
		kinds: EVENT_KINDS.filter((kind) => Array.isArray(kinds) && kinds.includes(kind)),
		filters: readFilters(filledFilters(context)),
		receiveBy: isPolling ? 'polling' : 'webhook',
		checkEveryMinutes: Math.max(isPolling ? 1 : 0, Math.ceil(minutes)),
		combineSeconds: Math.min(amountValue(options.combineSeconds, 0), MOST_COMBINE_SECONDS),
		completeMessages: switchValue(options.completeMessages, true) ?? true,
		downloadMedia: switchValue(options.downloadMedia, false) ?? false,
		maxEventsPerExecution: Math.max(1, Math.floor(amountValue(options.maxEventsPerExecution, 1))),
		recoverHours: amountValue(options.recoverHours, RECOVER_HOURS),
		simplify: switchValue(options.simplify, true) ?? true,
		toleranceSeconds: amountValue(options.toleranceSeconds, TOLERANCE_SECONDS),
	};
}

const filledFilters = (context: TriggerContext) =>
	readParameter(context, 'filters', {}) as IDataObject;

/** Why the filters let nobody through; undefined where they may let somebody. */
export function refusalOfFilters(context: TriggerContext): string | undefined {
	const filled = filledFilters(context);
	const [value] = valuesThatAreNoFilter(filled);
	if (value !== undefined) {
		return `“${shownValue(value)}” cannot be a filter. Give each field under 'Filters' a text, a number, a list of these, or one of its choices.`;
	}
	const [entry] = entriesThatMatchNobody(filled);
	return entry === undefined
		? undefined
		: `No message can come from “${entry.slice(0, 40)}”. Enter the numbers under 'Filters' with a plus and the country code, for example +15551230001.`;
}

function readParameter(context: TriggerContext, name: string, fallback: unknown): unknown {
	// For each event, n8n would prepare to evaluate expressions that most nodes do not have.
	const filledIn = askForParameter(context, name, fallback, { rawExpressions: true });
	return hasExpression(filledIn) ? askForParameter(context, name, fallback) : filledIn;
}

function askForParameter(
	context: TriggerContext,
	name: string,
	fallback: unknown,
	options?: IGetNodeParameterOptions,
): unknown {
	// Only the context of an execution has items, and takes the number of one.
	if ('getInputData' in context) return context.getNodeParameter(name, 0, fallback, options);
	return (context as ITriggerFunctions).getNodeParameter(name, fallback, options);
}

function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return typeof value === 'object' && value !== null && Object.values(value).some(hasExpression);
}
