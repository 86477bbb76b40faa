import { isFields, toMessage, type Fields, type Message } from '../message';
import { keyOf, type Happening, type MessageHappening } from './event';
import type { Standing } from './seen';

/** What one check leaves to the next, kept in static data. Times are the service's, as rows tell them. */
export type HistoryState = {
	/** Rows older than this are over and done with. */
	sinceMs: number;
	/** Rows not older, which were there before the workflow listened, or were judged by other filters. */
	apart: string[];
	/** Outbound rows that had no final state yet (§3.1), and their place in time. */
	open: Record<string, number>;
	/** The newest rows there were, by which the history is recognized under another key pair. */
	latest: string[];
};

/** A history row, in its place. */
export type PlacedRow = {
	handle: string;
	/** The row's own time; that of its neighbour, the older one if there is one, where it has none. */
	placedMs: number;
	/** Undefined for an outbound row that is still on its way (§3.1). */
	happening?: MessageHappening;
	key: string;
	body: Fields;
};

/** What of the history starts the workflow now, oldest first, and what the next check has to know. */
export type Plan = {
	due: PlacedRow[];
	/** Rows too fresh to be missed: the next check takes what still has not come by itself. */
	held: string[];
	/** Rows that need no execution, as the node does not listen to them. */
	unwanted: string[];
	/** Rows that a check would look at again after a restart. */
	kept: number;
	state: HistoryState;
};

export type CheckInput = {
	/** Newest first, as far back as `scanFloor` says. */
	rows: PlacedRow[];
	standing: (key: string) => Standing;
	isWanted: (happening: Happening) => boolean;
	/** Handles that the last check held back. */
	held: ReadonlySet<string>;
	nowMs: number;
	/** Rows older than this are not recovered any more. */
	oldestMs: number;
	/** So long a webhook may take. */
	graceMs: number;
};

/**
 * So many settled rows stay in view, so that a row that turns up late among them, with the time of a phone
 * that was offline, is found.
 */
const ROWS_IN_VIEW = 400;

/** Most outbound rows whose end is waited for. */
const MOST_OPEN = 1_000;

const LATEST = 10;

/** A row dated later than this is dated wrongly; clocks differ by less. */
const MOST_AHEAD_MS = 24 * 60 * 60_000;

/** States an outbound message ends in, as far as its event is concerned (§3.1, §6.1). */
const FINAL = ['SENT', 'DELIVERED', 'ERROR'];

/**
 * Puts rows, newest first, in their places.
 *
 * assumption: rows carry the fields of §2.2 (§4.5). Those without a handle cannot be told apart and are left.
 */
export function placeRows(rows: Fields[], nowMs: number): PlacedRow[] {
	const placed: PlacedRow[] = [];
	const times = rows.map((row) => ownTimeMs(row, nowMs));
	let placedMs = times.findLast((timeMs) => timeMs !== undefined) ?? nowMs;
	for (const body of [...rows].reverse()) {
		if (!isFields(body)) continue;
		const message = toMessage(body);
		const handle = message.message_handle;
		if (!handle) continue;
		placedMs = ownTimeMs(body, nowMs) ?? placedMs;
		const kind = isOutbound(message) ? 'outbound' : 'receive';
		const happening: MessageHappening = { kind, message };
		const isOver = kind === 'receive' || FINAL.includes(message.status ?? '');
		const key = keyOf(happening) ?? handle;
		placed.push({ handle, placedMs, key, body, ...(isOver && { happening }) });
	}
	return placed.reverse();
}

/** Whether a message was sent, rather than received (§3.1). */
export function isOutbound(message: Message): boolean {
	return message.is_outbound ?? message.status !== 'RECEIVED';
}

/** The time a row names, if that can be. */
export function ownTimeMs(row: Fields, nowMs: number): number | undefined {
	const timeMs = Date.parse(String(row.date_sent ?? ''));
	return Number.isNaN(timeMs) || timeMs > nowMs + MOST_AHEAD_MS ? undefined : timeMs;
}

/** How far back the history has to be read. */
export function scanFloor(state: HistoryState, oldestMs: number): number {
	return Math.max(oldestMs, Math.min(state.sinceMs, ...Object.values(state.open)));
}

/** The first look at a history: nothing of it is news. */
export function beginHistory({ rows, isWanted, nowMs }: CheckInput): HistoryState {
	const newestMs = rows.reduce((latest, row) => Math.max(latest, row.placedMs), 0);
	const sinceMs = Math.min(newestMs, nowMs);
	return {
		sinceMs,
		apart: rows
			.filter((row) => row.placedMs >= sinceMs && row.happening)
			.map(({ handle }) => handle),
		open: openRows(rows, {}, isWanted),
		latest: latestOf(rows),
	};
}

