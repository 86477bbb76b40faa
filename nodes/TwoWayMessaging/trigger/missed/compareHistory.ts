import type { ServiceEvent } from '../event';
import type { Standing } from '../eventStandings';
import type { HistoryState } from '../savedState';
import type { FoundEvent } from '../start/makeHandover';
import { excludedName } from './excludedName';
import { newestToldMs, type PlacedRow } from './placeRows';

/** What is due of a history, and what the next check has to know. */
export type HistoryPlan = {
	/** The events that start the workflow now, oldest first. */
	due: FoundEvent[];
	/** Names of rows that are too new to be missed: the next check takes those that no webhook has brought. */
	deferred: string[];
	/** Names of the events that need no execution, as the node does not listen to them. */
	unwanted: string[];
	state: HistoryState;
};

/** What a history is compared with. */
export type HistoryInput = {
	/** Newest first, as far back as `readFromMs` says. */
	rows: PlacedRow[];
	standingOf: (name: string) => Standing;
	/** Whether an event needs no execution any more. The checks give up some that may begin all the same. */
	isOver: (name: string) => boolean;
	isWanted: (event: ServiceEvent) => boolean;
	/** Names of the rows that the last check deferred. */
	deferred: ReadonlySet<string>;
	nowMs: number;
	/** Rows older than this are no longer recovered. */
	oldestMs: number;
	/** For older outbound rows, no final state is waited for any more. */
	openFromMs: number;
	/** How long a webhook may take. */
	graceMs: number;
	view: View;
};

/**
 * How many settled rows stay in view. A row that appears late among them, with the time of a phone that was offline,
 * is found.
 */
export type View = {
	/** Customers' texts. */
	texts: number;
	/** Rows of any kind, where few of them are texts, so that messages of one's own do not push these out of view. */
	rows: number;
};

/** Most outbound rows whose final state is waited for. */
const MOST_OPEN = 1_000;

/** How many of the newest rows are remembered, so that the history is recognized. */
const MOST_LATEST = 10;

/** From where on the history has to be read, in Unix ms. */
export function readFromMs(
	{ sinceMs, open }: HistoryState,
	{ oldestMs, openFromMs }: Pick<HistoryInput, 'oldestMs' | 'openFromMs'>,
): number {
	const openMs = Object.values(open).filter((latestMs) => latestMs >= openFromMs);
	return Math.max(oldestMs, Math.min(sinceMs, ...openMs));
}

/**
 * The first look at a history: nothing in it is an event, but for what this process has in hand and has not begun.
 */
export function beginHistory(
	{ rows, isWanted, nowMs }: HistoryInput,
	isInHand: (name: string) => boolean,
): HistoryState {
	const newestMs = rows.reduce((latest, row) => Math.max(latest, row.placedMs), 0);
	const inHand = new Set(rows.filter(({ name }) => isInHand(name)));
	const sinceMs = Math.min(newestMs, nowMs, ...[...inHand].map(({ placedMs }) => placedMs));
	return {
		sinceMs,
		excluded: rows
			.filter((row) => row.latestMs >= sinceMs && row.isFinal && !inHand.has(row))
			.map(({ name }) => excludedName(name)),
		open: openRows(rows, {}, isWanted, nowMs),
		latest: latestHandles(rows),
	};
}

/**
 * Continues a history in a workflow whose fields may have changed: an event that was settled stays settled, whatever the
 * new filters say of it, also after a restart.
 */
export function carryHistory(state: HistoryState, input: HistoryInput): HistoryState {
	const settled = input.rows
		.filter(isInView(state, input.oldestMs))
		.filter(({ isFinal, name }) => isFinal && input.isOver(name))
		.map(({ name }) => excludedName(name));
	return { ...state, excluded: [...new Set([...state.excluded, ...settled])] };
}

