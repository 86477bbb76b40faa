import type { SendRequest } from '../../contract';
import { toMessage, type Message } from '../../message';
import { toE164 } from '../../phoneNumber';
import { historyPages } from '../../transport/historyPages';
import { lookUntil } from '../lookUntil';
import type { Run } from '../run';
import { AcceptedMessages } from './acceptedMessages';

/** Pauses before each look into the history: an accepted message may take a moment to appear there. */
const PAUSES_MS = [250, 1_000, 3_000];

/** How far the service's clock may be behind ours. */
const CLOCK_SKEW_MS = 120_000;

/** How much one look reads: far more rows than the limits admit in the time of an attempt (§8.1). */
const PAGES = { pageSize: 100, mostPages: 10 };

/** A request whose answer is missing. */
type LostAnswer = { request: SendRequest; sentMs: number; itemIndex: number };

/**
 * Looks in the history, the source of truth (§4.5), for a message whose answer was lost.
 *
 * @returns undefined when the history does not show the message
 * @throws NodeApiError when the history cannot be read
 */
export async function findAcceptedMessage(
	run: Run,
	lostAnswer: LostAnswer,
): Promise<Message | undefined> {
	const connection = await run.connection();
	return await lookUntil(connection, { pausesMs: PAUSES_MS }, async () => ({
		found: await findInHistory(run, lostAnswer),
	}));
}

/** assumption: rows come newest first (§4.5: not shown). */
async function findInHistory(
	run: Run,
	{ request, sentMs, itemIndex }: LostAnswer,
): Promise<Message | undefined> {
	const acceptedMessages = run.memory.part(AcceptedMessages);
	for await (const rows of historyPages(await run.connection(), PAGES, itemIndex)) {
		for (const message of rows.map(toMessage)) {
			const origin = originOf(message, sentMs, acceptedMessages);
			if (origin === 'earlier') return undefined;
			if (origin === 'another send' || !isSameMessage(message, request)) continue;
			// Nothing may be awaited before this: another execution may be looking for the same words.
			acceptedMessages.add(message);
			return message;
		}
	}
	return undefined;
}

/**
 * Where a row of the history comes from, as far as this process knows. A message that is still queued has no date (§2.2).
 */
function originOf(
	{ message_handle: handle, date_sent: dateSent }: Message,
	sentMs: number,
	acceptedMessages: AcceptedMessages,
): 'earlier' | 'another send' | 'unknown' {
	const acceptedMs = handle === undefined ? undefined : acceptedMessages.acceptedAtMs(handle);
	if (acceptedMs !== undefined) return acceptedMs < sentMs ? 'earlier' : 'another send';
	const dateMs = dateSent ? Date.parse(dateSent) : Number.NaN;
	return dateMs < sentMs - CLOCK_SKEW_MS ? 'earlier' : 'unknown';
}

/** Same number, same text, and media in both or in neither: the service may serve media from a URL of its own. */
function isSameMessage(message: Message, request: SendRequest): boolean {
	return (
		message.is_outbound !== false &&
		toE164(message.to ?? '') === request.number &&
		(message.content ?? '') === (request.content ?? '') &&
		Boolean(message.media_url) === Boolean(request.media_url)
	);
}
