import type { EventEnvelope, EventKind } from '../../../nodes/TwoWayMessaging/contract';
import { PREFIXES } from '../../../nodes/TwoWayMessaging/contract';
import type { EventForm } from '../options';
import type { Line } from '../state/lines';
import { lineBody } from '../state/lines';
import type { Message } from '../state/messages';
import { historyRow } from '../state/messages';

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

/** Makes an event, in the envelope of §2.5 or in the flat form of §6.3. */
export const composeEvent = (
	subject: EventSubject,
	id: string,
	nowMs: number,
	form: EventForm,
): Event => ({
	id,
	kind: subject.kind,
	createdAtMs: nowMs,
	body: JSON.stringify(eventContent(subject, id, nowMs, form)),
});

const eventContent = (
	subject: EventSubject,
	id: string,
	nowMs: number,
	form: EventForm,
): object => {
	switch (form) {
		case 'envelope':
			return envelope(subject, id, nowMs);
		case 'flat':
			return flatForm(subject, nowMs);
	}
};

const envelope = (subject: EventSubject, id: string, nowMs: number): EventEnvelope => ({
	id,
	type: subject.kind,
	created_at: new Date(nowMs).toISOString().replace('Z', '+00:00'),
	data: eventData(subject, nowMs),
});

/** assumption: `outbound` carries data.message as in §6.2, line events carry data.line with the fields of §2.3. */
const eventData = (subject: EventSubject, nowMs: number): EventEnvelope['data'] => {
	switch (subject.kind) {
		case 'receive':
		case 'outbound':
			return { message: messageData(subject.message) };
		case 'line_blocked':
		case 'line_unblocked':
			return { line: lineData(subject.line, nowMs) };
	}
};

/** The fields of §6.2. assumption: also `media_url` and `conversation_handle`, which the flat form has. */
const messageData = (message: Message) => {
	const row = historyRow(message);
	return {
		message_handle: `${PREFIXES.message}${row.message_handle}`,
		direction: row.is_outbound ? 'outbound' : 'inbound',
		from: row.from,
		to: row.to,
		text: row.content,
		channel: confirmedService(message)?.toLowerCase() ?? null,
		status: row.status.toLowerCase(),
		line_handle: `${PREFIXES.line}${row.line_handle}`,
		media_url: row.media_url,
		conversation_handle: row.conversation_handle,
		...(row.is_outbound && { error_message: row.error_message }),
	};
};

const lineData = (line: Line, nowMs: number) => ({
	...lineBody(line, nowMs),
	line_handle: `${PREFIXES.line}${line.handle}`,
});

/** The fields of §6.3, which have no event id. assumption: the other kinds follow the same pattern. */
const flatForm = (subject: EventSubject, nowMs: number): object => {
	switch (subject.kind) {
		case 'receive':
		case 'outbound':
			return { event: subject.kind, ...flatMessage(subject.message) };
		case 'line_blocked':
		case 'line_unblocked':
			return { event: subject.kind, ...lineBody(subject.line, nowMs) };
	}
};

const flatMessage = (message: Message) => {
	const row = historyRow(message);
	return {
		message_handle: row.message_handle,
		from: row.from,
		to: row.to,
		content: row.content,
		media_url: row.media_url,
		service: confirmedService(message),
		is_outbound: row.is_outbound,
		status: row.status,
		date_sent: row.date_sent,
		conversation_handle: row.conversation_handle,
		...(row.is_outbound && { error_message: row.error_message }),
	};
};

/** The channel that the device confirms for a message. Only rows of the history name RCS for a sent message (§1.3). */
const confirmedService = ({ isOutbound, service }: Message) =>
	isOutbound && service === 'RCS' ? 'SMS' : service;
