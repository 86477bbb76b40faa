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
import { serviceTimeMs } from '../serviceTime';

/** What an event of each kind is about (§6.1). */
const SUBJECTS = {
	receive: 'message',
	outbound: 'message',
	line_blocked: 'line',
	line_unblocked: 'line',
} as const satisfies Record<EventKind, 'message' | 'line'>;

type Subjects = typeof SUBJECTS;
type KindAbout<Subject> = {
	[Kind in EventKind]: Subjects[Kind] extends Subject ? Kind : never;
}[EventKind];

/** A line as far as an event describes it (§2.3); the handle is the one of the REST side. */
export type LineFacts = Partial<Line>;

export type MessageKind = KindAbout<'message'>;
export type LineKind = KindAbout<'line'>;

/** The kinds of events about lines. */
export const LINE_KINDS = EVENT_KINDS.filter(isLineKind);

/** What an event says, in one shape for every form it comes in. */
export type MessageContent = { kind: MessageKind; message: Message };
export type LineContent = { kind: LineKind; line: LineFacts };
export type EventContent = MessageContent | LineContent;

/** An event, whether a webhook brought it or a check found it. */
export type ServiceEvent = EventContent & {
	/** The service's own body, history row or line, untouched. */
	body: Fields;
	/** The service's own ID of the event; the flat form (§6.3) and a check have none. */
	eventId?: string;
	/** When the service made the event, as it said. */
	createdAt?: string;
};

/** A body without an event of a kind that the document names. */
export type UnknownEvent = { kind: 'unknown'; reason: string };

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
 * assumption: `outbound` has a message as `receive` does, in `data.message` or flat; line events have the
 * line in `data.line`, in `data` itself or flat (§6.3 shows neither).
 */
export function readEvent(body: unknown): ServiceEvent | UnknownEvent {
	if (!isFields(body)) return { kind: 'unknown', reason: 'no JSON object' };
	const type = body.type ?? body.event;
	const kind = EVENT_KINDS.find((known) => known === type);
	if (!kind) {
		const reason = typeof type === 'string' ? type.slice(0, 40) : 'no kind of event';
		return { kind: 'unknown', reason };
	}
	const content = isLineKind(kind) ? readLine(kind, body) : readMessage(kind, body);
	if (!content) return { kind: 'unknown', reason: `${kind} without its fields` };
	const eventId = text(body.id);
	const createdAt = text(body.created_at);
	return { ...content, body, ...(eventId && { eventId }), ...(createdAt && { createdAt }) };
}

/**
 * The name an event goes by, whichever way it comes and however often: the webhook, a redelivery and the history
 * row give it the same name.
 *
 * ```ts
 * eventName(event); // 'receive:5f1c…'
 * eventName(unblocked, '2026-01-01T09:00:00Z'); // 'line_unblocked:9b2e…:1767258000000'
 * ```
 *
 * @param endedBlock when the block began that a `line_unblocked` ends. The event does not say, and a check knows
 * nothing else, so that without it the webhook and the check give the event different names
 */
export function eventName(event: ServiceEvent, endedBlock?: string): string {
	const name =
		'message' in event
			? messageName(event, outcomeOf(event.message))
			: lineName(event, endedBlock ?? event.line.blocked_at ?? event.createdAt);
	return name ?? event.eventId ?? digest(event.body);
}

/**
 * The other name that an event may go by, where it does not say enough to tell: an `outbound` without an outcome can be
 * of a message that was sent, or of one that could not be.
 */
export function otherName(event: ServiceEvent): string | undefined {
	if (event.kind !== 'outbound' || outcomeOf(event.message) !== undefined) return undefined;
	return messageName(event, 'failed');
}

/**
 * How sending a message ended; undefined where it does not say.
 *
 * assumption: a message that failed says `ERROR` or the reason (§2.2, §3.1).
 */
export function outcomeOf({
	status,
	error_message: reason,
}: Message): 'sent' | 'failed' | undefined {
	if (status === 'ERROR' || reason) return 'failed';
	return status === 'SENT' || status === 'DELIVERED' ? 'sent' : undefined;
}

/** The fields of §2.3 in a line's record, its handle without the prefix of events (§6.2). */
export function toLineFacts(fields: Fields): LineFacts {
	const facts: Fields = {};
	for (const name of LINE_FIELDS) if (fields[name] !== undefined) facts[name] = fields[name];
	const handle = text(fields.line_handle);
	if (handle) facts.line_handle = bareHandle(handle, PREFIXES.line);
	return facts as LineFacts;
}

export function isLineKind(kind: EventKind): kind is LineKind {
	return SUBJECTS[kind] === 'line';
}

/** A message that was sent and could not be delivered after all has had two outcomes, and two events. */
function messageName(
	{ kind, message }: MessageContent,
	outcome: ReturnType<typeof outcomeOf>,
): string | undefined {
	const { message_handle: handle } = message;
	if (!handle) return undefined;
	return kind === 'outbound' && outcome === 'failed'
		? `${kind}:${handle}:failed`
		: `${kind}:${handle}`;
}

function lineName({ kind, line }: LineContent, moment?: string): string | undefined {
	const id = line.line_handle ?? line.number;
	if (!id || !moment) return undefined;
	// A moment is the same however it is written.
	const momentMs = serviceTimeMs(moment);
	return `${kind}:${id}:${Number.isNaN(momentMs) ? moment : momentMs}`;
}

function readMessage(kind: MessageKind, body: Fields): MessageContent | undefined {
	const inner = isFields(body.data) ? (body.data.message ?? body.data) : body;
	const message = toMessage(
		messageFields(body) ?? (isFields(inner) ? withHandle(inner, inner === body) : {}),
	);
	return Object.keys(message).length > 0 ? { kind, message } : undefined;
}

/**
 * The fields of a message that has no `message_handle`, with its `id` for that.
 *
 * assumption: `outbound`, which the document does not show, may name a message so. In the flat form only the prefix of
 * §6.2 tells that the `id` is not the event's.
 */
function withHandle(fields: Fields, isFlat: boolean): Fields {
	const { id } = fields;
	if (typeof id !== 'string') return fields;
	const isHandle = isFlat ? id.startsWith(PREFIXES.message) : !id.startsWith(PREFIXES.event);
	return isHandle ? { ...fields, message_handle: id } : fields;
}

function readLine(kind: LineKind, body: Fields): LineContent | undefined {
	const data = isFields(body.data) ? body.data : body;
	const line = toLineFacts(isFields(data.line) ? data.line : data);
	return line.line_handle || line.number ? { kind, line } : undefined;
}

/** An event that nothing names is known by all it says, which a redelivery repeats. */
function digest(body: Fields): string {
	return createHash('sha256').update(JSON.stringify(body)).digest('hex');
}

function text(value: unknown): string | undefined {
	return typeof value === 'string' ? value : undefined;
}
