import type { IDataObject } from 'n8n-workflow';
import { PATHS } from '../contract';
import { isFields, type Fields } from '../message';
import { notUnderstood, readJson } from './readJson';
import type { Connection } from './request';

/** Rows in one page. assumption: `limit` sets the size of a page (§4.5: not shown). */
export const PAGE_SIZE = 500;

/** Names under which a body may hold the next `before` cursor. assumption: §4.5 shows none. */
const CURSOR_NAMES = ['before', 'next', 'next_cursor', 'cursor'] as const;

/** Names under which a body may hold its rows. assumption: §4.5 shows none. */
const ROW_NAMES = ['messages', 'data', 'results', 'items'] as const;

export type HistoryQuery = {
	conversationHandle?: string;
	/** The cursor of the first page; the pages begin with the newest row when it is absent. */
	before?: string;
	/** Rows in one page; the service may answer with fewer. */
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
 * The pages end with the rows, or with a page that brings nothing new: a cursor that does not move must not become an
 * endless loop.
 *
 * @throws NodeApiError with the item's number when a page cannot be read
 */
export async function* historyPages(
	connection: Connection,
	query: HistoryQuery,
	itemIndex?: number,
): AsyncGenerator<Fields[]> {
	const usedCursors = new Set<string>();
	let previousHandles = new Set<unknown>();
	let before = query.before;
	for (let page = 0; page < (query.mostPages ?? Number.POSITIVE_INFINITY); page += 1) {
		if (before !== undefined) usedCursors.add(before);
		const parameters: IDataObject = { limit: query.pageSize ?? PAGE_SIZE };
		if (query.conversationHandle) parameters.conversation_handle = query.conversationHandle;
		if (before !== undefined) parameters.before = before;
		const body = await readJson(connection, { path: PATHS.messages, query: parameters }, itemIndex);
		const listed = rowsOf(body);
		// An unreadable page is not an empty one: a message that cannot be looked for is not an absent message.
		if (!listed) throw notUnderstood(connection, body, itemIndex);
		const handles = new Set<unknown>();
		const rows: Fields[] = [];
		for (const row of listed) {
			const { message_handle: handle } = row;
			if (previousHandles.has(handle)) continue;
			if (handle) handles.add(handle);
			rows.push(row);
		}
		if (rows.length === 0) return;
		yield rows;
		previousHandles = handles;
		before = nextCursor(body, rows);
		if (before === undefined || usedCursors.has(before)) return;
	}
}

/** The rows of a page, in any of the forms of a list; undefined when the body holds no list. */
function rowsOf(body: unknown): Fields[] | undefined {
	if (Array.isArray(body)) return body.filter(isFields);
	if (!isFields(body)) return undefined;
	for (const name of ROW_NAMES) {
		const rows = body[name];
		if (Array.isArray(rows)) return rows.filter(isFields);
	}
	return isFields(body.data) ? rowsOf(body.data) : undefined;
}

/**
 * Where the next page begins.
 *
 * @returns undefined when the service says that there is none
 */
function nextCursor(body: unknown, rows: Fields[]): string | undefined {
	const places = isFields(body) ? [body, body.pagination, body.meta, body.data] : [];
	for (const place of places) {
		if (!isFields(place)) continue;
		const name = CURSOR_NAMES.find((candidate) => candidate in place);
		if (name === undefined) continue;
		const cursor = place[name];
		if (typeof cursor === 'number') return String(cursor);
		return typeof cursor === 'string' && cursor !== '' ? cursor : undefined;
	}
	const last = rows.at(-1)?.message_handle;
	return typeof last === 'string' ? last : undefined;
}
