import type { EventEnvelope, EventKind } from '../../../nodes/TwoWayMessaging/contract';
import { PREFIXES } from '../../../nodes/TwoWayMessaging/contract';
import type { EventForm } from '../options';
import type { Line } from '../state/lines';
import { lineBody } from '../state/lines';
import type { Message } from '../state/messages';
import { historyRow } from '../state/messages';

/** Something that happened, ready to be told (§6.1): `body` is the exact text that is signed and sent. */
export type Event = { id: string; kind: EventKind; createdAtMs: number; body: string };

/** What an event is about. */
export type Happening =
	| { kind: 'receive' | 'outbound'; message: Message }
	| { kind: 'line_blocked' | 'line_unblocked'; line: Line };

/** Puts a happening into words, in the envelope of §2.5 or the flat form of §6.3. */
export const eventOf = (
	happening: Happening,
	id: string,
	nowMs: number,
	form: EventForm,
): Event => {
	const content = form === 'flat' ? flatForm(happening, nowMs) : envelope(happening, id, nowMs);
	return { id, kind: happening.kind, createdAtMs: nowMs, body: JSON.stringify(content) };
};

const envelope = (happening: Happening, id: string, nowMs: number): EventEnvelope => ({
	id,
	type: happening.kind,
	created_at: new Date(nowMs).toISOString().replace('Z', '+00:00'),
	// assumption: `outbound` carries data.message as in §6.2, line events data.line with the fields of §2.3.
	data:
		'message' in happening
			? { message: messageData(happening.message) }
			: { line: lineData(happening.line, nowMs) },
});

/** The fields of §6.2. assumption: and `media_url`, `conversation_handle`, which the flat form has. */
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

/** The fields of §6.3; it knows no event id. assumption: the other kinds follow the same pattern. */
const flatForm = (happening: Happening, nowMs: number): object => {
	if ('line' in happening) return { event: happening.kind, ...lineBody(happening.line, nowMs) };
	const row = historyRow(happening.message);
	return {
		event: happening.kind,
		message_handle: row.message_handle,
		from: row.from,
		to: row.to,
		content: row.content,
		media_url: row.media_url,
		service: confirmedService(happening.message),
		is_outbound: row.is_outbound,
		status: row.status,
		date_sent: row.date_sent,
		conversation_handle: row.conversation_handle,
		...(row.is_outbound && { error_message: row.error_message }),
	};
};

/** The channel as the send flow reports it: only history rows of what was sent carry RCS (§1.3). */
const confirmedService = ({ isOutbound, service }: Message) =>
	isOutbound && service === 'RCS' ? 'SMS' : service;
