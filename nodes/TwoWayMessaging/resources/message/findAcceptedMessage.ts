import type { SendRequest } from '../../contract';
import { toMessage, type Message } from '../../message';
import { toE164 } from '../../phoneNumber';
import { serviceTimeMs, serviceTimeSpanMs } from '../../serviceTime';
import { historyPages } from '../../transport/historyPages';
import { stopIfCancelled } from '../../transport/pause';
import { earliestDateMs } from '../../transport/serviceClocks';
import { lookUntil } from '../lookUntil';
import type { Asker } from '../run';
import { AcceptedMessages } from './acceptedMessages';
import { asAnswered } from './asAnswered';
import { keptText } from './keptText';
import type { LostAnswer } from './sendAttempts';
import { keyOfSend, SendsInFlight } from './sendsInFlight';

/** Pauses before each look into the history: an accepted message may take a moment to appear there. */
const PAUSES_MS = [250, 1_000, 3_000];

/** How much one look reads: far more rows than the limits admit in the time of an attempt (§8.1). */
const PAGES = { pageSize: 100, mostPages: 10 };

/** Rows that may stand out of order. A row without a date below more of the older ones is an older one itself. */
const MOST_OUT_OF_ORDER = 3;

/** How often a look that waits for another send checks whether the execution was cancelled. */
const CANCEL_CHECK_MS = 200;

/** A message whose answer was lost. */
export type LostMessage = {
	request: SendRequest;
	lost: Pick<LostAnswer, 'sinceMs' | 'serviceOffsetMs'>;
	itemIndex: number;
	/** Whether a row may be the message; the one that says what the request says, unless something else is known of it. */
	isSame?: (row: Message) => boolean;
	/** How much one look reads; a few pages unless it is about an earlier day. */
	pages?: { pageSize: number; mostPages: number };
};

/** A row that may be the message. */
type Candidate = {
	row: Message;
	/** Whether it may as well be an earlier message, as it has been sent and does not say to the second when. */
	isUndated: boolean;
};

/**
 * Looks in the history, the source of truth (§4.5), for a message whose answer was lost.
 *
 * @returns `'undated'` when the history shows what may be the message or an earlier one; undefined when it shows neither
 * @throws NodeApiError when the history cannot be read
 */
export async function findAcceptedMessage(
	run: Asker,
	message: LostMessage,
): Promise<Message | 'undated' | undefined> {
	const connection = await run.connection();
	let lastSeen: 'undated' | undefined;
	const found = await lookUntil(connection, { pausesMs: PAUSES_MS }, async () => {
		const seen = await findInHistory(run, message);
		if (seen !== 'undated') return { found: seen };
		lastSeen = seen;
		return {};
	});
	return found ?? lastSeen;
}

async function findInHistory(
	run: Asker,
	message: LostMessage,
): Promise<Message | 'undated' | undefined> {
	const candidates = await readCandidates(run, message);
	if (candidates.size === 0) return undefined;
	await othersEnded(run, message);
	const acceptedMessages = run.memory.part(AcceptedMessages);
	// Nothing may be awaited from here on: another execution may be looking for the same words.
	const left = [...candidates].filter(
		([handle]) => acceptedMessages.acceptedAtMs(handle) === undefined,
	);
	const found = left.find(([, { isUndated }]) => !isUndated)?.[1].row;
	if (found) acceptedMessages.add(found);
	return found ?? (left.length > 0 ? 'undated' : undefined);
}

/**
 * The rows that may be the message, by handle: to the same number, with the same text, not older than the request, and not
 * known to another send.
 *
 * assumption: rows come newest first, some of them out of order (§4.5: not shown).
 */
async function readCandidates(
	run: Asker,
	{ request, lost, itemIndex, pages = PAGES, isSame }: LostMessage,
): Promise<Map<string, Candidate>> {
	const connection = await run.connection();
	const { accountId } = connection.settings;
	const acceptedMessages = run.memory.part(AcceptedMessages);
	const answered = asAnswered(connection, request);
	const mayBe = isSame ?? ((row: Message) => isSameMessage(row, answered));
	const candidates = new Map<string, Candidate>();
	let olderRows = 0;
	// The first answer tells the service's time, and n8n's clock may be set right before a later look.
	const learnOffset = () => (lost.serviceOffsetMs ??= connection.serviceClocks.offsetMs(accountId));
	for await (const rows of historyPages(connection, pages, itemIndex)) {
		learnOffset();
		const olderBefore = olderRows;
		for (const message of rows.map(toMessage)) {
			const { message_handle: handle } = message;
			// Two sends may not both be confirmed by a row, and only its handle tells that it was used.
			if (handle === undefined) continue;
			const acceptedMs = acceptedMessages.acceptedAtMs(handle);
			if (isOlder(message, acceptedMs, lost, olderRows)) olderRows += 1;
			else if (acceptedMs === undefined && mayBe(message)) {
				candidates.set(handle, { row: message, isUndated: isUndated(message, lost) });
			}
		}
		// One older row may stand out of order; a whole page of them ends the search.
		if (olderRows - olderBefore === rows.length) break;
	}
	learnOffset();
	return candidates;
}

/**
 * Whether a row is older than the request. A message that is still queued has no date (§2.2), and one that failed may have
 * none; where the service writes no dates, none has.
 *
 * @param acceptedMs when another send of this process got the message as its answer; undefined where none did
 */
function isOlder(
	{ date_sent: dateSent }: Message,
	acceptedMs: number | undefined,
	lost: LostMessage['lost'],
	olderRows: number,
): boolean {
	if (acceptedMs !== undefined) return acceptedMs < lost.sinceMs;
	const dateMs = serviceTimeMs(dateSent);
	if (Number.isNaN(dateMs)) return olderRows >= MOST_OUT_OF_ORDER;
	return dateMs + serviceTimeSpanMs(dateSent) < earliestDateMs(lost);
}

/**
 * Whether a row has been sent and does not say to the second when: the service may write no dates, or dates that cannot be
 * read or name the minute or the day, and an earlier message with the same text looks the same. Of the whole history no row
 * is too early.
 */
function isUndated(
	{ date_sent: dateSent, status, error_message: reason }: Message,
	{ sinceMs }: LostMessage['lost'],
): boolean {
	if (sinceMs === 0) return false;
	if (!Number.isNaN(serviceTimeMs(dateSent))) return serviceTimeSpanMs(dateSent) > 0;
	return status !== 'QUEUED' && status !== 'ERROR' && !reason;
}

/**
 * Waits for identical messages that are on their way: their answers may name a row that was read. Those that go out from
 * now on cannot be in it.
 */
async function othersEnded({ caller, clock, memory, connection }: Asker, { request }: LostMessage) {
	const { accountId } = (await connection()).settings;
	const ended = memory.part(SendsInFlight).ended(keyOfSend(accountId, request));
	if (!ended) return;
	let areEnded = false;
	const watched = ended.then(() => {
		areEnded = true;
	});
	while (!areEnded) {
		await Promise.race([watched, clock.sleep(CANCEL_CHECK_MS)]);
		stopIfCancelled(caller);
	}
}

/**
 * Same number, same text, and media in both or in neither: the service may serve media from a URL of its own. A row that
 * says nothing of media may have some, as §2.2 shows no field for it.
 */
function isSameMessage(message: Message, request: SendRequest): boolean {
	return (
		message.is_outbound !== false &&
		message.to !== undefined &&
		toE164(message.to) === request.number &&
		keptText(message.content) === keptText(request.content) &&
		(message.media_url === undefined || Boolean(message.media_url) === Boolean(request.media_url))
	);
}
