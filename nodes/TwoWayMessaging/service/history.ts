import type { IDataObject } from 'n8n-workflow';
import { PATHS } from '../contract';
import {
	handleText,
	inOrder,
	isFields,
	isOutbound,
	toMessage,
	truth,
	type Fields,
	type Message,
} from '../message';
import { comparableNumber } from '../phoneNumber';
import { serviceTimeMs } from '../serviceTime';
import { findRows, isMessage, saidAs } from './answers';
import { toNodeError } from './errors';
import { askInTurn, askUntilReadable, isSuccess } from './ask';
import { readLines } from './lines';
import type { Outcome } from './outcome';
import { sendRequest, type Connection } from './request';

/** Rows in one page. assumption: `limit` sets the size of a page (§4.5: not shown). */
export const PAGE_SIZE = 500;

/** Rows in one page of a search for a few rows, which others may stand between. */
export const FEW_ROWS = 100;

/** Pages of a search for a message of which nothing says how far back it is. */
const MOST_PAGES = 10;

/** A row counts as older than the wanted ones only when it is dated this much before them: dates may be out of order. */
const DATE_TOLERANCE_MS = 60_000;

/** So many older rows one after the other end a reading, and so does a whole page of them: rows may be out of order. */
const MOST_OLDER = 100;

/** So many pages in a row may bring nothing new: a page may hold only what is hidden, or come again as new rows moved all others. */
const MOST_PAGES_WITHOUT_NEWS = 10;

export type HistoryRow = {
	message: Message;
	/** As the service sent it. */
	body: Fields;
};

/** What is read of the history. */
export type Reading = {
	conversationHandle?: string;
	/** The handle of the message before which it begins; the newest row when it is absent. */
	before?: string;
	/** Ends the reading at older rows; in Unix ms of the service's clock. It is asked after each page, as that may tell more. */
	since?: () => number;
	/** Whether a row without a date is an older one. Unless it says so, such a row says nothing. */
	isPast?: (message: Message) => boolean;
	/** Rows in one page; the service may answer with fewer, or refuse to be told a size. */
	pageSize?: number;
	mostPages?: number;
	/** Called where the service has more rows than it can be asked for. Without it, that is an error. */
	onCut?: (reason: Error) => void;
};

/**
 * Reads the history, newest row first (§4.5), page by page, each row once. This is the only place that does.
 *
 * assumption: `before` takes the cursor that the body names, else the handle of the last row, else its date (§4.5: not
 * shown). A URL is followed as it stands. A cursor that is null, empty or was asked for says that there is no next page, but not
 * one that repeats what was asked.
 *
 * @throws NodeApiError when a page cannot be read, or the service has more rows than it shows
 */
export async function* readRows(
	connection: Connection,
	reading: Reading,
): AsyncGenerator<HistoryRow[]> {
	const { conversationHandle, before, pageSize = PAGE_SIZE, mostPages = Infinity } = reading;
	const handles = new Set([before]);
	const isNew = ({ message: { message_handle: handle } }: HistoryRow) => {
		const { size } = handles;
		return handles.add(handle).size > size;
	};
	const isOver = endOf(reading);
	// No cursor at all would ask for the first page again.
	const askedFor = new Set([JSON.stringify({})]);
	/** What the next page is asked by: a cursor that the body names, else the handle of the last row, else its date. */
	let by: 'cursor' | 'message_handle' | 'date_sent' | undefined = 'message_handle';
	let cursor: IDataObject = before === undefined ? {} : { before };
	let last: Fields | undefined;
	let mayHaveMore = false;
	/** Whether the service has said that nothing follows the last row. */
	let saysEnd = false;
	let pagesWithoutNews = 0;
	for (let page = 0; page < mostPages; page += 1) {
		askedFor.add(JSON.stringify(cursor));
		const query = {
			...(conversationHandle && { conversation_handle: conversationHandle }),
			...cursor,
		};
		const outcome = await askForPage(connection, query, pageSize);
		const body = isSuccess(outcome) ? outcome.body : undefined;
		const status = outcome.kind === 'answer' ? outcome.status : 0;
		// Behind a page with rows, a service may not take what it is asked by, or have nothing there but "not found".
		const isBehindRows: boolean =
			last !== undefined && status >= 400 && (status === 404 || by === 'message_handle' || saysEnd);
		const listed: Fields[] | undefined = isBehindRows ? [] : body && findRows(body, isMessage);
		// An unreadable page is not an empty one: a message that cannot be looked for is not an absent message.
		if (!listed) throw toNodeError(connection, outcome);
		const rows: HistoryRow[] = listed
			.map((body) => ({ message: toMessage(body), body }))
			.filter(isNew);
		await tellSides(connection, rows);
		if (rows.length > 0) yield rows;
		if (isOver(rows)) return;
		pagesWithoutNews = rows.length > 0 ? 0 : pagesWithoutNews + 1;
		if (pagesWithoutNews > MOST_PAGES_WITHOUT_NEWS) return;

		// A `before` of null says that nothing follows, or only repeats that none was asked for.
		const before = saidAs(body, /^before$/i);
		const said = [...before.filter((value) => !isNothing(value)), ...saidAs(body, CURSOR)]
			.filter((value) => cursorOf(value) ?? isNothing(value))
			.filter((value) => handleText(value) === undefined || handleText(value) !== cursor.before);
		const saysMore = saidAs(body, MORE).some((value) => truth(value) === true);
		last = listed.at(-1) ?? last;
		if (said.length > 0) by = 'cursor';
		if (by === 'cursor') mayHaveMore = saysMore;
		else if (rows.length > 0) mayHaveMore = saysMore || isPageFull(listed.length, pageSize);
		// The service does not go by what was said of its last row.
		else by = by === 'message_handle' ? 'date_sent' : undefined;
		const isEmpty: boolean = listed.length === 0 && (body !== undefined || status === 404);
		saysEnd = (saysEnd && rows.length === 0) || isEmpty || before.some(isNothing);

		const next = by === 'cursor' ? said : [by && last?.[by]];
		const found = next.map(cursorOf).find((one) => one && !askedFor.has(JSON.stringify(one)));
		if (found && (by === 'cursor' || mayHaveMore || (rows.length > 0 && !saysEnd))) {
			cursor = found;
			continue;
		}
		if (!mayHaveMore || (saysEnd && !saysMore)) return;
		const cut = toNodeError(connection, outcome, CUT);
		if (!reading.onCut) throw cut;
		return reading.onCut(cut);
	}
}

