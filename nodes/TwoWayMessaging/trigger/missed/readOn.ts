import type { IPollFunctions } from 'n8n-workflow';
import type { Fields } from '../../message';
import type { Connection } from '../../transport/request';
import type { ServiceEvent } from '../event';
import { EventStandings } from '../eventStandings';
import type { TriggerCall } from '../nodeMemory';
import type { CheckState, HistoryState, LineStates } from '../savedState';
import type { TriggerSettings } from '../settings';
import { CheckMemory, isFirstCheck } from './checkMemory';
import {
	beginHistory,
	carryHistory,
	compareHistory,
	readFromMs,
	type HistoryInput,
	type View,
} from './compareHistory';
import { excludedName } from './excludedName';
import { newestToldMs, placeRows, type PlacedRow } from './placeRows';
import { readHistory } from './readHistory';

/** A part of the history, and the state to compare it with. */
export type HistoryReading = {
	state: HistoryState;
	/** What the workflow was told of lines, as far as anything is known. */
	lines?: LineStates;
	input: HistoryInput;
	/** Whether this is the first look at the history. */
	isNew: boolean;
};

/** How long after it happened an event may still come by webhook, before a check takes it. */
const GRACE_MS = 30_000;

/** How much of a history one check looks at. */
export type ReadingLimits = {
	/** A row that appears late is found among so many. More cost memory and time at each check. */
	view: View;
	/** Most rows that are kept at once: more than are in view, and two pages besides, so that each reading gets on. */
	mostRows: number;
};

const LIMITS: ReadingLimits = { view: { texts: 400, rows: 2_000 }, mostRows: 20_000 };

const HOUR_MS = 60 * 60_000;

/** How long at least the final state of an outbound row is waited for: a line at its limit holds messages (§8.2). */
const LEAST_OPEN_HOURS = 72;

/**
 * Reads the history from where the last check stopped.
 *
 * @throws NodeApiError when a page cannot be read
 */
export async function readOn(
	call: TriggerCall<IPollFunctions>,
	connection: Connection,
	settings: TriggerSettings,
	isWanted: (event: ServiceEvent) => boolean,
	{ view, mostRows }: ReadingLimits = LIMITS,
): Promise<HistoryReading> {
	const { caller, clock, memory } = call;
	const { accountId } = connection.settings;
	const checkMemory = memory.part(CheckMemory);
	const triedFromMs = (checkMemory.triedFromMs ??= clock.nowMs());
	// While n8n runs, nothing is too old: the time is for what a start finds after n8n was away.
	const isStart = checkMemory.last === undefined;
	const { recoverHours } = settings;
	/** Rows are dated by the service's clock, and n8n's may be hours off when its machine starts. */
	const now = () => {
		const aheadMs = connection.serviceClocks.offsetMs(accountId) ?? 0;
		const nowMs = clock.nowMs() + aheadMs;
		const startMs = Math.min(nowMs, triedFromMs + aheadMs);
		return {
			nowMs,
			oldestMs: isStart ? startMs - recoverHours * HOUR_MS : 0,
			openFromMs: nowMs - Math.max(recoverHours, LEAST_OPEN_HOURS) * HOUR_MS,
		};
	};
	const isFirst = isFirstCheck(call);
	const activation = isFirst ? caller.getActivationMode() : undefined;
	// Events that are polled come in no other way, and no webhook is under way to an n8n that has just started.
	const hasNoWebhooks = settings.receiveBy === 'polling' || activation === 'init';
	const standings = memory.part(EventStandings);
	const toInput = (rows: Fields[], sinceMs = 0): HistoryInput => ({
		rows: placeRows(rows, Math.max(now().nowMs, sinceMs)),
		standingOf: (name) => standings.standingOf(name),
		isOver: (name) => !standings.mayBegin(name) || standings.standingOf(name) === 'unwanted',
		isWanted,
		deferred: checkMemory.deferred,
		...now(),
		graceMs: hasNoWebhooks ? Number.NEGATIVE_INFINITY : GRACE_MS,
		view,
	});

	// A person who activates a workflow wants the events from now on.
	const before = activation === 'activate' ? undefined : checkMemory.lastOf(caller, accountId);
	const floorOf = (newestMs: number) =>
		before ? readFromMs(before.history, now()) : Math.min(newestMs, now().nowMs);
	// Rows of another account tell nothing of where to stop.
	const latest = before?.account === accountId ? before.history.latest : undefined;
	let stretch = await readHistory(connection, floorOf, mostRows, latest);
	let input = toInput(stretch.rows, before?.history.sinceMs);
	if (!before || !isSameHistory(before, connection, input.rows)) {
		const state = beginHistory(input, (name) => standings.isInHand(name));
		return { state, input, isNew: true };
	}
	const carried = activation === 'update' ? carryHistory(before.history, input) : before.history;
	let state = leaveOutOld(call, carried, input, recoverHours);
	while (!stretch.isWhole) {
		const plan = compareHistory(state, input);
		if (plan.due.length > 0 || plan.state.sinceMs <= state.sinceMs) break;
		// Everything in this stretch has begun already: go on to the rows that were left out.
		state = plan.state;
		const fromMs = readFromMs(state, now());
		stretch = await readHistory(connection, () => fromMs, mostRows, latest);
		input = toInput(stretch.rows, state.sinceMs);
	}
	return { state, lines: before.lines, input, isNew: false };
}

/** Another key pair is of the same account when its history continues where the other's stopped. */
function isSameHistory(
	{ account, history }: CheckState,
	{ settings }: Connection,
	rows: PlacedRow[],
): boolean {
	return (
		account === settings.accountId || rows.some(({ handle }) => history.latest.includes(handle))
	);
}

/**
 * Leaves out what is older than a start recovers, for good, and says so in the log.
 */
function leaveOutOld(
	{ caller }: TriggerCall<IPollFunctions>,
	state: HistoryState,
	{ rows, oldestMs, isWanted }: HistoryInput,
	recoverHours: number,
): HistoryState {
	const isLeftOut = ({ latestMs, name, isFinal, event }: PlacedRow) =>
		isFinal &&
		latestMs < oldestMs &&
		latestMs >= state.sinceMs &&
		isWanted(event) &&
		!state.excluded.includes(excludedName(name));
	const known = rows.findIndex(({ handle }) => state.latest.includes(handle));
	const news = known === -1 ? rows : rows.slice(0, known);
	const leftOut = news.filter(isLeftOut).length;
	if (leftOut > 0) {
		caller.logger.warn(
			`${caller.getNode().name}: left out at least ${leftOut} events that are older than ${recoverHours} hours and came while n8n was away`,
		);
	}
	// No later than the newest row: from there on, everything is still to come, whatever n8n's clock says.
	const sinceMs = Math.max(state.sinceMs, Math.min(oldestMs, newestToldMs(rows)));
	const tooOld = rows
		.filter((row) => row.isFinal && row.latestMs >= sinceMs && row.latestMs < oldestMs)
		.map(({ name }) => excludedName(name));
	return { ...state, sinceMs, excluded: [...new Set([...state.excluded, ...tooOld])] };
}
