import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { isFields, type Message } from '../message';
import type { EndReason } from '../waiting/passedText';
import type { EventContent } from './event';

/** What a handed-over event carries, whatever else it is. */
export type Carried = {
	/** The name the event goes by, however it comes; also after a restart (`eventName`). */
	name: string;
	/** The service's own ID of the event, where it gave one. */
	eventId?: string;
	/** The name under which it may have begun as well, where it does not say enough to tell (`otherName`). */
	otherName?: string;
	/** Whether a check found it, and no webhook had brought it as far as the check could know. */
	isMissed: boolean;
	/** The item that the workflow gets. */
	output: IDataObject;
	/** What the item is completed by before the workflow gets it. */
	leavesOut?: LeftOut;
	/** What the filters are to be asked about again once it is complete: it leaves out what they ask about. */
	unsaid?: EventContent;
	/** Set when it may begin only if nothing before it in the execution does (`StartQueue`). */
	isSpare?: true;
};

/** What an event does not say: fields of its message, or only which line it is about. */
export type LeftOut = 'message' | 'line';

/** An event that starts the workflow. */
export type EventHandover = Carried & {
	kind: 'event';
	/** Set when the node combines texts, and the event is a text. */
	text?: TextOfConversation;
};

/** What an execution waits for. When no execution takes it as an answer, it may start the workflow. */
export type AnswerHandover = Carried & {
	kind: 'answer';
	account: string;
	message: Message;
	/** When the event was made, as the service said. */
	createdAt?: string;
	/** Set when it ends questions, and so answers none; it may then start the workflow all the same. */
	ends?: EndReason;
	/** Whether the filters let it start the workflow. */
	mayStart: boolean;
};

/** Starts nothing. It makes n8n save static data, which n8n does only when a check hands over something. */
export type SaveHandover = { kind: 'save' };

/**
 * What `webhook()` and `poll()` hand over to `execute()`. n8n carries it as the JSON of an item:
 *
 * ```ts
 * const item = toItem({ kind: 'save' });
 * const handover = readHandover(item);
 * ```
 */
export type Handover = EventHandover | AnswerHandover | SaveHandover;

/** Where a customer's text belongs among others. */
export type TextOfConversation = {
	/** The same for every text of one conversation, in whichever form it came. */
	conversation: string;
	/** ISO 8601; absent when neither the message nor its event names a time. */
	writtenAt?: string;
	/** Whether a webhook brought it just now, so that more texts may follow. */
	isLive: boolean;
};

/** An item of an execution, and the handover in it. */
export type Arrival = {
	item: INodeExecutionData;
	/** Undefined for an item that neither `webhook()` nor `poll()` made, as a person may run anything. */
	handover?: Handover;
	/** The input item of this execution that the output is linked to. */
	index: number;
};

/** The item that carries a handover. */
export function toItem(handover: Handover): INodeExecutionData {
	return { json: handover as unknown as IDataObject };
}

/** The names under which an event stands in this process. */
export function namesOf(carried: Carried): string[] {
	const names = lastingNames(carried);
	if (carried.eventId) names.push(carried.eventId);
	return names;
}

/** The names by which it is known that an event has begun, also after a restart. */
export function lastingNames({ name, otherName }: Pick<Carried, 'name' | 'otherName'>): string[] {
	return otherName ? [name, otherName] : [name];
}

const KINDS: Record<Handover['kind'], true> = { event: true, answer: true, save: true };

/** The handover that an item carries; undefined for any other item. */
export function readHandover({ json }: INodeExecutionData): Handover | undefined {
	const isHandover =
		typeof json.kind === 'string' &&
		Object.hasOwn(KINDS, json.kind) &&
		(json.kind === 'save' || (typeof json.name === 'string' && isFields(json.output)));
	return isHandover ? (json as unknown as Handover) : undefined;
}
