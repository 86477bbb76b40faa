import type { EventKind } from '../../contract';
import { isOutbound } from '../../message';
import type { HistoryRow } from '../../service/history';
import { serviceTimeMs } from '../../serviceTime';
import { eventName, type MessageContent, type ServiceEvent } from '../event';
import type { EventState } from '../inbox';
import { MOST_SETTLED, rowDigest, type HistoryState } from '../nodeMemory';

/** A row of the history at its place in time. */
export type PlacedRow = {
	handle: string;
	/** The row's own time; where it has none, that of its neighbour, the older one if there is one. */
	placedMs: number;
	/** The latest time that the row can be from: its own, else that of the next newer row that has one, else `Infinity`. */
	latestMs: number;
	event: ServiceEvent & MessageContent;
	name: string;
	/** Whether the message has reached a final state (§3.1). Until then it is no event. */
	isFinal: boolean;
};

/** What a history is compared with. Times are the service's. */
export type HistoryInput = {
	/** Newest first, as far back as `readFromMs` says. */
	rows: PlacedRow[];
	kinds: EventKind[];
	/** Those among them that the last check looked for; all, unless given. Events of the other kinds count as old. */
	lastKinds?: EventKind[];
	stateOf: (name: string) => EventState;
	isWanted: (event: ServiceEvent) => boolean;
	nowMs: number;
	/** Rows older than this are not recovered; 0 while n8n runs, as then nothing is too old. */
	oldestMs: number;
	/** For older outbound rows, no final state is waited for any more. */
	openFromMs: number;
};

/**
 * How many settled rows stay in view, in which a row that appears late is found: customers' texts; and rows of any kind, so that
 * messages of one's own neither push these out nor make each check longer.
 */
const TEXTS_IN_VIEW = 400;
const ROWS_IN_VIEW = 2_000;

/** Most outbound rows whose final state is waited for. */
const MOST_OPEN = 1_000;

/** How many of the newest rows are remembered, so that the history is recognized. */
const MOST_LATEST = 10;

/** How long before the first look a new row may be dated: clocks tell whole seconds. */
const CLOCK_TOLERANCE_MS = 5_000;

/** From where on the history has to be read, in Unix ms. */
export function readFromMs(
	{ sinceMs, open }: HistoryState,
	{ oldestMs, openFromMs }: Pick<HistoryInput, 'oldestMs' | 'openFromMs'>,
): number {
	const openMs = Object.values(open).filter((latestMs) => latestMs >= openFromMs);
	return Math.max(oldestMs, Math.min(sinceMs, ...openMs));
}

/**
 * The first look at a history: nothing in it is an event, and nothing that is dated before it will be, but for what this
 * process has in its inbox, and what the rows date after the publishing.
 */
export function beginHistory(input: HistoryInput, publishedMs: number): HistoryState {
	const { nowMs, stateOf } = input;
	const rows = input.rows.filter(
		({ placedMs, latestMs }) => placedMs < publishedMs || placedMs !== latestMs,
	);
	const unbegun = new Set(rows.filter(({ name }) => ['waiting', 'handed'].includes(stateOf(name))));
	const beginsMs = Math.min(nowMs, publishedMs) - CLOCK_TOLERANCE_MS;
	const sinceMs = Math.min(beginsMs, ...[...unbegun].map(({ placedMs }) => placedMs));
	const settled = rows.filter((row) => row.latestMs >= sinceMs && row.isFinal && !unbegun.has(row));
	return {
		sinceMs,
		settled: settled.map(({ name }) => rowDigest(name)),
		open: openRows({ ...input, rows }, {}),
		latest: [],
	};
}

/**
 * Finds the events that no webhook brought, oldest first (§4.5). The position never passes what has not begun, so that a process
 * that is killed leaves it to the next one. What is older than a start recovers is left out for good, and counted.
 */
