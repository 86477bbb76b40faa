import type { IExecuteFunctions } from 'n8n-workflow';
import type { Clock } from '../../clock';
import { toMessage, type Fields, type Message } from '../../message';
import { isSameNumber } from '../../phoneNumber';
import { reasonOf } from '../../reasonOf';
import { readNewest } from '../../service/history';
import { withinDeadline } from '../../service/pause';
import { KnownLines, readLines, type LineFields } from '../../service/lines';
import type { Connection } from '../../service/request';
import type { Arrival } from '../inbox';
import { eventName, outcomeOf, type MessageKind, type ServiceEvent } from '../event';
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
 * history (§4.5) and the lines (§4.3). What cannot be read in time stays left out, as the event itself must not wait for it.
 *
 * An event that says neither what a filter asks about nor how its message ended is completed in any case.
 */
export async function completeArrival(
	call: TriggerCall<IExecuteFunctions>,
	arrival: Arrival,
): Promise<Arrival> {
	const { settings } = call;
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
			.read(async () => await connectNode(call))
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

async function readKnownLines(call: TriggerCall<IExecuteFunctions>): Promise<LineFields[]> {
	const read = async () => await readLines(await connectNode(call));
	return await call.memory.part(KnownLines).read(read, call.clock.nowMs() - LINES_KNOWN_FOR_MS);
}

/** The message with what it does not say and the other does; the same object where that is nothing. */
function fillIn(message: Message, other: Message = {}): Message {
	const isLeftOut = (name: string) =>
		[undefined, null, ''].includes(message[name as keyof Message] as string);
	const added = Object.entries(other).filter(([name, value]) => value !== null && isLeftOut(name));
	return added.length === 0 ? message : { ...message, ...(Object.fromEntries(added) as Message) };
}

/** How often the history is read at most while less than half of the limit of all requests is left (§8.1). */
const BETWEEN_READINGS_MS = 1_000;

/** After this time a reading keeps the next one no longer waiting: nobody waits for its rows. */
const HANGS_AFTER_MS = 3_000;

/** Rows in the page that is read: the history also holds our own messages. */
const ROWS_FOR_EACH = 4;
const FEWEST_ROWS = 40;
const MOST_ROWS = 500;

/** The newest messages of the history, by handle. One reading serves all that wait for one. */
export class NewestRows {
	private waiting = 0;

	private lastReading: Promise<unknown> = Promise.resolve();

	private lastBeganAtMs = Number.NEGATIVE_INFINITY;

	/** The reading that has not begun, which may therefore still be joined. */
	private nextReading: Promise<Map<string, Message>> | undefined;

	constructor(private readonly clock: Clock) {}

	/**
	 * Reads the newest rows after now. What came after a reading had begun may be missing in it, so it waits for the next.
	 *
	 * @param connect called by the one of all who wait that reads
	 * @throws NodeApiError when the history cannot be read
	 */
	async read(connect: () => Promise<Connection>): Promise<Map<string, Message>> {
		this.waiting += 1;
		this.nextReading ??= this.begin(connect);
		return await this.nextReading;
	}

	private async begin(connect: () => Promise<Connection>): Promise<Map<string, Message>> {
		await withinDeadline(HANGS_AFTER_MS, this.lastReading).catch(() => undefined);
		const reading = this.readPage(connect);
		this.lastReading = reading.catch(() => undefined);
		return await reading;
	}

	private async readPage(connect: () => Promise<Connection>): Promise<Map<string, Message>> {
		let connection: Connection | undefined;
		let pageSize = FEWEST_ROWS;
		try {
			connection = await connect();
			await this.leaveRoom(connection);
		} finally {
			pageSize = Math.min(Math.max(this.waiting * ROWS_FOR_EACH, FEWEST_ROWS), MOST_ROWS);
			this.waiting = 0;
			this.nextReading = undefined;
			this.lastBeganAtMs = this.clock.nowMs();
		}
		return await readNewest(connection, pageSize);
	}

	private async leaveRoom({ account }: Connection): Promise<void> {
		if (account.limits.hasToSpare(this.clock.nowMs())) return;
		// A clock that is set back would make the pause as long as that.
		const sinceMs = Math.max(0, this.clock.nowMs() - this.lastBeganAtMs);
		if (sinceMs < BETWEEN_READINGS_MS) await this.clock.sleep(BETWEEN_READINGS_MS - sinceMs);
	}
}
