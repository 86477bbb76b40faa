import type { EventKind } from '../../../nodes/TwoWayMessaging/contract';
import type { EventEnvelope } from '../serviceFacts';
import { PREFIXES } from '../../../nodes/TwoWayMessaging/contract';
import type { Character } from '../characters/character';
import { isoTime } from '../isoTime';
import type { EventForm } from '../options';
import type { Line } from '../state/lines';
import { lineBody } from '../state/lines';
import type { Message, MessageRecord } from '../state/messages';
import { messageRecord } from '../state/messages';

/** An event that can be delivered (§6.1). `body` is the exact text that is signed and sent. */
export type Event = { id: string; kind: EventKind; createdAtMs: number; body: string };

/** What each kind of event is about. */
type Subjects = {
	receive: { message: Message };
	outbound: { message: Message };
	line_blocked: { line: Line };
	line_unblocked: { line: Line };
};

/** The kind of an event, and what it is about. */
export type EventSubject = { [Kind in EventKind]: { kind: Kind } & Subjects[Kind] }[EventKind];

/** What an event is made with: its id and time, and what the service is like. */
export type Making = { id: string; nowMs: number; form: EventForm; character: Character };

/** Makes an event, in the envelope of §2.5 or in the flat form of §6.3. */
export const composeEvent = (subject: EventSubject, making: Making): Event => ({
	id: making.id,
	kind: subject.kind,
	createdAtMs: making.nowMs,
	body: JSON.stringify(eventContent(subject, making)),
});

const eventContent = (subject: EventSubject, making: Making): object => {
	switch (making.form) {
		case 'envelope':
			return envelope(subject, making);
		case 'flat':
			return flatForm(subject, making);
	}
};

const envelope = (subject: EventSubject, making: Making): EventEnvelope => ({
	id: making.id,
	type: subject.kind,
	created_at: isoTime(making.nowMs, making.character.clockBehindMs).replace('Z', '+00:00'),
	data: eventData(subject, making),
});

/**
 * assumption: `outbound` carries data.message as in §6.2 and line events carry data.line with the fields of §2.3, or
 * `data` itself, or a name in it, holds what the flat form shows.
 */
const eventData = (subject: EventSubject, making: Making): EventEnvelope['data'] => {
	const { data } = making.character.events;
	const isBare = data !== 'named';
	const wrapped = (record: object) => (data === 'wrapped' ? { attributes: record } : record);
	switch (subject.kind) {
		case 'receive':
			return { message: messageData(subject.message, making) };
		case 'outbound':
			return isBare
				? wrapped(flatMessage(subject.message, making))
				: { message: messageData(subject.message, making) };
		case 'line_blocked':
		case 'line_unblocked': {
			const line = lineData(subject.line, making);
			return isBare ? wrapped(line) : { line };
		}
	}
};

/** The fields of §6.2. */
const messageData = (message: Message, { character }: Making) => {
	const record = eventRecord(message, character);
	return {
		message_handle: `${PREFIXES.message}${record.message_handle}`,
		direction: record.is_outbound ? 'outbound' : 'inbound',
		from: record.from,
		to: record.to,
		text: record.content,
		channel: record.service?.toLowerCase() ?? null,
		status: record.status.toLowerCase(),
		line_handle: `${PREFIXES.line}${record.line_handle}`,
		...character.events.envelopeExtras(record),
	};
};

const lineData = (line: Line, { nowMs, character }: Making) => ({
	...lineBody(line, nowMs, character.clockBehindMs),
	line_handle: `${PREFIXES.line}${line.handle}`,
});

/** The fields of §6.3, which have no event id. assumption: the other kinds follow the same pattern. */
const flatForm = (subject: EventSubject, making: Making): object => {
	switch (subject.kind) {
		case 'receive':
		case 'outbound':
			return { event: subject.kind, ...flatMessage(subject.message, making) };
		case 'line_blocked':
		case 'line_unblocked':
			return {
				event: subject.kind,
				...lineBody(subject.line, making.nowMs, making.character.clockBehindMs),
			};
	}
};

const flatMessage = (message: Message, { character }: Making) => {
	const record = eventRecord(message, character);
	return {
		message_handle: record.message_handle,
		from: record.from,
		to: record.to,
		content: record.content,
		media_url: record.media_url,
		service: record.service,
		is_outbound: record.is_outbound,
		status: record.status,
		date_sent: character.dateSent(record),
		conversation_handle: record.conversation_handle,
		...character.events.flatExtras(record),
	};
};

/** The record of a message with the channel that the device confirms. Only rows of the history name RCS for a sent message (§1.3). */
const eventRecord = (message: Message, character: Character): MessageRecord => {
	const record = messageRecord(message, character);
	return record.is_outbound && record.service === 'RCS' ? { ...record, service: 'SMS' } : record;
};
