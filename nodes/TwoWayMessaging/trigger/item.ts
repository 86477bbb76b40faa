import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { isFields, type Fields } from '../message';
import type { Happening } from './event';
import type { TriggerSettings } from './settings';

/** What webhook() and poll() hand to execute(). */
export type Handover = {
	/** What the event is recognized by, also after a restart. */
	key: string;
	/** The service's own name for the event, where it gave one. */
	eventId?: string;
	/** Whether, as far as the check could know, no webhook had brought it. */
	isMissed?: boolean;
	/** Whether the key may be another one after a restart, so that `eventId` is recorded and counts as well. */
	isKnownById?: boolean;
	/** What else needs no telling any more once this has begun; recorded with the key. */
	settles?: string;
	output: IDataObject;
	/** There when the node combines texts, and this is one. */
	text?: Text;
};

/** Where a customer's text belongs among others. */
export type Text = {
	/** The same for every text of one conversation, whichever form it came in. */
	conversation: string;
	/** ISO 8601; absent when neither the message nor its event names a time. */
	writtenAt?: string;
};

/** An event on its way into a workflow. */
export type Delivery = {
	happening: Happening;
	key: string;
	eventId?: string;
	isKnownById?: boolean;
	settles?: string;
	createdAt?: string;
	/** Whether a check found what no webhook brought. */
	isRecovered: boolean;
	/** Whether it had not been heard of before, as far as the check could know. */
	isMissed?: boolean;
	/** The service's body, untouched. */
	body: Fields;
};

/** The item as execute() takes it. */
export function handover(
	delivery: Delivery,
	{ simplify, combineSeconds }: Pick<TriggerSettings, 'simplify' | 'combineSeconds'>,
): INodeExecutionData {
	const output = (simplify ? toOutput(delivery) : delivery.body) as IDataObject;
	const { key, eventId, isMissed, isKnownById, settles } = delivery;
	const text = combineSeconds > 0 ? textOf(delivery) : undefined;
	const json: Handover = {
		key,
		output,
		...(eventId && { eventId }),
		...(isMissed && { isMissed }),
		...(isKnownById && { isKnownById }),
		...(settles && { settles }),
		...(text && { text }),
	};
	return { json };
}

/** The two numbers tell a conversation in every form; its handle is in one of them only (§6.2, §6.3). */
function textOf({ happening, createdAt }: Delivery): Text | undefined {
	if (happening.kind !== 'receive') return undefined;
	const { from, to, date_sent: dateSent } = happening.message;
	if (!from || !to) return undefined;
	const writtenAt = dateSent ?? createdAt;
	return { conversation: `${from} ${to}`, ...(writtenAt && { writtenAt }) };
}

/** What an item handed over holds; undefined for any other item. */
export function readHandover({ json }: INodeExecutionData): Handover | undefined {
	const { key, eventId, isMissed, isKnownById, settles, output, text } = json;
	if (typeof key !== 'string' || !isFields(output)) return undefined;
	return {
		key,
		output: output as IDataObject,
		...(typeof eventId === 'string' && { eventId }),
		...(isMissed === true && { isMissed }),
		...(isKnownById === true && { isKnownById }),
		...(typeof settles === 'string' && { settles }),
		...(isFields(text) && { text: text as Text }),
	};
}

/** What a person looks for: the editor shows a table, of which the first columns are in sight. */
const SHOWN_FIRST = ['from', 'to', 'content', 'number', 'label'];

function shownFirst(facts: object): object {
	return Object.fromEntries(Object.entries(facts).filter(([name]) => SHOWN_FIRST.includes(name)));
}

/** The fields people work with: the event's, and those of its message (§2.2) or line (§2.3). */
export function toOutput({
	happening,
	key,
	eventId,
	createdAt,
	isRecovered,
}: Delivery): IDataObject {
	return {
		event: happening.kind,
		...shownFirst('message' in happening ? happening.message : happening.line),
		// Always there, so that people can tell events apart by it: the key where the service gave no id.
		event_id: eventId ?? key,
		...(createdAt && { created_at: createdAt }),
		recovered: isRecovered,
		...('message' in happening ? happening.message : happening.line),
	} as IDataObject;
}