/** Finds out who wrote a message also where only its numbers tell: one of them is that of a line. */
async function tellSides(connection: Connection, rows: HistoryRow[]): Promise<void> {
	const unclear = rows.filter(
		({ message }) => isOutbound(message) === undefined && message.from && message.to,
	);
	if (unclear.length === 0) return;
	const { account } = connection;
	if (account.lineNumbers.size === 0) await readLines(connection).catch(() => undefined);
	const isLine = (number = '') => account.lineNumbers.has(comparableNumber(number));
	for (const row of unclear) {
		const isSent = isLine(row.message.from);
		if (isSent === isLine(row.message.to)) continue;
		row.message = inOrder({ ...row.message, is_outbound: isSent });
	}
}

/**
 * Finds the row of a message. The row names the conversation, in which the next search finds it at once; before, a search
 * reads on until the message's own time, however much was sent since.
 *
 * @returns undefined where the history does not show the message
 * @throws NodeApiError when the history cannot be read
 */
export async function findRow(
	connection: Connection,
	{ message_handle: handle, conversation_handle: conversationHandle, date_sent: dateSent }: Message,
): Promise<Message | undefined> {
	const sentMs = serviceTimeMs(dateSent);
	const reach = Number.isNaN(sentMs)
		? { mostPages: MOST_PAGES }
		: { since: () => sentMs, pageSize: FEW_ROWS };
	for await (const rows of readRows(connection, { ...reach, conversationHandle })) {
		const row = rows.find(({ message }) => message.message_handle === handle);
		if (row) return row.message;
	}
	return undefined;
}

/**
 * The newest messages, by their handles. They are asked for once: whoever looks for one looks again.
 *
 * @throws NodeApiError when they cannot be read
 */
export async function readNewest(
	connection: Connection,
	pageSize = PAGE_SIZE,
): Promise<Map<string, Message>> {
	const outcome = await askForPage(connection, {}, pageSize, sendRequest);
	const rows = isSuccess(outcome) ? findRows(outcome.body, isMessage) : undefined;
	if (!rows) throw toNodeError(connection, outcome);
	const messages = rows.map(toMessage);
	return new Map(messages.map((message) => [message.message_handle ?? '', message]));
}

/** Tells after each page whether all that comes is older than what is wanted. */
function endOf({ since, isPast }: Reading): (rows: HistoryRow[]) => boolean {
	let inARow = 0;
	return (rows) => {
		if (!since) return false;
		const sinceMs = since() - DATE_TOLERANCE_MS;
		let onPage = 0;
		for (const { message } of rows) {
			const sentMs = serviceTimeMs(message.date_sent);
			const isUndated = Number.isNaN(sentMs);
			if (sentMs < sinceMs || (isUndated && isPast?.(message))) {
				inARow += 1;
				onPage += 1;
			} else if (!isUndated) inARow = 0;
		}
		return inARow >= MOST_OLDER || (onPage > 0 && onPage === rows.length);
	};
}

/** Names under which a page gives the next cursor, and those that say whether there is one. A mere `before` may repeat the request's. */
const CURSOR =
	/^(?!before$|has|is|.*prev).*(before|next|cursor|older)(_?(page|url|uri|link|href|token|cursor|id|before))*$/i;
const MORE = /^(more|has_?(more|next)(_?page)?)$/i;

/** What asks for the page at a cursor, which may stand in a URL; undefined for what cannot be one. */
function cursorOf(said: unknown): IDataObject | undefined {
	const value = isFields(said) ? said.href : said;
	const text = handleText(value)?.trim();
	if (!text?.includes('?')) return text ? { before: text } : undefined;
	return Object.fromEntries(new URLSearchParams(text.slice(text.indexOf('?'))));
}

const isNothing = (said: unknown) => !said || (typeof said === 'string' && said.trim() === '');

/** Whether a page may have more behind it. assumption: a service's own page size is a multiple of ten (§4.5: not shown). */
const isPageFull = (rows: number, pageSize: number) => rows >= pageSize || rows % 10 === 0;

const CUT = {
	message: 'The history goes on, and the service does not say how to read on',
	description:
		'The service lists more messages than it shows, and answers every way to ask for the next ones with those that it has shown. Ask the operator what `before` takes in GET /v2/messages, and read fewer messages meanwhile, with Limit or Since.',
};

/** Asks for a page, without a size where the service refuses ours: a page of any size will do. */
async function askForPage(
	connection: Connection,
	parameters: IDataObject,
	pageSize: number,
	ask: typeof sendRequest = askUntilReadable,
): Promise<Outcome> {
	return await askInTurn(
		connection,
		`pages of ${pageSize}`,
		[{ limit: pageSize }, {}],
		async (size) => {
			const query = { ...parameters, ...size };
			return await ask(connection, { method: 'GET', path: PATHS.messages, query });
		},
		// A key pair is refused whatever the size is.
		({ status }) => status >= 400 && status < 500 && ![401, 403].includes(status),
	);
}
