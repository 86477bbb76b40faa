import { createHash } from 'crypto';
import { EVENT_KINDS, PREFIXES, type EventKind, type Line } from '../contract';
import {
	bareHandle,
	handleText,
	isFields,
	toMessage,
	truth,
	type Fields,
	type Message,
} from '../message';
import { findMessage, findRecord, hasStatus } from '../service/answers';
import { serviceTimeMs } from '../serviceTime';

/** The kinds of events about lines (§6.1). */
export const LINE_KINDS = ['line_blocked', 'line_unblocked'] as const satisfies EventKind[];
type LineKind = (typeof LINE_KINDS)[number];

/** What an event says, in one shape for every form it comes in; the handle of a line is the one of the REST side. */
export type MessageContent = { kind: Exclude<EventKind, LineKind>; message: Message };
export type LineContent = { kind: LineKind; line: Partial<Line> };
export type EventContent = MessageContent | LineContent;

/** An event, whether a webhook brought it or a check found it. */
export type ServiceEvent = EventContent & {
	/** The service's own body, history row or line, untouched. */
	body: Fields;
	/** When the block began that a `line_unblocked` ends, as far as it is known: the event itself does not say (§6.3). */
	endedBlock?: string;
	/** The service's own ID of the event; the flat form (§6.3) and a check have none. */
	eventId?: string;
	createdAt?: string;
};

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
 * Reads the body of a webhook: the envelope of §6.2 or the flat form of §6.3.
 *
 * assumption: `outbound` has a message and line events have a line with the fields of §2, wherever in the body (§6.3 shows
 * neither). Of an event that has neither, its kind alone is known.
 */
export function readEvent(body: unknown): ServiceEvent | { kind: 'unknown'; reason: string } {
	if (!isFields(body)) return { kind: 'unknown', reason: 'no JSON object' };
	const kind = (body.type ?? body.event) as EventKind;
	if (!EVENT_KINDS.includes(kind)) {
		const reason = typeof kind === 'string' ? String(kind).slice(0, 40) : 'no kind of event';
		return { kind: 'unknown', reason };
	}
	const content = isLineKind(kind) ? readLine(kind, body) : readMessage(kind, body);
	return { ...content, body, eventId: text(body.id), createdAt: text(body.created_at) };
}

/**
 * The name an event goes by, whichever way it comes and however often: `receive:5f1c…`, `line_unblocked:9b2e…:1767258000000`.
 *
 * A message that was sent and could not be delivered after all has had two outcomes, and two events. An `outbound` event
 * that does not say its outcome has to be completed before it is recorded under its name.
 */
export function eventName(event: ServiceEvent): string {
	if ('line' in event) return lineName(event) ?? unnamed(event);
	const { kind, message } = event;
	if (!message.message_handle) return unnamed(event);
	const hasFailed = kind === 'outbound' && outcomeOf(message) === 'failed';
	return `${kind}:${message.message_handle}${hasFailed ? ':failed' : ''}`;
}

/** Whether nothing of an event is understood but its kind: its item then shows the body as it came. */
export const saysNothing = (event: EventContent): boolean =>
	Object.keys('message' in event ? event.message : event.line).length === 0;

/**
 * How sending a message ended; undefined where it does not say.
 *
 * assumption: a message that failed says `ERROR` or the reason (§2.2, §3.1).
 */
export function outcomeOf({ status, error_message: reason }: Message) {
	if (status === 'ERROR' || reason) return 'failed';
	return status === 'SENT' || status === 'DELIVERED' ? 'sent' : undefined;
}

/** The fields of §2.3 in a line's record, its handle without the prefix of events (§6.2). */
export function toLineFacts(fields: Fields): Partial<Line> {
	const facts: Fields = {};
	for (const name of LINE_FIELDS) if (fields[name] !== undefined) facts[name] = fields[name];
	const handle = handleText(fields.line_handle);
	const isActive = truth(fields.is_active);
	if (isActive !== undefined) facts.is_active = isActive;
	if (handle) facts.line_handle = bareHandle(handle, PREFIXES.line);
	return facts as Partial<Line>;
}

export const isLineKind = (kind: EventKind): kind is LineKind =>
	(LINE_KINDS as readonly EventKind[]).includes(kind);

function lineName({ kind, line, endedBlock, createdAt }: ServiceEvent & LineContent) {
	const id = line.line_handle ?? line.number;
	const moment = endedBlock ?? line.blocked_at ?? createdAt;
	if (!id || !moment) return undefined;
	// A moment is the same however it is written, to the second or to its fractions.
	const momentMs = Math.floor(serviceTimeMs(moment) / 1_000) * 1_000;
	return `${kind}:${id}:${Number.isNaN(momentMs) ? moment : momentMs}`;
}

function readMessage(kind: MessageContent['kind'], body: Fields): MessageContent {
	const data = isFields(body.data) ? body.data : body;
	// The message that it answers may stand before it.
	const shown = isFields(data.message) ? findMessage(data.message) : undefined;
	const said =
		shown ?? findMessage(body) ?? withHandle(findRecord(data, saysMessage), data === body);
	return { kind, message: toMessage(said) };
}

const saysMessage = (fields: Fields) =>
	hasStatus(fields) || ['content', 'text', 'from', 'to'].some((name) => name in fields);

/**
 * The fields of a message that has no `message_handle`, with its `id` for that.
 *
 * assumption: `outbound`, which the document does not show, may name a message so. In the flat form only the prefix of
 * §6.2 tells that the `id` is not the event's.
 */
function withHandle(fields: Fields = {}, isFlat: boolean): Fields {
	const handle = handleText(fields.message_id ?? fields.id);
	if (handle === undefined || handle.startsWith(PREFIXES.event)) return fields;
	const isHandle =
		!isFlat || fields.message_id !== undefined || handle.startsWith(PREFIXES.message);
	return isHandle ? { ...fields, message_handle: handle } : fields;
}

function readLine(kind: LineKind, body: Fields): LineContent {
	const names = (fields: Fields) => handleText(fields.line_handle ?? fields.number) !== undefined;
	return { kind, line: toLineFacts(findRecord(body.data ?? body, names) ?? {}) };
}

/** An event that nothing names is known by the service's own ID of it, or by all it says, which a redelivery repeats. */
function unnamed({ eventId, body }: ServiceEvent): string {
	return eventId ?? createHash('sha256').update(JSON.stringify(body)).digest('hex');
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
