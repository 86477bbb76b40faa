import type { SendRequest } from '../../contract';
import { isOutbound, type Message } from '../../message';
import { toE164 } from '../../phoneNumber';
import { serviceTimeMs } from '../../serviceTime';
import { readRows } from '../../service/history';
import { pause } from '../../service/pause';
import type { Connection } from '../../service/request';
import { earliestDateMs, type Moment } from '../../service/account';
import { inTurnOfAlike, Ledger, print, printOf, type Entry } from './ledger';

/** Pauses before each look into the history: an accepted message may take a moment to appear there. */
const PAUSES_MS = [250, 1_000, 3_000];

/** How much one look reads: far more rows than the limits admit in the time of an attempt (§8.1). */
const PAGES = { pageSize: 100, mostPages: 10 };

/**
 * Rows that may stand out of order. A row without a date below more of the older ones is an older one itself, unless it is
 * still queued: a service may sort what has no date behind everything else.
 */
const MOST_OUT_OF_ORDER = 3;

/** Whether a row may be the message with a print. A row that says nothing of media may have some, as §2.2 shows no field for it. */
function mayBeMessage(row: Message, itsPrint: string): boolean {
	// A service may leave out the plus of its numbers.
	const number = [row.to, `+${row.to}`].map((to) => toE164(to ?? '')).find(Boolean);
	if (isOutbound(row) === false || number === undefined) return false;
	const media = row.media_url === undefined ? [null, 'some'] : [row.media_url];
	return media.some((one) => print({ number, content: row.content, media_url: one }) === itsPrint);
}

/** A message whose answer was lost. */
type LostMessage = {
	request: SendRequest;
	/** Is marked as sent when the message is found. */
	entry: Entry;
	lost: Moment;
	/** The print of the message; that of the request unless something else is known of it. */
	print?: string;
	/** How much one look reads; a few pages unless it is about an earlier day. */
	pages?: { pageSize: number; mostPages: number };
};

/**
 * Looks in the history, the source of truth (§4.5), for a message whose answer was lost.
 *
 * @returns `'undated'` when the history shows what may be the message or an earlier one; undefined when it shows neither
 * @throws NodeApiError when the history cannot be read
 */
export async function findLost(
	connection: Connection,
	message: LostMessage,
): Promise<'found' | 'undated' | undefined> {
	let seen: 'undated' | undefined;
	for (const pauseMs of PAUSES_MS) {
		await pause(connection, pauseMs);
		const found = await inTurnOfAlike(connection, message.request, async () => {
			const isWhole = message.pages !== undefined && pauseMs === PAUSES_MS.at(-1);
			const rows = await readRowsLike(connection, message, isWhole);
			const dated = rows.find((row) => !isUndated(row, message.lost));
			if (!dated) return rows.length > 0 ? 'undated' : undefined;
			connection.memory.part(Ledger).markSent(message.entry, dated);
			return 'found';
		});
		if (found === 'found') return found;
		seen = found ?? seen;
	}
	return seen;
}

/**
 * The rows that may be the message: with its print, not older than the request, and not those of other sends.
 *
 * assumption: rows come newest first, some of them out of order (§4.5: not shown).
 *
 * @param isWhole whether to read on behind older rows
 */
async function readRowsLike(
	connection: Connection,
	{ request, lost, print: known, pages = PAGES }: LostMessage,
	isWhole: boolean,
): Promise<Message[]> {
	const ledger = connection.memory.part(Ledger);
	const itsPrint = known ?? printOf(connection, request);
	const alike: Message[] = [];
	let olderRows = 0;
	// The first answer tells the service's time, and n8n's clock may be set right before a later look.
	const learnOffset = () => (lost.serviceOffsetMs ??= connection.account.clockOffsetMs);
	/** A message that is still queued has no date (§2.2), and one that failed may have none. */
	const isOlder = (row: Message) => {
		const dateMs = serviceTimeMs(row.date_sent);
		if (Number.isNaN(dateMs)) return row.status !== 'QUEUED' && olderRows >= MOST_OUT_OF_ORDER;
		return dateMs < earliestDateMs(lost);
	};
	const reading = isWhole ? pages : { ...pages, since: () => earliestDateMs(lost) };
	for await (const rows of readRows(connection, reading)) {
		learnOffset();
		for (const { message: row } of rows) {
			const { message_handle: handle } = row;
			// It cannot be told from the row of another message.
			if (handle === undefined) continue;
			// When this process learned of it; undefined where it did not send it.
			const sentMs = ledger.sentAtMs(handle);
			if (sentMs === undefined ? isOlder(row) : sentMs < lost.sinceMs) olderRows += 1;
			else if (sentMs === undefined && mayBeMessage(row, itsPrint)) alike.push(row);
		}
	}
	learnOffset();
	return alike;
}

/**
 * Whether a row has been sent and does not say to the second when: the service may write no dates, or dates that cannot be
 * read or name the minute or the day, and an earlier message with the same text looks the same. Of the whole history no row
 * is too early.
 */
function isUndated(row: Message, { sinceMs }: Moment): boolean {
	const { date_sent: dateSent, status, error_message: reason } = row;
	if (sinceMs === 0) return false;
	return (
		Number.isNaN(serviceTimeMs(dateSent)) && status !== 'QUEUED' && status !== 'ERROR' && !reason
	);
}
