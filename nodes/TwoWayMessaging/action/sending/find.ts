import { createHash } from 'crypto';
import type { SendRequest } from '../../contract';
import { isOutbound, type Message } from '../../message';
import { toE164 } from '../../phoneNumber';
import { serviceTimeMs, serviceTimeSpanMs } from '../../serviceTime';
import { readRows } from '../../service/history';
import { pause } from '../../service/pause';
import { redactAll } from '../../service/redact';
import type { Connection } from '../../service/request';
import { inTurn, type Asker } from '../../service/run';
import { earliestDateMs, type Moment } from '../../service/account';
import { Ledger, type Entry } from './ledger';

/** Pauses before each look into the history: an accepted message may take a moment to appear there. */
const PAUSES_MS = [250, 1_000, 3_000];

/** How much one look reads: far more rows than the limits admit in the time of an attempt (§8.1). */
const PAGES = { pageSize: 100, mostPages: 10 };

/**
 * Rows that may stand out of order. A row without a date below more of the older ones is an older one itself, unless it is
 * still queued: a service may sort what has no date behind everything else.
 */
const MOST_OUT_OF_ORDER = 3;

const PRINT_DIGITS = 12;

/**
 * A text as any service may keep it: without spaces around it, in one Unicode form, with one kind of line end.
 *
 * assumption: a service changes a text in no other way (§2.2 shows `content` as sent).
 */
export function keptText(content: string | null | undefined): string {
	return (content ?? '').normalize('NFC').replace(/\r\n?/g, '\n').trim();
}

/** What identifies the row of a message: its number, its text without the secrets that no answer shows, and whether it has media. */
export function printOf({ settings }: Connection, { content, ...request }: SendRequest): string {
	return print({ ...request, content: redactAll(content ?? '', settings.secrets) });
}

type Said = { number: string; content?: string | null; media_url?: string | null };

/** The service may serve media from a URL of its own, so that only its presence counts. */
function print({ number, content, media_url: mediaUrl }: Said): string {
	const said = JSON.stringify([number, keptText(content), Boolean(mediaUrl)]);
	return createHash('sha256').update(said).digest('hex').slice(0, PRINT_DIGITS);
}

/** Whether a row may be the message with a print. A row that says nothing of media may have some, as §2.2 shows no field for it. */
function mayBeMessage(row: Message, itsPrint: string): boolean {
	const number = row.to === undefined ? undefined : toE164(row.to);
	if (isOutbound(row) === false || number === undefined) return false;
	const media = row.media_url === undefined ? [null, 'some'] : [row.media_url];
	return media.some((one) => print({ number, content: row.content, media_url: one }) === itsPrint);
}

/**
 * Lets sends and searches of messages that the history cannot tell apart go one after the other: a row that is found may
 * be the answer to another one. Its rows may say nothing of media (§2.2).
 */
export async function inTurnOfAlike<Result>(
	run: Asker,
	{ number, content }: SendRequest,
	work: () => Promise<Result>,
): Promise<Result> {
	const connection = await run.connection();
	const key = JSON.stringify(['alike', connection.settings.accountId, number, keptText(content)]);
	return await inTurn(run, key, work);
}

/** A message whose answer was lost. */
export type LostMessage = {
	request: SendRequest;
	/** Is marked as sent when the message is found. */
	entry: Entry;
	lost: Moment;
	itemIndex: number;
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
	run: Asker,
	message: LostMessage,
): Promise<'found' | 'undated' | undefined> {
	const connection = await run.connection();
	const ledger = run.memory.part(Ledger);
	let seen: 'undated' | undefined;
	for (const pauseMs of PAUSES_MS) {
		await pause(connection, pauseMs);
		const found = await inTurnOfAlike(run, message.request, async () => {
			const isWhole = message.pages !== undefined && pauseMs === PAUSES_MS.at(-1);
			const rows = await readRowsLike(run, message, isWhole);
			// Nothing may be awaited from here on: another execution may be looking for the same message.
			const left = rows.filter(
				({ message_handle: handle }) => ledger.sentAtMs(handle) === undefined,
			);
			const dated = left.find((row) => !isUndated(row, message.lost));
			if (dated) ledger.markSent(message.entry, dated);
			if (dated) return 'found';
			return left.length > 0 ? 'undated' : undefined;
		});
		if (found === 'found') return found;
		seen = found ?? seen;
	}
	return seen;
}

/**
 * The rows that may be the message, also behind older ones where the whole history is searched: with its print, and not older than the request. One without a handle cannot be told
 * from the row of another message, and is none.
 *
 * assumption: rows come newest first, some of them out of order (§4.5: not shown).
 */
async function readRowsLike(
	run: Asker,
	{ request, lost, itemIndex, print: known, pages = PAGES }: LostMessage,
	isWhole: boolean,
): Promise<Message[]> {
	const connection = await run.connection();
	const ledger = run.memory.part(Ledger);
	const itsPrint = known ?? printOf(connection, request);
	const alike: Message[] = [];
	let olderRows = 0;
	// The first answer tells the service's time, and n8n's clock may be set right before a later look.
	const learnOffset = () => (lost.serviceOffsetMs ??= connection.account.clockOffsetMs);
	const since = () => {
		learnOffset();
		return earliestDateMs(lost);
	};
	const reading = isWhole ? pages : { ...pages, since };
	for await (const rows of readRows(connection, reading, itemIndex)) {
		learnOffset();
		for (const { message: row } of rows) {
			const { message_handle: handle } = row;
			if (handle === undefined) continue;
			if (isOlder(row, ledger.sentAtMs(handle), lost, olderRows)) olderRows += 1;
			else if (mayBeMessage(row, itsPrint)) alike.push(row);
		}
	}
	learnOffset();
	return alike;
}

/**
 * Whether a row is older than the request. A message that is still queued has no date (§2.2), and one that failed may have
 * none; where the service writes no dates, none has.
 *
 * @param sentMs when this process learned of the message; undefined where it did not send it
 */
function isOlder(
	row: Message,
	sentMs: number | undefined,
	lost: Moment,
	olderRows: number,
): boolean {
	if (sentMs !== undefined) return sentMs < lost.sinceMs;
	const dateMs = serviceTimeMs(row.date_sent);
	if (Number.isNaN(dateMs)) return row.status !== 'QUEUED' && olderRows >= MOST_OUT_OF_ORDER;
	return dateMs + serviceTimeSpanMs(row.date_sent) < earliestDateMs(lost);
}

/**
 * Whether a row has been sent and does not say to the second when: the service may write no dates, or dates that cannot be
 * read or name the minute or the day, and an earlier message with the same text looks the same. Of the whole history no row
 * is too early.
 */
function isUndated(row: Message, { sinceMs }: Moment): boolean {
	const { date_sent: dateSent, status, error_message: reason } = row;
	if (sinceMs === 0) return false;
	if (!Number.isNaN(serviceTimeMs(dateSent))) return serviceTimeSpanMs(dateSent) > 0;
	return status !== 'QUEUED' && status !== 'ERROR' && !reason;
}
