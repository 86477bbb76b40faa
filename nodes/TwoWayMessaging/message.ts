import { PREFIXES, SERVICES } from './contract';
import { serviceTimeMs } from './serviceTime';

/**
 * One message, in the service's words, wherever it comes from: the answer to a send (§2.2), the status (§4.4), a row of
 * the history (§4.5) or either form of an event (§6.2, §6.3). What the service did not say is absent.
 */
export type Message = {
	message_handle?: string;
	conversation_handle?: string;
	from?: string;
	to?: string;
	content?: string | null;
	media_url?: string | null;
	/** `iMessage`, `SMS`, `RCS`, or null while the channel is not known. */
	service?: string | null;
	/** Upper case (§3.1). */
	status?: string;
	is_outbound?: boolean;
	line_handle?: string;
	/** As the service wrote it, in ISO 8601 where that was a number; null while it has not been sent. */
	date_sent?: string | null;
	error_message?: string | null;
};

/**
 * The fields of a message in the order of a table's columns. What a person looks for comes first, as only the first columns
 * are in sight.
 */
export const MESSAGE_FIELDS = [
	'date_sent',
	'from',
	'to',
	'content',
	'status',
	'media_url',
	'service',
	'error_message',
	'is_outbound',
	'message_handle',
	'conversation_handle',
	'line_handle',
] as const satisfies Array<keyof Message>;

/** The message with its fields in order, also where it was put together from several answers. */
export function inOrder(message: Message): Message {
	const said = MESSAGE_FIELDS.filter((name) => message[name] !== undefined);
	return Object.fromEntries(said.map((name) => [name, message[name]]));
}

/** A JSON object whose fields are not checked yet. */
export type Fields = Record<string, unknown>;

/** Whether the value is a JSON object, arrays and null excluded. */
export function isFields(value: unknown): value is Fields {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The handle without the prefix `msg_` or `line_`, which only events have (§6.2). */
export function bareHandle(
	handle: string,
	prefix: (typeof PREFIXES)[keyof typeof PREFIXES],
): string {
	return handle.startsWith(prefix) ? handle.slice(prefix.length) : handle;
}

const SERVICE_BY_CHANNEL = new Map<string, string>(
	SERVICES.flatMap((name) => [
		[name, name],
		[name.toLowerCase(), name],
	]),
);

/** The channel in the service's spelling: `imessage` (§6.2) and `iMessage` (§2.2) are the same. */
export function serviceName(channel: string): string {
	return (
		SERVICE_BY_CHANNEL.get(channel) ?? SERVICE_BY_CHANNEL.get(channel.toLowerCase()) ?? channel
	);
}

/**
 * Makes a message of the fields that the service sent:
 *
 * ```ts
 * toMessage({ message_handle: 'msg_1', text: 'hi' }) // { message_handle: '1', content: 'hi' }
 * ```
 *
 * @returns only what the fields say; a field of the wrong type says nothing
 */
export function toMessage(fields: Fields): Message {
	const handle = handleText(fields.message_handle);
	const lineHandle = handleText(fields.line_handle);
	const channel = nullableText(firstSaid(fields.service, fields.channel));
	// In the order of MESSAGE_FIELDS.
	return onlySaid({
		date_sent: dateText(fields.date_sent),
		from: text(fields.from),
		to: text(fields.to),
		content: nullableText(firstSaid(fields.content, fields.text)),
		status: text(fields.status)?.toUpperCase(),
		media_url: nullableText(fields.media_url),
		service: channel && serviceName(channel),
		error_message: nullableText(fields.error_message),
		is_outbound: isOutbound(fields),
		message_handle: handle && text(bareHandle(handle, PREFIXES.message)),
		conversation_handle: handleText(fields.conversation_handle),
		line_handle: lineHandle && text(bareHandle(lineHandle, PREFIXES.line)),
	});
}

/**
 * Finds the fields of a message in an answer: in the body itself, or in its `message`, `data` or `data.message`.
 *
 * assumption: bodies that the document does not show (§4.4) may be wrapped like the events are (§6.2).
 *
 * @returns undefined when the body contains no message
 */
export function messageFields(body: unknown): Fields | undefined {
	if (!isFields(body)) return undefined;
	const inner = isFields(body.data) ? body.data.message : undefined;
	return [body, body.message, body.data, inner].find(
		(candidate): candidate is Fields =>
			isFields(candidate) && handleText(candidate.message_handle) !== undefined,
	);
}

/** Leaves out the fields without a value: n8n would show each as an empty column. */
function onlySaid(message: Message): Message {
	for (const name in message) {
		if (message[name as keyof Message] !== undefined) continue;
		return Object.fromEntries(Object.entries(message).filter(([, value]) => value !== undefined));
	}
	// Most rows have every field, and there can be a hundred thousand rows to copy.
	return message;
}

/** `is_outbound` as said, or as `direction` says it (§6.2). */
function isOutbound(fields: Fields): boolean | undefined {
	if (typeof fields.is_outbound === 'boolean') return fields.is_outbound;
	if (fields.direction === 'outbound') return true;
	if (fields.direction === 'inbound') return false;
	return undefined;
}

/** The value under the first of two names that the service used; null is a value where the other name has none. */
function firstSaid(value: unknown, otherwise: unknown): unknown {
	return value ?? (otherwise === undefined ? value : otherwise);
}

/** A text that says something; an empty one says nothing. */
function text(value: unknown): string | undefined {
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/**
 * A handle as a text, whether the service wrote it as one.
 *
 * assumption: a handle may be a number (§2.2 shows the form of a UUID).
 *
 * @returns undefined where the value is none
 */
export function handleText(value: unknown): string | undefined {
	return typeof value === 'number' && Number.isFinite(value) ? String(value) : text(value);
}

/** Null is a value: the service says that there is none, or that it is not known yet. */
function nullableText(value: unknown): string | null | undefined {
	return typeof value === 'string' || value === null ? value : undefined;
}

/** A date as a text; one that the service wrote as a number, in ISO 8601. */
function dateText(value: unknown): string | null | undefined {
	if (typeof value !== 'number') return nullableText(value);
	const timeMs = serviceTimeMs(value);
	return Number.isNaN(timeMs) ? undefined : new Date(timeMs).toISOString();
}
