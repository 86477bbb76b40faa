import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { toMessage, type Fields, type Message } from '../../message';
import { comparableNumber } from '../../phoneNumber';
import { reasonOf } from '../../reasonOf';
import { withinDeadline } from '../../transport/deadline';
import type { LineFields } from '../../transport/readLines';
import { connect, type Connection } from '../../transport/request';
import type { MessageKind } from '../event';
import type { Arrival } from '../handover';
import type { TriggerCall } from '../nodeMemory';
import { toOutput } from '../output';
import { RunsUnderWay } from '../runsUnderWay';
import { KnownLines } from './knownLines';
import { NewestRows } from './newestRows';

/** How long an event waits at most for what it leaves out. */
const MOST_WAIT_MS = 3_000;

/** How often the history is read for one event: its row may come a moment after it. */
const READINGS = 2;

/**
 * Adds what the events leave out: §6.2 names no media and no conversation, §6.3 no line. It is read from the history
 * (§4.5) and the lines (§4.3). What cannot be read in time stays left out, as the event itself must not wait for it.
 */
export async function completeMessages(
	call: TriggerCall<IExecuteFunctions>,
	arrivals: Arrival[],
): Promise<Arrival[]> {
	return await Promise.all(arrivals.map(async (arrival) => await completeArrival(call, arrival)));
}

async function completeArrival(
	call: TriggerCall<IExecuteFunctions>,
	arrival: Arrival,
): Promise<Arrival> {
	const { handover } = arrival;
	if (!handover || handover.kind === 'save' || !handover.leavesOut) return arrival;
	const { leavesOut, output } = handover;
	const kind = output.event as MessageKind;
	const said = toMessage(output);
	let message = said;
	try {
		await withinDeadline(
			MOST_WAIT_MS,
			(async () => {
				if (leavesOut === 'message') {
					message = fillIn(message, await findRow(call, handover.name, message));
				}
				message = fillIn(message, await findLine(call, kind, message));
			})(),
		);
	} catch (thrown) {
		const { caller } = call;
		caller.logger.debug(
			`${caller.getNode().name} could not complete a message: ${reasonOf(thrown)}`,
		);
	}
	if (message === said) return arrival;
	return { ...arrival, handover: { ...handover, output: toCompleteOutput(kind, output, message) } };
}

/** Finds the event's row in the history. All that come within a second wait for one reading. */
async function findRow(
	call: TriggerCall<IExecuteFunctions>,
	name: string,
	{ message_handle: handle }: Message,
): Promise<Message | undefined> {
	if (!handle) return undefined;
	const runs = call.processMemory.part(RunsUnderWay);
	const newestRows = call.memory.part(NewestRows);
	for (let reading = 0; reading < READINGS; reading += 1) {
		const read = async () => await newestRows.read(connector(call));
		const rows = await runs.whileWaiting(call.nodeKey, name, read);
		const row = rows.get(handle);
		if (row) return row;
	}
	return undefined;
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
	const isMeant = (line: LineFields) =>
		handle
			? line.line_handle === handle
			: typeof line.number === 'string' && isSameNumber(line.number, number);
	const line = (await call.memory.part(KnownLines).read(connector(call))).find(isMeant);
	return line ? toMessage({ line_handle: line.line_handle, [ours]: line.number }) : {};
}

const connector =
	({ caller, processMemory }: TriggerCall<IExecuteFunctions>) =>
	async (): Promise<Connection> =>
		await connect(caller, processMemory);

const isSameNumber = (one: string, other = ''): boolean =>
	comparableNumber(one) === comparableNumber(other);

/** The message with what it does not say and the other does; the same object where that is nothing. */
function fillIn(message: Message, other: Message = {}): Message {
	const added = Object.entries(other).filter(
		([name, value]) => value !== null && (message[name as keyof Message] ?? null) === null,
	);
	return added.length === 0 ? message : { ...message, ...(Object.fromEntries(added) as Message) };
}

function toCompleteOutput(kind: MessageKind, output: IDataObject, message: Message): IDataObject {
	const createdAt = typeof output.created_at === 'string' ? output.created_at : undefined;
	return toOutput(
		// The fields come in the order of every message.
		{ kind, message: toMessage(message as Fields), body: {}, ...(createdAt && { createdAt }) },
		String(output.event_id),
		output.recovered === true,
	);
}