/** Finds the events that no webhook brought. The history is the source of truth (§4.5). */
export function compareHistory(state: HistoryState, input: HistoryInput): HistoryPlan {
	const { rows, standingOf, isWanted, deferred, nowMs, oldestMs, openFromMs, graceMs, view } =
		input;
	const inView = rows.filter(isInView(state, oldestMs));
	const due: PlacedRow[] = [];
	const stillDeferred: string[] = [];
	const unwanted: string[] = [];
	const open = { ...state.open };
	const unsettled: PlacedRow[] = [];
	for (const row of [...inView].reverse()) {
		if (!row.isFinal) continue;
		const standing = standingOf(row.name);
		const isUnwanted = standing === 'new' && !isWanted(row.event);
		if (isUnwanted) unwanted.push(row.name);
		if (isUnwanted || standing === 'settled' || standing === 'unwanted') {
			if (isOpen(row, state)) delete open[row.handle];
			continue;
		}
		unsettled.push(row);
		if (standing === 'underWay') continue;
		const isFresh = row.placedMs > nowMs - graceMs && !deferred.has(row.name);
		if (isFresh) stillDeferred.push(row.name);
		else due.push(row);
	}
	due.sort((one, other) => one.placedMs - other.placedMs);
	const firstUnsettledMs = unsettled
		.filter((row) => !isOpen(row, state))
		.reduce((oldest, row) => Math.min(oldest, row.placedMs), Number.POSITIVE_INFINITY);
	const settled = rows
		.filter((row) => row.placedMs < firstUnsettledMs)
		.sort((one, other) => other.placedMs - one.placedMs);
	const received = settled.filter(({ event }) => event.kind === 'receive');
	const viewEndsMs = Math.max(
		received[view.texts]?.placedMs ?? 0,
		settled[view.rows]?.placedMs ?? 0,
	);
	// Rows alone say how far the history has come: a clock that was ahead would hide what comes once it is set right.
	const sinceMs = Math.max(state.sinceMs, Math.min(viewEndsMs, newestToldMs(rows)));
	const stillOpen = Object.entries(open).filter(([, latestMs]) => latestMs >= openFromMs);
	return {
		due,
		deferred: stillDeferred,
		unwanted,
		state: {
			sinceMs,
			excluded: stillExcluded(rows, state, sinceMs),
			open: openRows(inView, Object.fromEntries(stillOpen), isWanted, nowMs),
			latest: rows.length > 0 ? latestHandles(rows) : state.latest,
		},
	};
}

/** Says whether a row can be an event that has not begun in the workflow. */
function isInView(state: HistoryState, oldestMs: number): (row: PlacedRow) => boolean {
	const excluded = new Set(state.excluded);
	const fromMs = Math.max(state.sinceMs, oldestMs);
	return (row) =>
		isOpen(row, state) || (row.latestMs >= fromMs && !excluded.has(excludedName(row.name)));
}

/** Whether a row is of an outbound message whose final state is waited for. */
function isOpen({ event, handle }: PlacedRow, { open }: HistoryState): boolean {
	return event.kind === 'outbound' && open[handle] !== undefined;
}

/** The excluded rows that their time alone would not exclude. */
function stillExcluded(rows: PlacedRow[], state: HistoryState, sinceMs: number): string[] {
	const past = rows.filter((row) => row.latestMs < sinceMs);
	const pastNames = new Set(past.map(({ name }) => excludedName(name)));
	return state.excluded.filter((name) => !pastNames.has(name));
}

/** The outbound rows whose final state the node wants to know; of too many, the newest. */
function openRows(
	rows: PlacedRow[],
	known: Record<string, number>,
	isWanted: (event: ServiceEvent) => boolean,
	nowMs: number,
): Record<string, number> {
	const open = { ...known };
	for (const row of rows) {
		if (row.isFinal || open[row.handle] !== undefined) continue;
		if (isWanted(row.event))
			open[row.handle] = Number.isFinite(row.latestMs) ? row.latestMs : nowMs;
	}
	const newestFirst = Object.entries(open).sort(([, one], [, other]) => other - one);
	return Object.fromEntries(newestFirst.slice(0, MOST_OPEN));
}

function latestHandles(rows: PlacedRow[]): string[] {
	return rows.slice(0, MOST_LATEST).map(({ handle }) => handle);
}
