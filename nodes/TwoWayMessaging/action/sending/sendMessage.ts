import { NodeOperationError } from 'n8n-workflow';
import type { Line, SendRequest } from '../../contract';
import { inOrder, type Message } from '../../message';
import { isTool } from '../../n8n/toolVariant';
import { refusalKind, refusalWords, serviceSentence, toNodeError } from '../../service/errors';
import { linesOfList, readLines, type LineFields } from '../../service/lines';
import type { Outcome } from '../../service/outcome';
import type { Run } from '../../service/run';
import type { Turn } from '../operation';
import { readContent, uploadContent } from './content';
import { deliver, type Delivery } from './deliver';
import { follow, undeliverableError } from './follow';
import { Ledger, nodeInExecution, type Entry } from './ledger';
import { deliverOnce, forgetOnce } from './once';
import { readSendingOptions, type SendingOptions } from './sendOptions';

/** The status of a message that was not sent, on purpose. It is the node's own word; no service says it. */
export const SKIPPED = 'SKIPPED';

/** How long what the service said of its lines counts: a line that was blocked a while ago may send again. */
const FRESH_MS = 60_000;

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
	const isKnown = entry.message !== undefined || entry.request !== undefined;
	const makeRequest = isKnown ? undefined : await readRequest(run, itemIndex, readAddress, options);
	return async () => {
		const message = await sendMessage(run, itemIndex, makeRequest, options);
		return async () => {
			const last = await follow(run, message, options.following, itemIndex);
			const error = undeliverableError(run, last, options.following, itemIndex);
			if (!error) return [inOrder(last)];
			run.results.set(itemIndex, 'undeliverable');
			await forgetOnce(run, entry);
			throw error;
		};
	};
}

/**
 * Reads what the request says (§2.1), and makes it in the item's turn: a file is uploaded then, as an upload for a message
 * that is not sent would count against its limit (§8.1).
 */
async function readRequest(
	run: Run,
	itemIndex: number,
	readAddress: () => Promise<Address>,
	options: SendingOptions,
): Promise<() => Promise<SendRequest>> {
	const content = readContent(run, itemIndex);
	const address = await readAddress();
	await refuseUnusableLine(run, address.line_handle, itemIndex, options);
	return async () => ({ ...address, ...(await uploadContent(run, content, itemIndex)) });
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
	if (lineHandle === undefined) return;
	const { lines, readAtMs } = await run.once('fresh lines', async () => ({
		lines: await linesOfList(run, itemIndex),
		readAtMs: run.clock.nowMs(),
	}));
	const line = lines?.find(({ line_handle: known }) => known === lineHandle);
	if (!line || run.clock.nowMs() - readAtMs > FRESH_MS) return;
	const mayBeBlocked = usesAnotherLine || onlyOnceFor !== undefined;
	const isInactive = line.is_active === false;
	if (!isInactive && (!line.blocked_at || mayBeBlocked)) return;
	const node = run.context.getNode();
	const kind = isInactive ? 'unknownLine' : 'lineBlocked';
	const { message, description } = refusalWords(kind, node.parameters);
	throw new NodeOperationError(node, `${message} [item ${itemIndex}]`, { description, itemIndex });
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
	const request = (own.request ??= await makeRequest?.());
	if (!request) throw new TypeError('A message without a request needs makeRequest');
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
	if (kindOf(refusal) !== 'optedOut' || !skipsOptedOut) {
		throw toNodeError(await run.connection(), refusal, itemIndex);
	}
	run.results.set(itemIndex, 'optedOut');
	return skipped(request, refusal.kind === 'answer' ? serviceSentence(refusal.body) : '');
}

const kindOf = (refusal: Outcome) => (refusal.kind === 'answer' ? refusalKind(refusal) : undefined);

/** Stands for a message that was not sent: the customer has opted out (§1.5), or has got it before. */
function skipped({ number, content }: SendRequest, reason: string | undefined): Message {
	const message: Message = { to: number, is_outbound: true, status: SKIPPED };
	if (content !== undefined) message.content = content;
	if (reason !== undefined) message.error_message = reason;
	return message;
}

/**
 * Delivers a message by its line, and by another one where that is blocked; a line that was blocked once is not tried again
 * in the run. The answer to a send names no line (§2.2), so the node chooses the line itself, and the item says which one it was.
 *
 * @returns the refusal, where the service has not accepted the message by any line
 */
async function deliverByAnyLine(run: Run, delivery: Delivery): Promise<Outcome | undefined> {
	const { request, entry, itemIndex } = delivery;
	const blocked = await run.once('blocked lines', async () => new Set<string>());
	let body = request;
	let refusal: Outcome | undefined;
	for (;;) {
		const { line_handle: handle } = body;
		if (handle === undefined || !blocked.has(handle)) {
			refusal = await deliver(run, { ...delivery, request: body });
			if (!refusal && entry.message && body !== request) {
				entry.message = { ...entry.message, line_handle: handle };
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
		body = entry.request = { ...request, line_handle: best.line_handle };
	}
}

/** How many new conversations a line has room for (§8.2). */
function roomOf({ limits }: LineFields): number {
	const { hourly, daily }: Partial<Line['limits']> = limits ?? {};
	return Math.min(hourly?.remaining ?? 0, daily?.remaining ?? 0);
}
