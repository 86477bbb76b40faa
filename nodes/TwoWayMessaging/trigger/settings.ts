import type { IDataObject, IGetNodeParameterOptions, IPollFunctions } from 'n8n-workflow';
import { EVENT_KINDS, type EventKind } from '../contract';
import { amountValue, switchValue } from '../parameterValues';
import { readFilters, type Filters } from './filters';
import type { TriggerContext } from './nodeMemory';
import { TOLERANCE_SECONDS } from './verifySignature';

/** How far back checks recover what was missed, unless the node says otherwise. */
export const RECOVER_HOURS = 24;

/** Longest time without a text that a person may choose: a customer should not wait for an answer longer. */
export const MOST_COMBINE_SECONDS = 60;

/** What decides how an event becomes an item. */
export type ItemSettings = {
	/** How long to wait for more texts of a conversation, to make one item of them; 0 for not at all. */
	combineSeconds: number;
	/** Whether what an event leaves out is read from the history. */
	completeMessages: boolean;
	/** Whether the files of messages become part of the items. */
	downloadMedia: boolean;
	/** Whether items take the one message shape, instead of the service's body. */
	simplify: boolean;
};

/** What decides about an event that a webhook brings. */
export type EventSettings = ItemSettings & {
	kinds: EventKind[];
	filters: Filters;
	toleranceSeconds: number;
	/** How many events may share an execution when they wait for one at the same moment. */
	maxEventsPerExecution: number;
};

/** The values of all fields of the node. */
export type TriggerSettings = EventSettings & {
	receiveBy: 'webhook' | 'polling';
	recoverHours: number;
};

/** Reads all fields of the trigger node. */
export function readTriggerSettings(caller: TriggerContext): TriggerSettings {
	return {
		...readEventSettings(caller),
		receiveBy: readReceiveBy(caller),
		recoverHours: amountValue(readOptions(caller).recoverHours, RECOVER_HOURS),
	};
}

/** Reads the fields that an event needs, and no others: each field costs n8n time, for every event. */
export function readEventSettings(caller: TriggerContext): EventSettings {
	const kinds = readParameter(caller, 'events', []) as unknown;
	const options = readOptions(caller);
	return {
		...toItemSettings(options),
		kinds: EVENT_KINDS.filter((kind) => Array.isArray(kinds) && kinds.includes(kind)),
		filters: readFilters(filledFilters(caller)),
		toleranceSeconds: amountValue(options.toleranceSeconds, TOLERANCE_SECONDS),
		maxEventsPerExecution: Math.max(1, Math.floor(amountValue(options.maxEventsPerExecution, 1))),
	};
}

/** The filters as a person filled them in. */
export function filledFilters(caller: TriggerContext): IDataObject {
	return readParameter(caller, 'filters', {}) as IDataObject;
}

/** Reads the fields that an execution needs, and no others. */
export function readItemSettings(caller: TriggerContext): ItemSettings {
	return toItemSettings(readOptions(caller));
}

/** How the node receives events. */
export function readReceiveBy(caller: TriggerContext): TriggerSettings['receiveBy'] {
	return readParameter(caller, 'receiveBy', 'webhook') === 'polling' ? 'polling' : 'webhook';
}

/** Whether any time for checks is set. */
export function hasChecks(caller: TriggerContext): boolean {
	const schedule = readParameter(caller, 'pollTimes', {}) as { item?: unknown[] };
	return (schedule.item ?? []).length > 0;
}

function toItemSettings(options: IDataObject): ItemSettings {
	return {
		combineSeconds: Math.min(amountValue(options.combineSeconds, 0), MOST_COMBINE_SECONDS),
		completeMessages: switchValue(options.completeMessages, true) ?? true,
		downloadMedia: switchValue(options.downloadMedia, false) ?? false,
		simplify: switchValue(options.simplify, true) ?? true,
	};
}

function readOptions(caller: TriggerContext): IDataObject {
	return readParameter(caller, 'options', {}) as IDataObject;
}

function readParameter(caller: TriggerContext, name: string, fallback: unknown): unknown {
	// For each event, n8n would prepare to evaluate expressions that most nodes do not have.
	const filledIn = askForParameter(caller, name, fallback, { rawExpressions: true });
	return hasExpression(filledIn) ? askForParameter(caller, name, fallback) : filledIn;
}

function askForParameter(
	caller: TriggerContext,
	name: string,
	fallback: unknown,
	options?: IGetNodeParameterOptions,
): unknown {
	// Only the context of an execution has items, and takes the number of one.
	if ('getInputData' in caller) return caller.getNodeParameter(name, 0, fallback, options);
	return (caller as IPollFunctions).getNodeParameter(name, fallback, options);
}

function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return typeof value === 'object' && value !== null && Object.values(value).some(hasExpression);
}
