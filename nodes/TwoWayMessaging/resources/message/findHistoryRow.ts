import { toMessage, type Message } from '../../message';
import { serviceTimeMs } from '../../serviceTime';
import { historyPages, PAGE_SIZE } from '../../transport/historyPages';
import type { Connection } from '../../transport/request';

/** Rows in one page of a search that ends at the message's own time: most messages are among the newest. */
const ROWS = 100;

/** Pages of a search for a message of which neither the conversation nor the time is known. */
const MOST_PAGES = 10;

/** How much older than a message a row may seem that stands above it. */
const DATE_TOLERANCE_MS = 60_000;

/**
 * Finds the row of a message in the history. The row names the conversation, in which the next search finds it at once;
 * before, a search reads on until the message's own time, however much was sent since.
 *
 * @returns undefined where the history does not show the message
 * @throws NodeApiError with the item's number when the history cannot be read
 */
export async function findHistoryRow(
	connection: Connection,
	{ message_handle: handle, conversation_handle: conversationHandle, date_sent: dateSent }: Message,
	itemIndex: number,
): Promise<Message | undefined> {
	const earliestMs = serviceTimeMs(dateSent) - DATE_TOLERANCE_MS;
	const isDated = !Number.isNaN(earliestMs);
	const pages = isDated ? { pageSize: ROWS } : { pageSize: PAGE_SIZE, mostPages: MOST_PAGES };
	for await (const rows of historyPages(connection, { ...pages, conversationHandle }, itemIndex)) {
		const messages = rows.map(toMessage);
		const row = messages.find((candidate) => candidate.message_handle === handle);
		if (row) return row;
		// Rows may stand out of order, so only a whole page of older ones ends the search.
		if (isDated && messages.every((one) => serviceTimeMs(one.date_sent) < earliestMs)) break;
	}
	return undefined;
}
