import type { IExecuteFunctions } from 'n8n-workflow';
import { inOrder, toMessage, type Fields, type Message } from '../../message';
import { isSameNumber } from '../../phoneNumber';
import { Rounds } from '../../queue';
import { readNewest } from '../../service/history';
import { withinDeadline } from '../../service/pause';
import { readLines, type LineFields } from '../../service/lines';
import type { Connection } from '../../service/request';
import type { Arrival } from '../inbox';
import { eventName, outcomeOf, type MessageContent } from '../event';
import { judge } from '../filters';
import type { TriggerCall } from '../nodeMemory';
import { connectNode } from '../signingSecrets';

/** How long an event waits at most for what it leaves out. */
const MOST_WAIT_MS = 3_000;

/** How long the lines are taken to have the same numbers. */
const LINES_KNOWN_FOR_MS = 10 * 60_000;

/** Pauses before each look for a row, which may come a moment after its event, and its picture a moment after that. */
const LOOK_PAUSES_MS = [0, 300, 700, 1_400];

/**
 * The arrival with what its event leaves out: §6.2 names no media and no conversation, §6.3 no line. It is read from the
 * history (§4.5) and the lines (§4.3). What cannot be read in time stays left out, as the event itself must not wait for it. One
 * that says neither what a filter asks about nor how its message ended is completed in any case.
 */
export async function completeArrival(
	call: TriggerCall<IExecuteFunctions>,
	arrival: Arrival,
): Promise<Arrival> {
	const { completeMessages, filters, simplify } = call.settings;
	const { event } = arrival;
	const wantsAll = simplify && completeMessages;
	const isUnsaid = judge(event, filters) === 'unsaid';
	if ('line' in event) {
		if (!isUnsaid) return arrival;
		const finding = findLine(call, event.line.line_handle, event.line.number);
		const line = await withinDeadline(MOST_WAIT_MS, finding).catch(() => undefined);
		return { ...arrival, event: { ...event, line: { ...line, ...event.line } } };
	}
	const isOutcomeUnsaid = event.kind === 'outbound' && outcomeOf(event.message) === undefined;
	const { conversation_handle: conversation, media_url: mediaUrl, from, to } = event.message;
	const isWhole =
		![conversation, mediaUrl, from, to].includes(undefined) && saysSomething(event.message);
	const lacksRow = isUnsaid || isOutcomeUnsaid || (wantsAll && !isWhole);
	const needsRow = lacksRow && !arrival.isFound;
	if (!needsRow && !(wantsAll || isUnsaid)) return arrival;
	const filled = { ...event };
	const filling = fillMessage(call, filled, needsRow);
	await withinDeadline(MOST_WAIT_MS, filling).catch(() => undefined);
	const { message } = filled;
	if (message === event.message) return arrival;
	// The fields come in the order of every message.
	const complete = { ...event, message: inOrder(message) };
	// What has no handle goes by all that it said.
	const name = message.message_handle ? eventName(complete) : arrival.name;
	return { ...arrival, event: complete, name };
}

/** Fills in what an event's message leaves out, piece by piece: when the time is over, it has what has come until then. */
async function fillMessage(
	call: TriggerCall<IExecuteFunctions>,
	event: MessageContent,
	needsRow: boolean,
): Promise<void> {
	const { kind } = event;
	const name = event.message.message_handle;
	for (const pauseMs of needsRow && name ? LOOK_PAUSES_MS : []) {
		if (pauseMs > 0) await call.clock.sleep(pauseMs);
		const row = await findRow(call, name);
		event.message = fillIn(event.message, row);
		if (row && saysSomething(row)) break;
	}
	const ours = kind === 'receive' ? 'to' : 'from';
	const { line_handle: handle, [ours]: number } = event.message;
	if (Boolean(handle) === Boolean(number)) return;
	const line = await findLine(call, handle, number);
	const said = line && toMessage({ line_handle: line.line_handle, [ours]: line.number });
	event.message = fillIn(event.message, said);
}

/** A message has a text or media, so that one without either leaves something out. */
function saysSomething({ content, media_url: mediaUrl, status }: Message): boolean {
	return Boolean(content) || Boolean(mediaUrl) || status === 'ERROR';
}

/** How often the history is read at most while less than half of the limit of all requests is left (§8.1). */
const BETWEEN_READINGS_MS = 1_000;

/** Rows in the page that is read: the history also holds our own messages. */
const ROWS_FOR_EACH = 4;
const FEWEST_ROWS = 40;

/** Readings of the newest rows of the history. Each serves all that wait for one. */
class NewestRows extends Rounds<Map<string, Message>> {
	waiting = 0;
	lastBeganAtMs = Number.NEGATIVE_INFINITY;
}

/** The row of a message among the newest of the history. A reading that has begun may lack it, so the next one is waited for. */
async function findRow(call: TriggerCall<IExecuteFunctions>, handle = '') {
	const { clock } = call;
	const newest = call.memory.part(NewestRows);
	newest.waiting += 1;
	let connection!: Connection;
	const prepare = async () => {
		connection = await connectNode(call);
		const waitMs = newest.lastBeganAtMs + BETWEEN_READINGS_MS - clock.nowMs();
		if (waitMs > 0 && !connection.account.limits.hasToSpare) {
			await clock.sleep(Math.min(waitMs, BETWEEN_READINGS_MS));
		}
	};
	const read = async () => {
		const pageSize = Math.max(newest.waiting * ROWS_FOR_EACH, FEWEST_ROWS);
		newest.waiting = 0;
		newest.lastBeganAtMs = clock.nowMs();
		// One that hangs keeps the next one no longer waiting than anybody waits for its rows.
		return await withinDeadline(MOST_WAIT_MS, readNewest(connection, pageSize));
	};
	// The execution that reads for all may be stopped.
	return (await newest.join(read, prepare).catch(() => undefined))?.get(handle);
}

/** The lines, as they were read last, and when. One reading serves all who wait for it. */
class KnownLines {
	lines?: Promise<LineFields[]>;
	readAtMs = 0;
}

/** The line of this ID, else of this number. */
async function findLine(
	call: TriggerCall<IExecuteFunctions>,
	handle: string | undefined,
	number: string | undefined,
): Promise<LineFields | undefined> {
	const known = call.memory.part(KnownLines);
	const nowMs = call.clock.nowMs();
	if (!known.lines || known.readAtMs < nowMs - LINES_KNOWN_FOR_MS) {
		known.readAtMs = nowMs;
		known.lines = connectNode(call).then(readLines);
		known.lines.catch(() => (known.lines = undefined));
	}
	return (await known.lines).find((line) =>
		handle ? line.line_handle === handle : isSameNumber(line.number, number),
	);
}

/** The message with what it does not say and the other does; the same object where that is nothing. */
function fillIn(message: Message, other: Message = {}): Message {
	const added: Fields = {};
	for (const [name, value] of Object.entries(other)) {
		const said = message[name as keyof Message] ?? '';
		if (said === '' && value !== null) added[name] = value;
	}
	return Object.keys(added).length === 0 ? message : { ...message, ...added };
}
