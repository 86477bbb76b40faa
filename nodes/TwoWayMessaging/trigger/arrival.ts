import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { EVENT_KINDS } from '../contract';
import { isFields } from '../message';
import { eventName, saysNothing, type ServiceEvent } from './event';
import { judge } from './filters';
import type { TriggerCall } from './nodeMemory';
import { isAwaited } from './awaitedTexts';
import type { TriggerSettings } from './settings';

/** An event on its way into the workflow. */
export type Arrival = {
	/** The name that it goes by, however it comes (`eventName`). */
	name: string;
	event: ServiceEvent;
	/** Whether a check found it, and no webhook brought it. */
	isFound: boolean;
	/** Set when the service should have sent it and has not, as far as the check could know. */
	isMissed?: true;
	/** The conversation with whose other texts it becomes one item; absent for what becomes an item of its own. */
	conversation?: string;
};

/** Starts nothing: n8n saves static data with each execution that starts. */
const SAVE = { isForSaving: true };

/** Makes an execution fail with these words, so that the list of executions shows them. */
type Failure = { failedCheck: string; description?: string };

/** What an execution begins with. n8n carries it as the JSON of an item. */
export type Handed =
	| { kind: 'arrival'; arrival: Arrival }
	| { kind: 'save' }
	| { kind: 'failure'; failure: Failure }
	/** An item that this node has not made, as a person may run anything. */
	| { kind: 'other' };

/** The item that carries an arrival: `readHanded(toItem(arrival))`. */
export function toItem(arrival: Arrival): INodeExecutionData {
	return { json: arrival as unknown as IDataObject };
}

export const saveItem = (): INodeExecutionData => ({ json: SAVE });

export const failureItem = (failure: Failure): INodeExecutionData => ({ json: failure });

/** What an item carries. */
export function readHanded({ json }: INodeExecutionData): Handed {
	const { event, name, isForSaving, failedCheck } = json;
	if (isForSaving === true) return { kind: 'save' };
	if (typeof failedCheck === 'string') return { kind: 'failure', failure: json as Failure };
	const isArrival =
		typeof name === 'string' &&
		isFields(event) &&
		EVENT_KINDS.some((kind) => kind === event.kind) &&
		(isFields(event.message) || isFields(event.line));
	return isArrival ? { kind: 'arrival', arrival: json as unknown as Arrival } : { kind: 'other' };
}

/**
 * Names the conversation of a customer's text. The two numbers do so in every form of an event; its handle is in one of
 * them only (§6.2, §6.3).
 *
 * @returns undefined for what is no customer's text, or does not say both numbers
 */
function conversationOf(event: ServiceEvent): string | undefined {
	if (event.kind !== 'receive') return undefined;
	const { from, to } = event.message;
	return from && to ? `${from} ${to}` : undefined;
}

/**
 * Whether the node has a use for an event: the filters let it start the workflow, or may do so once it is complete, or an
 * execution waits for it.
 *
 * @param account the account whose executions may wait for it; undefined for none
 */
export function wants(
	call: TriggerCall,
	event: ServiceEvent,
	{ kinds, filters }: TriggerSettings,
	account: string | undefined,
): boolean {
	if (!kinds.includes(event.kind)) return false;
	return judge(event, filters) !== 'fails' || isAwaited(call, account, event);
}

/** An event as it goes into the inbox. An answer is not combined with other texts. */
export function toArrival(
	call: TriggerCall,
	event: ServiceEvent,
	{ combineSeconds, simplify }: TriggerSettings,
	account: string | undefined,
): Arrival {
	const isCombined = combineSeconds > 0 && !isAwaited(call, account, event);
	const conversation = isCombined ? conversationOf(event) : undefined;
	return {
		name: eventName(event),
		// Items of the one message shape are made without the body, and n8n saves what it is given.
		event: simplify && !saysNothing(event) ? { ...event, body: {} } : event,
		isFound: false,
		...(conversation !== undefined && { conversation }),
	};
}
