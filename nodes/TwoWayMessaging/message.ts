import { MESSAGE_STATUSES, PREFIXES, SERVICES } from './contract';
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

/** What the message says, its fields in order. n8n would show a field without a value as an empty column. */
export function inOrder(message: Message): Message {
	const said: Record<string, Message[keyof Message]> = {};
	for (const name of MESSAGE_FIELDS) if (message[name] !== undefined) said[name] = message[name];
	return said;
}

/** A JSON object whose fields are not checked yet. */
export type Fields = Record<string, unknown>;

/** Whether the value is a JSON object, arrays and null excluded. */
export function isFields(value: unknown): value is Fields {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The handle without the prefix `msg_` or `line_`, which only events have (§6.2). */
export function bareHandle(handle: string, prefix: string): string {
	return handle.startsWith(prefix) ? handle.slice(prefix.length) : handle;
}

/** 11 to 15 digits. assumption: where both numbers of a message look like this, the service left out the plus (§2.1). */
const WITHOUT_PLUS = /^[1-9]\d{10,14}$/;

/** The channel in the service's spelling: `imessage` (§6.2) and `iMessage` (§2.2) are the same. */
export function serviceName(channel: string): string {
	const said = channel.toLowerCase();
	for (const name of SERVICES) if (name.toLowerCase() === said) return name;
	return channel;
}

/**
 * Makes a message of the fields that the service sent:
 *
 * ```ts
 * toMessage({ message_handle: 'msg_1', text: 'hi' }) // { message_handle: '1', content: 'hi' }
 * ```
 *
 * assumption: a row may have other names for what the events call `from`, `to`, `content`, `media_url` and `status` (§2.6).
 *
 * @returns only what the fields say; a field of the wrong type says nothing
 */
export function toMessage(fields: Fields): Message {
	const handle = handleText(fields.message_handle);
	const lineHandle = handleText(fields.line_handle);
	const channel = nullableText(saidIn(fields, 'service', 'channel'));
	const isSent = saidOutbound(fields);
	// A row may name only the customer, as the request does (§2.1).
	const customer = saidIn(fields, 'number', 'phone_number');
	const sender = saidIn(fields, 'from', 'from_number', 'sender');
	const from = handleText(sender ?? (isSent === false && customer));
	const to = handleText(saidIn(fields, 'to', 'to_number', 'recipient') ?? (isSent && customer));
	// A service that writes one number with a plus writes both so; short codes and names stay as they are.
	const plus = from && to && WITHOUT_PLUS.test(from) && WITHOUT_PLUS.test(to) ? '+' : '';
	const message: Message = {
		date_sent: dateText(fields.date_sent),
		from: from && plus + from,
		to: to && plus + to,
		content: nullableText(saidIn(fields, 'content', 'text', 'body')),
		status: statusIn(fields) ?? nullableText(fields.status)?.toUpperCase(),
		media_url: mediaIn(saidIn(fields, 'media_url', 'media', 'attachments')),
		service: channel && serviceName(channel),
		error_message: nullableText(fields.error_message),
		is_outbound: isSent,
		message_handle: handle && bareHandle(handle, PREFIXES.message),
		conversation_handle: handleText(fields.conversation_handle),
		line_handle: lineHandle && bareHandle(lineHandle, PREFIXES.line),
	};
	// Most rows have every field, and are not copied.
	return Object.values<unknown>(message).includes(undefined) ? inOrder(message) : message;
}

/** The first value under one of the names; null counts only where no other name says more. */
function saidIn(fields: Fields, ...names: string[]): unknown {
	let said: unknown;
	for (const name of names) if (fields[name] !== undefined) said ??= fields[name];
	return said;
}

const STATUSES: ReadonlySet<unknown> = new Set(MESSAGE_STATUSES);

/**
 * How far a message has come, as its record says (§3.1); an `ok` or `success` of the answer itself is no such word.
 *
 * @returns undefined where the record does not say
 */
export function statusIn(fields: Fields): string | undefined {
	for (const name of ['status', 'state', 'message_status', 'delivery_status']) {
		const said = String(fields[name]).trim().toUpperCase();
		if (STATUSES.has(said)) return said;
	}
	return undefined;
}

/** The URL of a picture, which may be the first in a list. */
function mediaIn(said: unknown): string | null | undefined {
	const first: unknown = Array.isArray(said) ? said[0] : said;
	return nullableText(isFields(first) ? (first.media_url ?? first.url) : first);
}

/** A truth value, in whatever form a service writes it; undefined for what is none. */
export function truth(value: unknown): boolean | undefined {
	if (typeof value === 'boolean') return value;
	const said = String(value).toLowerCase();
	if (said === '1' || said === 'true') return true;
	return said === '0' || said === 'false' ? false : undefined;
}

/** `is_outbound` as said, or as `direction` says it (§6.2). */
function saidOutbound({ is_outbound: isOutbound, direction }: Fields): boolean | undefined {
	if (typeof isOutbound === 'boolean') return isOutbound;
	const said = String(direction).toLowerCase();
	if (said.startsWith('out')) return true;
	return said.startsWith('in') ? false : truth(isOutbound);
}

/** Whether a message was sent, rather than received: as it says, or as its status does (§3.1). */
export function isOutbound({ is_outbound: said, status }: Message): boolean | undefined {
	if (said !== undefined || status === undefined) return said;
	return STATUSES.has(status) ? status !== 'RECEIVED' : undefined;
}

/** The numbers of the customer and of the line, as the message says them. */
export function numbersOf(message: Message): { customer?: string; line?: string } {
	const { from, to } = message;
	const isSent = isOutbound(message);
	if (isSent === undefined) return {};
	return isSent ? { customer: to, line: from } : { customer: from, line: to };
}

/** What is known of a message, with its row of the history. A row that lags behind does not take back what is known. */
export function withRow(known: Message, row: Message): Message {
	const isBehind = row.status === 'QUEUED' && known.status !== 'QUEUED';
	return isBehind ? { ...row, ...known } : { ...known, ...row };
}

/**
 * A handle as a text, also where the service wrote a number.
 *
 * assumption: a handle may be a number (§2.2 shows the form of a UUID).
 *
 * @returns undefined where the value is none
 */
export function handleText(value: unknown): string | undefined {
	if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
	return typeof value === 'string' && value !== '' ? value : undefined;
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