/**
 * Takes the history as it is into a workflow whose fields may have changed: what was judged stays judged,
 * whatever the new filters would have said, also after a restart.
 */
export function carryHistory(state: HistoryState, input: CheckInput): HistoryState {
	const judged = input.rows
		.filter(viewOf(state, input.oldestMs))
		.filter(({ happening, key }) => happening && input.standing(key) === 'settled')
		.map(({ handle }) => handle);
	return { ...state, apart: [...new Set([...state.apart, ...judged])] };
}

/** Finds what no webhook brought. The history is the source of truth (§4.5). */
export function reconcile(state: HistoryState, input: CheckInput): Plan {
	const { rows, standing, isWanted, held, nowMs, oldestMs, graceMs } = input;
	const inView = rows.filter(viewOf(state, oldestMs));
	const plan = { due: [] as PlacedRow[], held: [] as string[], unwanted: [] as string[] };
	const open = { ...state.open };
	const unsettled: PlacedRow[] = [];
	for (const row of [...inView].reverse()) {
		if (!row.happening) continue;
		const stands = standing(row.key);
		const isUnwanted = stands === 'new' && !isWanted(row.happening);
		if (isUnwanted) plan.unwanted.push(row.key);
		if (isUnwanted || stands === 'settled' || stands === 'abandoned') {
			delete open[row.handle];
			continue;
		}
		unsettled.push(row);
		if (stands !== 'new') continue;
		const isFresh = row.placedMs > nowMs - graceMs && !held.has(row.handle);
		if (isFresh) plan.held.push(row.handle);
		else plan.due.push(row);
	}
	plan.due.sort((one, other) => one.placedMs - other.placedMs);
	const firstUnsettledMs = oldestOf(
		unsettled.filter((row) => state.open[row.handle] === undefined),
	);
	const settledMs = rows
		.map((row) => row.placedMs)
		.filter((placedMs) => placedMs < firstUnsettledMs)
		.sort((one, other) => other - one);
	const sinceMs = Math.max(state.sinceMs, settledMs[ROWS_IN_VIEW] ?? 0);
	const stillOpen = Object.entries(open).filter(([, placedMs]) => placedMs >= oldestMs);
	const next: HistoryState = {
		sinceMs,
		apart: stillApart(rows, state, sinceMs),
		open: openRows(inView, Object.fromEntries(stillOpen), isWanted),
		latest: rows.length > 0 ? latestOf(rows) : state.latest,
	};
	const kept = rows.filter((row) => row.happening && row.placedMs >= sinceMs).length;
	return { ...plan, kept, state: next };
}

/** Tells whether a row can be news at all. */
function viewOf(state: HistoryState, oldestMs: number): (row: PlacedRow) => boolean {
	const apart = new Set(state.apart);
	const fromMs = Math.max(state.sinceMs, oldestMs);
	return ({ handle, placedMs }) =>
		state.open[handle] !== undefined || (placedMs >= fromMs && !apart.has(handle));
}

/** The rows kept apart that their time alone would not keep out. */
function stillApart(rows: PlacedRow[], state: HistoryState, sinceMs: number): string[] {
	if (state.apart.length === 0) return state.apart;
	const gone = new Set(rows.filter((row) => row.placedMs < sinceMs).map(({ handle }) => handle));
	return state.apart.filter((handle) => !gone.has(handle));
}

/** The outbound rows whose end the node wants to hear of, the newest ones if there are too many. */
function openRows(
	rows: PlacedRow[],
	known: Record<string, number>,
	isWanted: (happening: Happening) => boolean,
): Record<string, number> {
	const open = { ...known };
	for (const row of rows) {
		if (row.happening || open[row.handle] !== undefined) continue;
		if (isWanted({ kind: 'outbound', message: toMessage(row.body) })) {
			open[row.handle] = row.placedMs;
		}
	}
	const entries = Object.entries(open);
	if (entries.length <= MOST_OPEN) return open;
	return Object.fromEntries(entries.sort(([, one], [, other]) => other - one).slice(0, MOST_OPEN));
}

function latestOf(rows: PlacedRow[]): string[] {
	return rows.slice(0, LATEST).map(({ handle }) => handle);
}

function oldestOf(rows: PlacedRow[]): number {
	return rows.reduce((oldest, row) => Math.min(oldest, row.placedMs), Number.POSITIVE_INFINITY);
}
