import type { IDataObject } from 'n8n-workflow';
import { PATHS } from '../contract';
import { isFields, type Fields } from '../message';
import { toNodeError } from './errors';
import { KnownRows } from './knownRows';
import { askUntilReadable, isSuccess, notUnderstood } from './readJson';
import type { Connection, Outcome } from './request';

/** Rows in one page. assumption: `limit` sets the size of a page (§4.5: not shown). */
export const PAGE_SIZE = 500;

/**
 * So many pages in a row that bring nothing new do not end the history, where each has a cursor to another one: a page may
 * hold only what is hidden, or come again as new rows have moved all others. A service that goes on so has no end.
 */
const MOST_PAGES_WITHOUT_NEWS = 10;

/** Names under which a body may hold the next `before` cursor. assumption: §4.5 shows none. */
const CURSOR_NAMES = ['before', 'next', 'next_cursor', 'cursor'] as const;

/** Names under which a body may hold its rows. assumption: §4.5 shows none. */
const ROW_NAMES = ['messages', 'data', 'results', 'items'] as const;

export type HistoryQuery = {
	conversationHandle?: string;
	/** The cursor of the first page; the pages begin with the newest row when it is absent. */
	before?: string;
	/** Rows in one page; the service may answer with fewer, or refuse to be told a size. */
	pageSize?: number;
	/** Pages to read at most; all of them when it is absent. */
	mostPages?: number;
};

/**
 * Reads the history, newest row first (§4.5), page by page, each row once:
 *
 * ```ts
 * for await (const rows of historyPages(connection, { conversationHandle })) found.push(...rows);
 * ```
 *
 * The pages end where no cursor leads to another page, or where page after page brings nothing new: whatever a service
 * says of its cursors must not become an endless loop.
 *
 * assumption: a cursor that is null, empty, or one that was asked for says that there is no next page (§4.5: not shown).
 *
 * @throws NodeApiError with the item's number when a page cannot be read
 */
export async function* historyPages(
	connection: Connection,
	query: HistoryQuery,
	itemIndex?: number,
): AsyncGenerator<Fields[]> {
	// No cursor at all would ask for the first page again.
	const usedCursors = new Set<string | undefined>([undefined]);
	const knownRows = new KnownRows(query.before);
	let before = query.before;
	let pagesWithoutNews = 0;
	let namesCursors = false;
	for (let page = 0; page < (query.mostPages ?? Number.POSITIVE_INFINITY); page += 1) {
		usedCursors.add(before);
		const parameters: IDataObject = {};
		if (query.conversationHandle) parameters.conversation_handle = query.conversationHandle;
		if (before !== undefined) parameters.before = before;
		const outcome = await askForPage(connection, parameters, query.pageSize ?? PAGE_SIZE);
		if (!isSuccess(outcome)) throw toNodeError(connection, outcome, itemIndex);
		const { body } = outcome;
		const listed = rowsOf(body);
		// An unreadable page is not an empty one: a message that cannot be looked for is not an absent message.
		if (!listed) throw notUnderstood(connection, body, itemIndex);
		const { rows, isNews } = knownRows.add(listed);
		if (rows.length > 0) yield rows;
		pagesWithoutNews = isNews ? 0 : pagesWithoutNews + 1;
		if (pagesWithoutNews > MOST_PAGES_WITHOUT_NEWS) return;
		const said = isFields(body) ? cursorsIn(body) : [];
		namesCursors ||= said.length > 0;
		// A service that names its cursors says by the absence of one that there is no next page.
		const cursors = namesCursors ? said : rows.map((row) => row.message_handle).reverse();
		before = cursors.map(usableCursor).find((cursor) => !usedCursors.has(cursor));
		if (before === undefined) return;
	}
}

/** Asks for a page, without a size where the service refuses ours: a page of any size will do. */
async function askForPage(
	connection: Connection,
	parameters: IDataObject,
	pageSize: number,
): Promise<Outcome> {
	const { refusedPageSizes, settings } = connection;
	const ask = async (query: IDataObject) =>
		await askUntilReadable(connection, { method: 'GET', path: PATHS.messages, query });
	if (refusedPageSizes.has(settings.accountId)) return await ask(parameters);
	const outcome = await ask({ ...parameters, limit: pageSize });
	if (!mayRefuseSize(outcome)) return outcome;
	const withoutSize = await ask(parameters);
	// Where the service refuses both, the size was not the reason.
	if (isSuccess(withoutSize)) refusedPageSizes.add(settings.accountId);
	return withoutSize;
}

/** Whether the page's size may be why the service refused; a key pair is refused whatever the size is. */
function mayRefuseSize(outcome: Outcome): boolean {
	return (
		outcome.kind === 'answer' &&
		outcome.status >= 400 &&
		outcome.status < 500 &&
		![401, 403].includes(outcome.status)
	);
}

/** The rows of a page, in any of the forms of a list; undefined when the body holds no list. */
function rowsOf(body: Fields | unknown[]): Fields[] | undefined {
	if (Array.isArray(body)) return body.filter(isFields);
	for (const name of ROW_NAMES) {
		const rows = body[name];
		if (Array.isArray(rows)) return rows.filter(isFields);
	}
	return isFields(body.data) ? rowsOf(body.data) : undefined;
}

/** What a body says under the names of a cursor. */
function cursorsIn(body: Fields): unknown[] {
	return [body, body.pagination, body.meta, body.data]
		.filter(isFields)
		.flatMap((place) => CURSOR_NAMES.flatMap((name) => (name in place ? [place[name]] : [])));
}

function usableCursor(value: unknown): string | undefined {
	if (typeof value === 'number') return String(value);
	return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
