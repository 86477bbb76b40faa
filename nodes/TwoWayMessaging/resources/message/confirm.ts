import type { SendRequest } from '../../contract';
import { toMessage, type Fields, type Message } from '../../message';
import { historyPages } from '../../transport/pages';
import { pause } from '../../transport/pause';
import type { Connection } from '../../transport/request';
import { toE164 } from '../phoneNumber';
import { knownSinceMs, noteAccepted } from './attempts';

/** When the history is looked at after a request without an answer: a message may take a moment to show. */
const LOOK_PAUSES_MS = [250, 1_000, 3_000];

/** How far the service's clock may be behind ours. */
const CLOCK_SKEW_MS = 120_000;

/** Rows a look reads at most: far more than the limits admit in the time of an attempt (§8.1). */
const PAGE_ROWS = 100;
const MOST_PAGES = 10;

/**
 * Looks in the history, the source of truth (§4.5), for a message whose answer was lost.
 *
 * @param sinceMs when the request went out
 * @returns the row; undefined when there is none
 * @throws NodeApiError when the history cannot be read
 */
export async function findAccepted(
	connection: Connection,
	request: SendRequest,
	sinceMs: number,
	itemIndex: number,
): Promise<Message | undefined> {
	for (const pauseMs of LOOK_PAUSES_MS) {
		await pause(connection.caller, pauseMs);
		let pages = 0;
		search: for await (const rows of historyPages(connection, { pageSize: PAGE_ROWS }, itemIndex)) {
			for (const row of rows) {
				const age = ageOf(row, sinceMs);
				if (age === 'older') break search;
				if (age === 'unknown' && matches(row, request)) return claim(row);
			}
			if (++pages === MOST_PAGES) break;
		}
	}
	return undefined;
}

/**
 * Whether a row can be the message: `older` rows, and all behind them, were there before it was sent;
 * `other` rows belong to a send that has its answer.
 *
 * assumption: rows come newest first (§4.5: not shown). A queued row has no date (§2.2).
 */
function ageOf(row: Fields, sinceMs: number): 'older' | 'other' | 'unknown' {
	const { message_handle: handle, date_sent: dateSent } = toMessage(row);
	const knownMs = handle === undefined ? undefined : knownSinceMs(handle);
	if (knownMs !== undefined) return knownMs < sinceMs ? 'older' : 'other';
	const sentMs = dateSent ? Date.parse(dateSent) : NaN;
	return sentMs < sinceMs - CLOCK_SKEW_MS ? 'older' : 'unknown';
}

/** Takes the row before anything is awaited: another execution may be looking for the same words. */
function claim(row: Fields): Message {
	const message = toMessage(row);
	if (message.message_handle !== undefined) noteAccepted(message.message_handle, Date.now());
	return message;
}

/** Same number, same text, media or none. The service may serve media from an address of its own. */
function matches(row: Fields, request: SendRequest): boolean {
	const message = toMessage(row);
	return (
		message.is_outbound !== false &&
		toE164(message.to ?? '') === request.number &&
		(message.content ?? '') === (request.content ?? '') &&
		Boolean(message.media_url) === Boolean(request.media_url)
	);
}
