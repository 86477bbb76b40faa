import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { toMessage, type Fields, type Message } from '../../message';
import { comparableNumber } from '../../phoneNumber';
import { reasonOf } from '../../reasonOf';
import { withinDeadline } from '../../transport/deadline';
import type { LineFields } from '../../transport/readLines';
import type { Connection } from '../../transport/request';
import { eventName, outcomeOf, type MessageContent, type MessageKind } from '../event';
import type { Arrival, Handover } from '../handover';
import type { TriggerCall } from '../nodeMemory';
import { toOutput } from '../output';
import { RunsUnderWay } from '../runsUnderWay';
import { KnownLines } from './knownLines';
import { NewestRows } from './newestRows';
import { connectNode } from '../secrets/connectNode';

/** How long an event waits at most for what it leaves out. */
const MOST_WAIT_MS = 3_000;

/**
 * Adds what the events leave out: §6.2 names no media and no conversation, §6.3 no line. It is read from the history
 * (§4.5) and the lines (§4.3). What cannot be read in time stays left out, as the event itself must not wait for it.
 *
 * @param simplify whether items take the one message shape; the service's own body stays as it is
 */
export async function completeMessages(
	call: TriggerCall<IExecuteFunctions>,
	arrivals: Arrival[],
	simplify: boolean,
): Promise<Arrival[]> {
	return await Promise.all(
		arrivals.map(async (arrival) => {
			const { handover } = arrival;
			if (!handover || handover.kind === 'save' || !handover.leavesOut) return arrival;
			return { ...arrival, handover: await completeHandover(call, handover, simplify) };
		}),
	);
}

type EventCarrier = Exclude<Handover, { kind: 'save' }>;

async function completeHandover(
	call: TriggerCall<IExecuteFunctions>,
	handover: EventCarrier,
	simplify: boolean,
): Promise<EventCarrier> {
	const { output, unsaid } = handover;
	if (unsaid && 'line' in unsaid) {
		const line = await withoutWaitingLong(call, unsaid.line, async (said, add) => {
			const known = (await call.memory.part(KnownLines).read(connector(call))).find(
				isLineOf(said.line_handle, said.number),
			);
			if (known) add({ ...known, ...said });
		});
		return { ...handover, unsaid: { kind: unsaid.kind, line } };
	}
	const { kind, message: said } = unsaid ?? {
		kind: output.event as MessageKind,
		message: toMessage(output),
	};
	const message = await withoutWaitingLong(call, said, async (known, add) => {
		if (handover.leavesOut === 'message') {
			known = add(fillIn(known, await findRow(call, handover.name, known)));
		}
		add(fillIn(known, await findLine(call, kind, known)));
	});
	if (message === said) return handover;
	const named = nameByOutcome(handover, { kind, message });
	return {
		...named,
		...(unsaid && { unsaid: { kind, message } }),
		...(named.kind === 'answer' && { message: fillIn(named.message, message) }),
		...(simplify && {
			output: toCompleteOutput(kind, { ...output, event_id: named.name }, message),
		}),
	};
}

/** The handover under its one name, where it now says how its message ended. */
function nameByOutcome(handover: EventCarrier, content: MessageContent): EventCarrier {
	const { otherName, ...rest } = handover;
	if (!otherName || outcomeOf(content.message) === undefined) return handover;
	return { ...rest, name: eventName({ ...content, body: {} }) };
}

/** What is known in the end; what is added too late, or cannot be found out, is left out. */
async function withoutWaitingLong<Known>(
	{ caller }: TriggerCall<IExecuteFunctions>,
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
		caller.logger.debug(
			`${caller.getNode().name} could not complete a message: ${reasonOf(thrown)}`,
		);
	}
	return known;
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
	const read = async () =>
		await runs.whileWaiting(call.nodeKey, name, async () => await newestRows.read(connector(call)));
	// Its row may come a moment after the event, and the execution that reads for all may be stopped.
	const first = await read().catch(() => undefined);
	return first?.get(handle) ?? (await read()).get(handle);
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
	const lines = await call.memory.part(KnownLines).read(connector(call));
	const line = lines.find(isLineOf(handle, number));
	return line ? toMessage({ line_handle: line.line_handle, [ours]: line.number }) : {};
}

const isLineOf =
	(handle: string | undefined, number: string | undefined) =>
	(line: LineFields): boolean =>
		handle
			? line.line_handle === handle
			: typeof line.number === 'string' && isSameNumber(line.number, number);

const connector = (call: TriggerCall<IExecuteFunctions>) => async (): Promise<Connection> =>
	await connectNode(call);

const isSameNumber = (one: string, other = ''): boolean =>
	comparableNumber(one) === comparableNumber(other);

/** The message with what it does not say and the other does; the same object where that is nothing. */
function fillIn(message: Message, other: Message = {}): Message {
	const isLeftOut = (name: string) =>
		[undefined, null, ''].includes(message[name as keyof Message] as string);
	const added = Object.entries(other).filter(([name, value]) => value !== null && isLeftOut(name));
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