export function compareHistory(state: HistoryState, input: HistoryInput) {
	const { rows, kinds, lastKinds = kinds, stateOf, isWanted, oldestMs } = input;
	const known = new Set(state.settled);
	const settled: string[] = [];
	const found: PlacedRow[] = [];
	const open = { ...state.open };
	let leftOut = 0;
	let unbegunMs = Number.POSITIVE_INFINITY;
	let newestMs = 0;
	for (const row of [...rows].reverse()) {
		if (Number.isFinite(row.latestMs)) newestMs = Math.max(newestMs, row.latestMs);
		if (!row.isFinal || !kinds.includes(row.event.kind)) continue;
		const digest = rowDigest(row.name);
		const wasOpen = open[row.handle] !== undefined;
		if (known.has(digest)) delete open[row.handle];
		if (known.has(digest) || (row.latestMs < state.sinceMs && !wasOpen)) continue;
		const eventState = stateOf(row.name);
		const isUnknown = eventState === 'unknown';
		const isNew = isUnknown && lastKinds.includes(row.event.kind) && isWanted(row.event);
		const isTooOld = row.latestMs < oldestMs && !wasOpen;
		if (isNew && isTooOld) leftOut += 1;
		if (eventState === 'begun' || (isUnknown && (!isNew || isTooOld))) {
			settled.push(digest);
			delete open[row.handle];
			continue;
		}
		if (isUnknown) found.push(row);
		if (!wasOpen) unbegunMs = Math.min(unbegunMs, row.placedMs);
	}
	// Rows alone say how far the history has come: a clock that was ahead would hide what comes once it is set right.
	const viewMs = Math.max(viewEndsMs(rows, unbegunMs), Math.min(oldestMs, unbegunMs));
	const sinceMs = Math.max(state.sinceMs, Math.min(viewMs, newestMs));
	const latest = rows.slice(0, MOST_LATEST).map(({ handle }) => handle);
	const inView = new Set([...state.settled, ...settled].slice(-MOST_SETTLED));
	for (const row of rows) if (row.latestMs < sinceMs) inView.delete(rowDigest(row.name));
	return {
		found: found.sort((one, other) => one.placedMs - other.placedMs),
		leftOut,
		state: {
			sinceMs,
			settled: [...inView],
			open: openRows(input, open),
			latest: latest.length > 0 ? latest : state.latest,
		},
	};
}

/** Where the view ends that the next check looks at. */
function viewEndsMs(rows: PlacedRow[], beforeMs: number): number {
	if (rows.length <= TEXTS_IN_VIEW) return 0;
	const older = rows
		.filter((row) => row.placedMs < beforeMs)
		.sort((one, other) => other.placedMs - one.placedMs);
	const texts = older.filter(({ event }) => event.kind === 'receive');
	return Math.max(texts[TEXTS_IN_VIEW]?.placedMs ?? 0, older[ROWS_IN_VIEW]?.placedMs ?? 0);
}

/** The outbound rows whose final state the node wants to know; of too many, the newest. */
function openRows(
	{ rows, kinds, isWanted, nowMs, openFromMs }: HistoryInput,
	known: Record<string, number>,
): Record<string, number> {
	const open: Record<string, number> = {};
	for (const handle in known) if (known[handle]! >= openFromMs) open[handle] = known[handle]!;
	for (const { event, handle, isFinal, latestMs } of rows) {
		if (isFinal || open[handle] !== undefined) continue;
		if (!kinds.includes(event.kind) || !isWanted(event)) continue;
		open[handle] = Number.isFinite(latestMs) ? latestMs : nowMs;
	}
	const newestFirst = Object.entries(open).sort(([, one], [, other]) => other - one);
	return Object.fromEntries(newestFirst.slice(0, MOST_OPEN));
}

/** A row dated later than this is dated wrongly; clocks differ by less. */
const MOST_AHEAD_MS = 24 * 60 * 60_000;

/** States in which an outbound message causes its event (§3.1, §6.1). */
const FINAL_STATUSES = ['SENT', 'DELIVERED', 'ERROR'];

/**
 * Puts rows, newest first, at their places in time.
 *
 * @param nowMs the latest time that is known to have been: a row that was dated rightly once must stay so
 */
export function placeRows(rows: HistoryRow[], nowMs: number): PlacedRow[] {
	const placed: PlacedRow[] = [];
	let latestMs = Number.POSITIVE_INFINITY;
	for (const { message, body } of rows) {
		const timeMs = serviceTimeMs(message.date_sent);
		const isTold = timeMs <= nowMs + MOST_AHEAD_MS;
		if (isTold) latestMs = timeMs;
		const { message_handle: handle = '', status = '' } = message;
		const kind = isOutbound(message) === false ? 'receive' : 'outbound';
		const event = { kind, message, body } as const;
		const isFinal = kind === 'receive' || FINAL_STATUSES.includes(status);
		const placedMs = isTold ? timeMs : Number.NaN;
		placed.push({ handle, placedMs, latestMs, event, name: eventName(event), isFinal });
	}
	// From the oldest on; behind the last one that tells its time, the next newer one counts.
	let placedMs = Number.isFinite(latestMs) ? latestMs : nowMs;
	for (const row of [...placed].reverse()) {
		if (Number.isNaN(row.placedMs)) row.placedMs = placedMs;
		placedMs = row.placedMs;
	}
	return placed;
}
