import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { Line, SendRequest } from '../../contract';
import { uploadBinary } from '../../fields/mediaFields';
import type { Message } from '../../message';
import { isTool } from '../../n8n/toolVariant';
import { shownValue, textValue } from '../../parameterValues';
import { refusalKind, refusalWords, serviceSentence, toNodeError } from '../../service/errors';
import { linesOfList, readLines, type LineFields } from '../../service/lines';
import type { Outcome } from '../../service/outcome';
import type { Run } from '../../service/run';
import { messageItem, type Turn } from '../operation';
import { readContent } from './content';
import { deliver, type Delivery } from './deliver';
import { follow, undeliverableError } from './follow';
import { Ledger, nodeInExecution, type Entry } from './ledger';
import { deliverOnce, forgetOnce } from './once';
import { readSendingOptions, type SendingOptions } from './sendOptions';

/** The status of a message that was not sent, on purpose. It is the node's own word; no service says it. */
export const SKIPPED = 'SKIPPED';

/** How long what the service said of its lines counts: a line that was blocked a while ago may send again. */
const FRESH_MS = 60_000;

const ALL_BLOCKED =
	"All of your lines are blocked. Wait until one is unblocked: the event 'Line Unblocked' of the Two-Way Messaging Trigger tells you when.";

/** Who gets a message, and the line that it leaves from (§2.1). */
export type Address = Pick<SendRequest, 'number' | 'line_handle'>;

/**
 * Reads an item that is a message. In its turn it is sent, and then followed as far as its options say:
 *
 * ```ts
 * read: async (run, itemIndex) => await readMessage(run, itemIndex, async () => await findReplyAddress(run, itemIndex)),
 * ```
 *
 * @param readAddress not called for a message that an earlier try has sent
 * @throws NodeApiError or NodeOperationError with the item's number
 */
export async function readMessage(
	run: Run,
	itemIndex: number,
	readAddress: () => Promise<Address>,
): Promise<Turn> {
	const entry = await run.memory.part(Ledger).entryOf(run, itemIndex);
	if (entry.message) run.results.set(itemIndex, 'sent');
	const options = readSendingOptions(run, itemIndex);
	let makeRequest: (() => Promise<SendRequest>) | undefined;
	if (!entry.message && !entry.request) {
		const address = await readAddress();
		entry.to = address.number;
		const { hasFile, ...content } = readContent(run, itemIndex);
		await refuseUnusableLine(run, address.line_handle, itemIndex, options);
		// An upload for a message that is not sent would count against its limit (§8.1).
		const upload = async () => hasFile && { media_url: await uploadBinary(run, itemIndex) };
		makeRequest = async () => ({ ...address, ...content, ...(await upload()) });
	}
	return async () => {
		const message = await sendMessage(run, itemIndex, makeRequest, options);
		return async () => {
			const last = await follow(run, message, options.following, itemIndex);
			const error = undeliverableError(run, last, options.following, itemIndex);
			if (!error) return [await itemOf(run, last, entry, itemIndex)];
			run.results.set(itemIndex, 'undeliverable');
			await forgetOnce(run, entry);
			throw error;
		};
	};
}

/** The item of a message, with the number that it left from, and why it left from there, where that is known. */
async function itemOf(
	run: Run,
	message: Message,
	{ note }: Entry,
	itemIndex: number,
): Promise<IDataObject> {
	const { from, line_handle: handle } = message;
	const lines = from === undefined && handle ? await linesOfList(run, itemIndex) : undefined;
	const line = lines?.find(({ line_handle: known }) => known === handle);
	if (note) run.notes.add(note);
	return { ...messageItem({ ...message, from: from ?? line?.number }), ...(note && { note }) };
}

/** What is known of an item whose message was not sent, or did not arrive. */
export async function fieldsOfUnsent(run: Run, itemIndex: number): Promise<IDataObject> {
	const entry = await run.memory.part(Ledger).entryOf(run, itemIndex);
	const { message } = entry;
	if (message) return await itemOf(run, { ...message, status: 'ERROR' }, entry, itemIndex);
	const given = (name: string) => {
		try {
			const value: unknown = run.context.getNodeParameter(name, itemIndex, '');
			return typeof value === 'object' ? shownValue(value) : textValue(value);
		} catch {
			return '';
		}
	};
	const to = given('number') || entry.to;
	const content = given('content');
	const isOpen = run.results.get(itemIndex) === 'unconfirmed';
	return {
		...(to && { to }),
		...(content && { content }),
		status: isOpen ? 'NOT CONFIRMED' : 'NOT SENT',
	};
}

/**
 * Refuses an item of a list whose line cannot send, before the first message of the list leaves, in the words for the
 * service's own refusal. The service itself refuses a single message.
 *
 * A blocked line is no reason where another one may send, nor with Send Only Once Per: most of such a list may have been sent
 * before, and what is left is sent by the next execution.
 */
async function refuseUnusableLine(
	run: Run,
	lineHandle: string | undefined,
	itemIndex: number,
	{ usesAnotherLine, onlyOnceFor }: SendingOptions,
): Promise<void> {
	const node = run.context.getNode();
	if (run.context.getInputData().length < 2) return;
	const { lines = [], readAtMs } = await run.once('fresh lines', async () => ({
		lines: await linesOfList(run, itemIndex),
		readAtMs: run.clock.nowMs(),
	}));
	for (const { line_handle: known, is_active: isActive, blocked_at: blockedAt, number } of lines) {
		if (lineHandle === undefined && isActive !== false && blockedAt) {
			run.notes.add(
				`The line ${number ?? known} is blocked, so customers who know it are texted from another one`,
			);
		}
		if (known !== lineHandle || run.clock.nowMs() - readAtMs > FRESH_MS) continue;
		const mayBeBlocked = usesAnotherLine || onlyOnceFor !== undefined;
		if (isActive !== false && (!blockedAt || mayBeBlocked)) continue;
		const kind = isActive === false ? 'unknownLine' : 'lineBlocked';
		const { message, description } = refusalWords(kind, node.parameters.operation);
		throw new NodeOperationError(node, message, { description, itemIndex });
	}
}

