import { createHash } from 'crypto';
import { EVENT_KINDS, PREFIXES, type EventKind, type Line } from '../contract';
import {
	bareHandle,
	isFields,
	messageFields,
	toMessage,
	type Fields,
	type Message,
} from '../message';

/** A line as far as an event tells it (§2.3); the handle is the one of the REST side. */
export type LineFacts = Partial<Line>;

/** What an event is about. */
export type MessageHappening = { kind: 'receive' | 'outbound'; message: Message };
export type LineHappening = { kind: 'line_blocked' | 'line_unblocked'; line: LineFacts };
export type Happening = MessageHappening | LineHappening;

/** An event of a kind that the document names (§6.1), out of either form. */
export type KnownEvent = Happening & {
	/** The service's own identifier; the flat form has none (§6.3). */
	eventId?: string;
	/** When the service made the event, as it said it. */
	createdAt?: string;
	/** What the event is recognized by, whichever way it comes and however often. */
	key: string;
};

/** A body that tells nothing this package knows. */
export type UnknownEvent = { kind: 'unknown'; said: string };

const LINE_FIELDS = [
	'line_handle',
	'number',
	'label',
	'is_active',
	'blocked_at',
	'block_reason',
	'limits',
] as const satisfies ReadonlyArray<keyof Line>;

/**
 * Reads the body of an event: the envelope of §6.2 or the flat form of §6.3.
 *
 * assumption: `outbound` holds a message as `receive` does, in `data.message` or flat; line events hold the
 * line in `data.line`, in `data` itself or flat (§6.3 shows neither).
 */
export function readEvent(body: unknown): KnownEvent | UnknownEvent {
	if (!isFields(body)) return { kind: 'unknown', said: 'no JSON object' };
	const said = body.type ?? body.event;
	const kind = EVENT_KINDS.find((known) => known === said);
	if (!kind) return { kind: 'unknown', said: String(said).slice(0, 40) };
	const happening = isLineKind(kind) ? lineHappening(kind, body) : messageHappening(kind, body);
	if (!happening) return { kind: 'unknown', said: `${kind} without its fields` };
	const eventId = text(body.id);
	const createdAt = text(body.created_at);
	return {
		...happening,
		...(eventId && { eventId }),
		...(createdAt && { createdAt }),
		key: keyOf(happening, createdAt) ?? eventId ?? digest(body),
	};
}

/**
 * What an event and the history row or the line's state that tell the same are both recognized by.
 *
 * @param moment when the event was made, for a line event that names no time of its own
 * @returns undefined when neither names anything
 */
export function keyOf(happening: Happening, moment?: string): string | undefined {
	if ('message' in happening) {
		const handle = happening.message.message_handle;
		return handle ? `${happening.kind}:${handle}` : undefined;
	}
	const { line_handle: handle, number, blocked_at: blockedAt } = happening.line;
	const line = handle ?? number;
	const time = blockedAt ?? moment;
	return line && time ? lineKey(happening.kind, line, time) : undefined;
}

/** What a line's event is recognized by: the line, and the moment however it is written. */
export function lineKey(kind: LineHappening['kind'], line: string, moment: string): string {
	const timeMs = Date.parse(moment);
	return `${kind}:${line}:${Number.isNaN(timeMs) ? moment : timeMs}`;
}

/** The fields of §2.3 that a line's record holds, its handle without the prefix of events (§6.2). */
export function toLineFacts(fields: Fields): LineFacts {
	const facts: Fields = {};
	for (const name of LINE_FIELDS) if (fields[name] !== undefined) facts[name] = fields[name];
	const handle = text(fields.line_handle);
	if (handle) facts.line_handle = bareHandle(handle, PREFIXES.line);
	return facts as LineFacts;
}

function isLineKind(kind: EventKind): kind is LineHappening['kind'] {
	return kind === 'line_blocked' || kind === 'line_unblocked';
}

function messageHappening(kind: MessageHappening['kind'], body: Fields): Happening | undefined {
	const inner = isFields(body.data) ? (body.data.message ?? body.data) : body;
	const message = toMessage(messageFields(body) ?? (isFields(inner) ? inner : {}));
	return Object.keys(message).length > 0 ? { kind, message } : undefined;
}

function lineHappening(kind: LineHappening['kind'], body: Fields): Happening | undefined {
	const data = isFields(body.data) ? body.data : body;
	const line = toLineFacts(isFields(data.line) ? data.line : data);
	return line.line_handle || line.number ? { kind, line } : undefined;
}

/** An event without any name is known by what it says, which a redelivery repeats. */
function digest(body: Fields): string {
	return createHash('sha256').update(JSON.stringify(body)).digest('hex');
}

function text(value: unknown): string | undefined {
	return typeof value === 'string' && value !== '' ? value : undefined;
}
