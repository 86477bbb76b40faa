import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { EVENT_KINDS, type EventKind } from '../contract';
import { readFilters, type Filters } from './filters';
import { TOLERANCE_SECONDS } from './signature';

/** How far back checks recover what was missed, unless the node says otherwise. */
export const RECOVER_HOURS = 24;

/** Longest time without a text that may be asked for: a conversation should not wait for more. */
export const MOST_COMBINE_SECONDS = 60;

/** What becomes of events on their way into the workflow. */
export type ItemSettings = {
	/** How long to wait for more texts of a conversation before they go on as one item; 0 for not at all. */
	combineSeconds: number;
	/** Whether items take the one message shape, instead of the service's body. */
	simplify: boolean;
};

/** The node's fields, read and tidied. */
export type TriggerSettings = ItemSettings & {
	kinds: EventKind[];
	receiveBy: 'webhook' | 'polling';
	filters: Filters;
	toleranceSeconds: number;
	recoverHours: number;
};

/** The contexts in which n8n calls a trigger. */
export type TriggerCaller = IExecuteFunctions | IHookFunctions | IPollFunctions | IWebhookFunctions;

/** Reads the fields of the trigger node, in whichever context n8n called it. */
export function readTriggerSettings(caller: TriggerCaller): TriggerSettings {
	const events = parameter(caller, 'events', []) as unknown;
	const options = optionsOf(caller);
	return {
		...itemSettings(options),
		kinds: EVENT_KINDS.filter((kind) => Array.isArray(events) && events.includes(kind)),
		receiveBy: parameter(caller, 'receiveBy', 'webhook') === 'polling' ? 'polling' : 'webhook',
		filters: readFilters(parameter(caller, 'filters', {}) as IDataObject),
		toleranceSeconds: amount(options.toleranceSeconds, TOLERANCE_SECONDS),
		recoverHours: amount(options.recoverHours, RECOVER_HOURS),
	};
}

/** Reads only what an execution needs to know: n8n takes its time over each field, for every event. */
export function readItemSettings(caller: TriggerCaller): ItemSettings {
	return itemSettings(optionsOf(caller));
}

/** Whether the schedule of checks holds anything. */
export function hasChecks(caller: TriggerCaller): boolean {
	const schedule = parameter(caller, 'pollTimes', {}) as { item?: unknown[] };
	return (schedule.item ?? []).length > 0;
}

function itemSettings(options: IDataObject): ItemSettings {
	return {
		combineSeconds: Math.min(amount(options.combineSeconds, 0), MOST_COMBINE_SECONDS),
		simplify: options.simplify !== false,
	};
}

function optionsOf(caller: TriggerCaller): IDataObject {
	return parameter(caller, 'options', {}) as IDataObject;
}

function parameter(caller: TriggerCaller, name: string, fallback: unknown): unknown {
	// Only execute() has items, and its signature differs from the others'.
	if ('getInputData' in caller) return caller.getNodeParameter(name, 0, fallback);
	return (caller as IPollFunctions).getNodeParameter(name, fallback);
}

/** A number that makes sense; an expression may give anything. */
function amount(value: unknown, fallback: number): number {
	return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : fallback;
}
