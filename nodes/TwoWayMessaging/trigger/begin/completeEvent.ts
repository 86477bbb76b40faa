import type { IExecuteFunctions } from 'n8n-workflow';
import { toMessage, type Fields, type Message } from '../../message';
import { isSameNumber } from '../../phoneNumber';
import { reasonOf } from '../../reasonOf';
import { withinDeadline } from '../../service/pause';
import { readLines, type LineFields } from '../../service/lines';
import type { Connection } from '../../service/request';
import type { Arrival } from '../arrival';
import { eventName, outcomeOf, type MessageKind, type ServiceEvent } from '../event';
import { judge } from '../filters';
import type { TriggerCall } from '../nodeMemory';
import { connectNode } from '../signingSecrets';
import type { TriggerSettings } from '../settings';
import { NewestRows } from './newestRows';

/** How long an event waits at most for what it leaves out. */
const MOST_WAIT_MS = 3_000;

/** How long the lines are taken to have the same numbers. */
const LINES_KNOWN_FOR_MS = 10 * 60_000;

/** Pauses before each look for a row, which may come a moment after its event, and its picture a moment after that. */
const LOOK_PAUSES_MS = [0, 300, 700, 1_400];

/**
 * The arrival with what its event leaves out: §6.2 names no media and no conversation, §6.3 no line. It is read from the
 * history (§4.5) and the lines (§4.3). What cannot be read in time stays left out, as the event itself must not wait for it.
 *
 * An event that says neither what a filter asks about nor how its message ended is completed in any case.
 */
export async function completeArrival(
	call: TriggerCall<IExecuteFunctions>,
	arrival: Arrival,
	settings: TriggerSettings,
): Promise<Arrival> {
	const { event } = arrival;
	const wantsAll = settings.simplify && settings.completeMessages;
	const isUnsaid = judge(event, settings.filters) === 'unsaid';
	if (!('message' in event)) {
		const complete = isUnsaid ? await completeLine(call, event) : event;
		return { ...arrival, event: complete };
	}
	const isOutcomeUnsaid = event.kind === 'outbound' && outcomeOf(event.message) === undefined;
	const lacksRow = isUnsaid || isOutcomeUnsaid || (wantsAll && !isWhole(event.message));
	const needsRow = lacksRow && !arrival.isFound;
	if (!needsRow && !(wantsAll || isUnsaid)) return arrival;
	const message = await withoutWaitingLong(call, event.message, async (said, add) => {
		let known = said;
		if (needsRow) for await (const row of rowsOf(call, said)) known = add(fillIn(known, row));
		add(fillIn(known, await findLine(call, event.kind, known)));
	});
	if (message === event.message) return arrival;
	// The fields come in the order of every message.
	const complete = { ...event, message: toMessage(message as Fields) };
	// What has no handle goes by all that it said.
	const name = message.message_handle ? eventName(complete) : arrival.name;
	return { ...arrival, event: complete, name };
}

function isWhole(message: Message): boolean {
	return (
		message.conversation_handle !== undefined &&
		message.media_url !== undefined &&
		message.from !== undefined &&
		message.to !== undefined &&
		saysSomething(message)
	);
}

/** A message has a text or media, so that one without either leaves something out. */
function saysSomething({ content, media_url: mediaUrl, status }: Message): boolean {
	return Boolean(content) || Boolean(mediaUrl) || status === 'ERROR';
}

async function completeLine(
	call: TriggerCall<IExecuteFunctions>,
	event: Extract<ServiceEvent, { line: unknown }>,
): Promise<ServiceEvent> {
	const line = await withoutWaitingLong(call, event.line, async (said, add) => {
		const lines = await readKnownLines(call);
		const known = lines.find(isLineOf(said.line_handle, said.number));
		if (known) add({ ...known, ...said });
	});
	return { ...event, line };
}

/** What is known in the end; what is added too late, or cannot be found out, is left out. */
async function withoutWaitingLong<Known>(
	{ context }: TriggerCall<IExecuteFunctions>,
	said: Known,
	complete: (said: Known, add: (more: Known) => Known) => Promise<void>,
): Promise<Known> {
	let known = said;
	try {
		await withinDeadline(
			MOST_WAIT_MS,
			complete(said, (more) => (known = more)),
		);
	} catch (thrown) {
		context.logger.debug(
			`${context.getNode().name} could not complete a message: ${reasonOf(thrown)}`,
		);
	}
	return known;
}

/** The event's row in the history, looked for until it is there and says something. */
async function* rowsOf(
	call: TriggerCall<IExecuteFunctions>,
	{ message_handle: handle }: Message,
): AsyncGenerator<Message> {
	if (!handle) return;
	for (const pauseMs of LOOK_PAUSES_MS) {
		if (pauseMs > 0) await call.clock.sleep(pauseMs);
		// The execution that reads for all may be stopped.
		const rows = await call.memory
			.part(NewestRows)
			.read(connector(call))
			.catch(() => undefined);
		const row = rows?.get(handle);
		if (row) yield row;
		if (row && saysSomething(row)) return;
	}
}

/** Finds the number of a line that only its ID names, and the ID of one that only its number names. */
async function findLine(
	call: TriggerCall<IExecuteFunctions>,
	kind: MessageKind,
	message: Message,
): Promise<Message> {
	const ours = kind === 'receive' ? 'to' : 'from';
	const { line_handle: handle, [ours]: number } = message;
	if ((handle && number) || (!handle && !number)) return {};
	const lines = await readKnownLines(call);
	const line = lines.find(isLineOf(handle, number));
	return line ? toMessage({ line_handle: line.line_handle, [ours]: line.number }) : {};
}

const isLineOf =
	(handle: string | undefined, number: string | undefined) =>
	(line: LineFields): boolean =>
		handle ? line.line_handle === handle : isSameNumber(line.number, number);

/** The lines, as they were read last, and when. One reading serves all who wait for it. */
class KnownLines {
	lines?: Promise<LineFields[]>;

	readAtMs = 0;
}

async function readKnownLines(call: TriggerCall<IExecuteFunctions>): Promise<LineFields[]> {
	const known = call.memory.part(KnownLines);
	const nowMs = call.clock.nowMs();
	if (!known.lines || known.readAtMs < nowMs - LINES_KNOWN_FOR_MS) {
		known.readAtMs = nowMs;
		const lines = (known.lines = connectNode(call).then(readLines));
		lines.catch(() => (known.lines = undefined));
	}
	return await known.lines;
}

const connector = (call: TriggerCall<IExecuteFunctions>) => async (): Promise<Connection> =>
	await connectNode(call);

/** The message with what it does not say and the other does; the same object where that is nothing. */
function fillIn(message: Message, other: Message = {}): Message {
	const isLeftOut = (name: string) =>
		[undefined, null, ''].includes(message[name as keyof Message] as string);
	const added = Object.entries(other).filter(([name, value]) => value !== null && isLeftOut(name));
	return added.length === 0 ? message : { ...message, ...(Object.fromEntries(added) as Message) };
}