/**
 * Sends the message of an item, once however often n8n tries the item.
 *
 * @param makeRequest not called for a message of which an earlier try knows the request
 * @returns what the service said of the message, or what stands for a message that was skipped
 * @throws NodeApiError or NodeOperationError with the item's number
 */
export async function sendMessage(
	run: Run,
	itemIndex: number,
	makeRequest: (() => Promise<SendRequest>) | undefined,
	options = readSendingOptions(run, itemIndex),
): Promise<Message> {
	const { context } = run;
	const ledger = run.memory.part(Ledger);
	const own = await ledger.entryOf(run, itemIndex);
	if (own.message) return own.message;
	const request = (own.request ??= await makeRequest!());
	if (!isTool(context.getNode())) return await sendEntry(run, itemIndex, request, own, options);

	// An agent that was told of a lost answer may call again, and only what it sends tells then that it means the same message.
	const said = `said ${nodeInExecution(context)} ${JSON.stringify(request)}`;
	const before = ledger.find(said);
	const entry = own.lost || before?.state !== 'open' ? own : before;
	try {
		return await sendEntry(run, itemIndex, request, entry, options);
	} finally {
		if (entry.state === 'open') ledger.file(said, entry);
		else if (entry.message) ledger.markSent(own, entry.message);
	}
}

async function sendEntry(
	run: Run,
	itemIndex: number,
	request: SendRequest,
	entry: Entry,
	{ onlyOnceFor: words, sendsAgain, skipsOptedOut, usesAnotherLine }: SendingOptions,
): Promise<Message> {
	const delivery = { request, entry, sendsAgain, itemIndex };
	const send = usesAnotherLine ? deliverByAnyLine : deliver;
	const refusal =
		words === undefined ? await send(run, delivery) : await deliverOnce(run, delivery, words, send);
	if (refusal === 'sentBefore') {
		run.results.set(itemIndex, 'alreadySent');
		return skipped(request, `A message for “${words}” was sent before`);
	}
	if (!refusal) {
		run.results.set(itemIndex, 'sent');
		return entry.message ?? {};
	}
	// The service has not accepted the message, so the next try may send another text.
	entry.request = undefined;
	const kind = kindOf(refusal);
	if (kind === 'optedOut' && skipsOptedOut) {
		run.results.set(itemIndex, 'optedOut');
		return skipped(request, refusal.kind === 'answer' ? serviceSentence(refusal.body) : undefined);
	}
	const error = toNodeError(await run.connection(), refusal, itemIndex);
	const isChosen = request.line_handle !== undefined && !usesAnotherLine;
	if (kind === 'lineBlocked' && !isChosen) error.description = ALL_BLOCKED;
	throw error;
}

const kindOf = (refusal: Outcome) => (refusal.kind === 'answer' ? refusalKind(refusal) : undefined);

/** Stands for a message that was not sent: the customer has opted out (§1.5), or has got it before. */
const skipped = ({ number: to, content, line_handle }: SendRequest, reason?: string): Message => ({
	...{ to, content, status: SKIPPED, error_message: reason, is_outbound: true, line_handle },
});

/**
 * Delivers a message by its line, and by another one where that is blocked; a line that was blocked once is not tried again
 * in the run. The answer to a send names no line (§2.2), so the node chooses the line itself, and the item says which one it was.
 *
 * @returns the refusal, where the service has not accepted the message by any line
 */
async function deliverByAnyLine(run: Run, delivery: Delivery): Promise<Outcome | undefined> {
	const { request, entry, itemIndex } = delivery;
	const blocked = await run.once('blocked lines', async () => new Set<string>());
	let refusal: Outcome | undefined;
	for (let body = request, from: string | undefined, chosen: LineFields | undefined; ;) {
		const { line_handle: handle } = body;
		if (handle === undefined || !blocked.has(handle)) {
			refusal = await deliver(run, { ...delivery, request: body });
			if (!refusal && entry.message && body !== request) {
				entry.note = `The line ${chosen?.number ?? 'that was chosen'} is blocked, so ${from ?? handle} has sent in its place`;
				entry.message = { ...entry.message, from };
			}
			if (!refusal || kindOf(refusal) !== 'lineBlocked') return refusal;
			if (handle) blocked.add(handle);
		}
		// Not the lines that the run may have read before: a line was blocked since.
		const connection = await run.connection();
		const lines = await run.once(
			'usable lines',
			async () => await readLines(connection, itemIndex),
		);
		const [best] = lines
			.filter((line) => line.is_active !== false && !line.blocked_at)
			.filter((line) => !blocked.has(line.line_handle))
			.sort((one, other) => roomOf(other) - roomOf(one));
		// Without another line, the service says once more that the chosen one is blocked.
		if (!best) return refusal ?? (await deliver(run, delivery));
		chosen = lines.find((line) => line.line_handle === request.line_handle);
		from = best.number;
		body = entry.request = { ...request, line_handle: best.line_handle };
	}
}

/** How many new conversations a line has room for (§8.2). */
function roomOf({ limits }: LineFields): number {
	const { hourly, daily }: Partial<Line['limits']> = limits ?? {};
	return Math.min(hourly?.remaining ?? 0, daily?.remaining ?? 0);
}
