import type { IDataObject } from 'n8n-workflow';
import type { SendRequest } from '../../contract';
import { isLineOfNode, nameOf, readChosenLine } from '../../fields/lineField';
import { readPhoneNumber } from '../../fields/phoneNumberField';
import { refusal } from '../../fields/readField';
import type { Message } from '../../message';
import { isTool } from '../../n8n/agentTools';
import { shownValue, textValue } from '../../parameterValues';
import { explain, refusalKind, refusalWords, toNodeError } from '../../service/errors';
import { knownLines, linesOf, type LineFields } from '../../service/lines';
import type { Outcome } from '../../service/outcome';
import { stopIfCancelled } from '../../service/pause';
import type { Item } from '../../service/request';
import { messageItem, type Operation } from '../operation';
import { deliver, type Delivery, type Watch } from './deliver';
import { follow, undeliverableError } from './follow';
import { Ledger, nodeInExecution, type Entry } from './ledger';
import { deliverOnce, forgetOnce } from './once';
import { readRequest, readSendingOptions, type Address, type SendingOptions } from './sendFields';

/** The status of a message that was not sent, on purpose. It is the node's own word; no service says it. */
export const SKIPPED = 'SKIPPED';

/**
 * What an operation does that sends a message for each item: in its turn it is sent, and then followed as far as its options say.
 *
 * @param addressOf not called for a message that an earlier try has sent
 */
export const sendingTo = (
	addressOf: (item: Item) => Promise<Address>,
): Pick<Operation, 'sends' | 'fieldsOfFailed' | 'read'> => ({
	sends: true,
	fieldsOfFailed: fieldsOfUnsent,

	async read(item) {
		const entry = await item.memory.part(Ledger).entryOf(item);
		const options = readSendingOptions(item);
		let makeRequest: (() => Promise<SendRequest>) | undefined;
		if (!entry.message && !entry.request) {
			const address = await addressOf(item);
			entry.to = address.number;
			makeRequest = readRequest(item, address);
			const { line_handle: line } = address;
			if (line !== undefined) await refuseUnusableLine(item, line, options);
		}
		return async () => {
			const message = await sendMessage(item, makeRequest, options);
			return async () => {
				const last = await follow(item, message, options.following);
				const error = undeliverableError(item, last, options.following);
				if (!error) return [{ json: await itemOf(item, last, entry) }];
				await forgetOnce(item, entry);
				throw error;
			};
		};
	},
});

export async function readAddress(item: Item): Promise<Address> {
	const number = readPhoneNumber(item);
	const lineHandle = await readChosenLine(item);
	return { number, ...(lineHandle && { line_handle: lineHandle }) };
}

/** The item of a message, with the number that it left from, and why it left from there, where that is known. */
async function itemOf(item: Item, message: Message, { isMoved }: Entry): Promise<IDataObject> {
	const { from, line_handle: handle } = message;
	const isIt = ({ line_handle: known }: LineFields) => known === handle;
	const lines = from === undefined && handle ? await linesOfList(item) : [];
	const line = lines.find(isIt);
	const sender = isMoved && handle ? (await knownLines(item)).find(isIt) : undefined;
	const note =
		isMoved && `The chosen line is blocked, so ${sender ? nameOf(sender) : 'another one'} has sent`;
	if (note) item.notes.add(note);
	const sent = { ...message, from: from ?? line?.number };
	return { ...messageItem(sent), ...(note && { note }) };
}

/** Notes where a run has sent the same message, with the same file and from the same line, before. */
async function noteRepeated(item: Item, request: SendRequest): Promise<void> {
	const sent = await item.once('sent messages', async () => new Set<string>());
	const isFirst = sent.size < sent.add(JSON.stringify(request)).size;
	if (!isFirst) {
		item.notes.add(
			'The list has the same message for a customer more than once, and each was sent. With the option Send Only Once Per, a customer gets one.',
		);
	}
}

/** What is known of an item whose message was not sent, or did not arrive. */
async function fieldsOfUnsent(item: Item): Promise<IDataObject> {
	const entry = await item.memory.part(Ledger).entryOf(item);
	const { message } = entry;
	if (message) return await itemOf(item, { ...message, status: 'ERROR' }, entry);
	const given = (name: string) => {
		try {
			const value: unknown = item.context.getNodeParameter(name, item.itemIndex, '');
			return typeof value === 'object' ? shownValue(value) : textValue(value);
		} catch {
			return '';
		}
	};
	const to = given('number') || entry.to;
	const content = given('content');
	return {
		...(to && { to }),
		...(content && { content }),
		status: entry.state === 'open' ? 'NOT CONFIRMED' : 'NOT SENT',
		is_outbound: true,
	};
}

/** The lines that the items of a list are compared with; none for a single item, and where they cannot be read. */
async function linesOfList(item: Item): Promise<LineFields[]> {
	if (item.context.getInputData().length === 1) return [];
	return await item.once('lines of list', async () => {
		return await linesOf(item).catch(() => {
			stopIfCancelled(item.context);
			return [];
		});
	});
}

/**
 * Refuses an item of a list whose line cannot send, before the first message of the list leaves. A blocked line is no reason
 * where another one may send, nor with Send Only Once Per: what is left of the list is sent by the next execution.
 */
