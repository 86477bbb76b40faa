import type { IDataObject, INodeExecutionData, IPairedItemData } from 'n8n-workflow';
import { toMessage, type Message } from '../../message';
import { comparableNumber } from '../../phoneNumber';
import { serviceTimeMs } from '../../serviceTime';
import type { Arrival } from '../inbox';
import { consentIn } from '../../waiting/consent';
import { saysNothing } from '../event';
import type { TriggerSettings } from '../settings';

/** Fields in which the single texts of a combined item may differ. */
const FIELDS_OF_EACH = [
	'event_id',
	'created_at',
	'recovered',
	'message_handle',
	'content',
	'media_url',
	'date_sent',
];

/** The fields that a person looks for. The editor shows a table, of which the first columns are in sight. */
const SHOWN_FIRST = ['date_sent', 'from', 'to', 'content', 'status', 'number', 'label'];

/** An arrival that goes on into the workflow, and the input item of its execution. */
export type Begun = { arrival: Arrival; index: number };

/** The workflow's items: one for the texts of a conversation that are combined, and one for everything else. */
export function toItems(begun: Begun[], settings: TriggerSettings): INodeExecutionData[] {
	const groups = new Map<string | Begun, [Begun, ...Begun[]]>();
	for (const one of begun) {
		const group = one.arrival.conversation ?? one;
		const members = groups.get(group);
		if (members) members.push(one);
		else groups.set(group, [one]);
	}
	return [...groups.values()].map((members) => {
		const [{ arrival, index }] = members;
		return arrival.conversation === undefined
			? { json: toOutput(arrival, settings), pairedItem: { item: index } }
			: combineTexts(members, settings);
	});
}

function combineTexts(texts: Begun[], settings: TriggerSettings): INodeExecutionData {
	const outputs = inWrittenOrder(texts).map(({ arrival }) => toOutput(arrival, settings));
	const json = settings.simplify ? toOneMessage(outputs, settings) : { messages: outputs };
	const pairedItem = texts.map(({ index }): IPairedItemData => ({ item: index }));
	return { json, pairedItem: pairedItem.length === 1 ? pairedItem[0] : pairedItem };
}

/** The newest message, with what all texts say, and the single texts in `messages`. */
function toOneMessage(texts: IDataObject[], { filters }: TriggerSettings): IDataObject {
	const newest = texts.at(-1) ?? {};
	const contents = texts.map(({ content }) => content).filter(Boolean);
	const mediaUrl = texts.map((text) => text.media_url).findLast(Boolean);
	const consent = texts.map((text) => text.consent).findLast(Boolean);
	const combined = {
		...newest,
		recovered: texts.some(({ recovered }) => recovered === true),
		...(contents.length > 0 && { content: contents.join('\n') }),
		...(mediaUrl && { media_url: mediaUrl }),
	};
	return {
		...combined,
		...derivedFields(toMessage(combined), filters.stopWords),
		...(consent && { consent }),
		messages: texts.map((text) => {
			const fields = Object.entries(text).filter(([name]) => FIELDS_OF_EACH.includes(name));
			return Object.fromEntries(fields);
		}),
	};
}

/** A text without a time stands behind the one that it came after. */
function inWrittenOrder(texts: Begun[]): Begun[] {
	let placedMs = 0;
	const placed = texts.map((text) => {
		const { event } = text.arrival;
		const dateSent = 'message' in event ? event.message.date_sent : undefined;
		placedMs = serviceTimeMs(dateSent ?? event.createdAt) || placedMs;
		return { text, placedMs };
	});
	return placed.sort((one, other) => one.placedMs - other.placedMs).map(({ text }) => text);
}

/**
 * What people work with: the fields of the event's message (§2.2) or its line (§2.3), the event's own, and those that n8n's AI
 * nodes look for; else the service's body.
 */
function toOutput({ event, name, isFound }: Arrival, settings: TriggerSettings): IDataObject {
	const { simplify, receiveBy, filters } = settings;
	if (!simplify) return event.body as IDataObject;
	const facts = ('message' in event ? event.message : event.line) as IDataObject;
	// The time of what the event is about, where the service did not say when it made the event.
	const ownTime = 'message' in event ? event.message.date_sent : event.line.blocked_at;
	const createdAt = event.createdAt ?? ownTime;
	// Field by field, as objects that are spread take several times as long: a check may make thousands of items at once.
	const output: IDataObject = {};
	for (const field in facts) if (SHOWN_FIRST.includes(field)) output[field] = facts[field];
	output.event = event.kind;
	if (createdAt) output.created_at = createdAt;
	// A check has found it in place of a webhook.
	output.recovered = isFound && receiveBy === 'webhook';
	if (event.kind === 'receive') {
		Object.assign(output, derivedFields(event.message, filters.stopWords));
	}
	Object.assign(output, facts);
	if (saysNothing(event)) output.raw = event.body as IDataObject;
	// The same however the event came, so that people can tell a repetition by it.
	output.event_id = name;
	return output;
}

/** The fields of an item that follow from a customer's text: its consent, and what n8n's AI nodes look for. */
export function derivedFields(message: Message, stopWords?: readonly string[]): IDataObject {
	const { content, from, line_handle: line, media_url: mediaUrl, to } = message;
	const consent = consentIn(content, stopWords);
	const chatInput = content || mediaUrl;
	// The line and the customer. Both numbers are in every form of an event; the conversation's handle is not (§6.2).
	const ours = to ? comparableNumber(to) : line;
	const sessionId = ours && from && `${ours}-${comparableNumber(from) || from}`;
	return {
		...(consent && { consent }),
		...(chatInput && { chatInput }),
		...(sessionId && { sessionId }),
	};
}