async function refuseUnusableLine(
	item: Item,
	lineHandle: string,
	{ usesAnotherLine, onlyOnceFor }: SendingOptions,
): Promise<void> {
	const lines = await linesOfList(item);
	if (lines.length === 0) return;
	const line = lines.find(({ line_handle: known }) => known === lineHandle);
	const isUsable = line !== undefined && line.is_active !== false;
	const mayBeBlocked = usesAnotherLine || onlyOnceFor !== undefined;
	if (isUsable && (!line.blocked_at || mayBeBlocked)) return;
	const kind = isUsable ? 'lineBlocked' : 'unknownLine';
	const { of, whose } = await refusedSend(item, kind, lineHandle);
	throw refusal(whose, refusalWords(kind, of));
}

/** What a refusal is about, and whose it is: of no item where it is about a line that all items share. */
async function refusedSend(item: Item, kind: ReturnType<typeof kindOf>, line: string | undefined) {
	const { operation } = item.context.getNode().parameters;
	const isOfLine = kind === 'lineBlocked' || kind === 'unknownLine';
	const lines = isOfLine && line !== undefined ? await knownLines(item) : [];
	const known = lines.find(({ line_handle: handle }) => handle === line);
	const isUnlisted = lines.length > 0 && !known;
	const blockReason = textValue(known?.block_reason).trim();
	const isOfAll = isOfLine && (line === undefined || isLineOfNode(item));
	return {
		of: { operation, line: known ? nameOf(known) : line, isUnlisted, blockReason },
		whose: isOfAll ? { ...item, itemIndex: undefined } : item,
	};
}

/**
 * Sends the message of an item, once however often n8n tries the item.
 *
 * @param makeRequest not called for a message of which an earlier try knows the request
 * @returns what the service said of the message, or what stands for a message that was skipped
 */
export async function sendMessage(
	item: Item,
	makeRequest: (() => Promise<SendRequest>) | undefined,
	options = readSendingOptions(item),
	watch?: Watch,
): Promise<Message> {
	const { context } = item;
	const { onlyOnceFor: words, sendsAgain, skipsOptedOut, usesAnotherLine } = options;
	const ledger = item.memory.part(Ledger);
	const own = await ledger.entryOf(item);
	if (own.message) return own.message;
	const request = (own.request ??= await makeRequest!());
	// An agent that was told of a lost answer may call again, and only what it sends tells then that it means the same message.
	const said = `said ${nodeInExecution(context)} ${JSON.stringify(request)}`;
	const before = isTool(context.getNode()) ? ledger.find(said) : undefined;
	const entry = before?.state === 'open' ? before : own;
	if (isTool(context.getNode())) ledger.file(said, entry);
	const delivery = { request, entry, sendsAgain, watch };
	const send = async (one: Delivery) =>
		usesAnotherLine ? await deliverByAnyLine(item, one) : await deliver(item, one);
	let refused: Outcome | 'sentBefore' | undefined;
	try {
		refused =
			words === undefined ? await send(delivery) : await deliverOnce(item, delivery, words, send);
	} finally {
		if (entry !== own) Object.assign(own, { ...entry, token: own.token });
	}
	if (refused === 'sentBefore') {
		own.skipped = 'sent before';
		return skipped(request, `A message for “${words}” was sent before`);
	}
	if (!refused) {
		// A question has no such option, and where it is set, what is sent is meant.
		if (!watch && words === undefined) await noteRepeated(item, request);
		return entry.message ?? {};
	}
	const { line_handle: line } = entry.request ?? request;
	// The service has not accepted the message, so the next try may send another text.
	own.request = entry.request = undefined;
	const kind = kindOf(refused);
	if (kind === 'optedOut' && skipsOptedOut) {
		own.skipped = 'opted out';
		return skipped(request, refusalWords(kind).message);
	}
	const { of, whose } = await refusedSend(item, kind, line);
	throw toNodeError(whose, refused, explain(refused, item.settings.baseUrl, of));
}

const kindOf = (outcome: Outcome) => (outcome.kind === 'answer' ? refusalKind(outcome) : undefined);

/** Stands for a message that was not sent: the customer has opted out (§1.5), or has got it before. */
const skipped = ({ number: to, content, line_handle }: SendRequest, reason?: string): Message => ({
	...{ to, content, status: SKIPPED, error_message: reason, is_outbound: true, line_handle },
});

/**
 * Delivers a message by its line, and where that is blocked, by any active one, which the service chooses (§2.1). A line that
 * was blocked once is not tried again in the run.
 */
async function deliverByAnyLine(item: Item, delivery: Delivery): Promise<Outcome | undefined> {
	const { line_handle: line, ...request } = delivery.request;
	const blocked = await item.once('blocked lines', async () => new Set<string>());
	if (line === undefined || !blocked.has(line)) {
		const outcome = await deliver(item, delivery);
		if (line === undefined || !outcome || kindOf(outcome) !== 'lineBlocked') return outcome;
		blocked.add(line);
	}
	delivery.entry.request = request;
	const outcome = await deliver(item, { ...delivery, request });
	if (!outcome) delivery.entry.isMoved = true;
	return outcome;
}
