import type { IPollFunctions } from 'n8n-workflow';
import type { Fields } from '../../message';
import { CheckedActivations } from '../../n8n/activation';
import type { Connection } from '../../transport/request';
import type { ServiceEvent } from '../event';
import { EventStandings } from '../eventStandings';
import type { TriggerCall } from '../nodeMemory';
import type { CheckState, HistoryState } from '../savedState';
import type { TriggerSettings } from '../settings';
import { CheckMemory } from './checkMemory';
import {
	beginHistory,
	carryHistory,
	compareHistory,
	readFromMs,
	type HistoryInput,
} from './compareHistory';
import { placeRows, type PlacedRow } from './placeRows';
import { readHistory } from './readHistory';

/** A part of the history, and the state to compare it with. */
export type HistoryReading = {
	state: HistoryState;
	input: HistoryInput;
	/** Whether this is the first look at the history. */
	isNew: boolean;
};

/** How long after it happened an event may still come by webhook, before a check takes it. */
const GRACE_MS = 30_000;

const HOUR_MS = 60 * 60_000;

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
): Promise<HistoryReading> {
	const { caller, clock, memory } = call;
	const nowMs = clock.nowMs();
	const oldestMs = nowMs - settings.recoverHours * HOUR_MS;
	const isFirst = memory.part(CheckedActivations).isFirstCheck(caller);
	const activation = isFirst ? caller.getActivationMode() : undefined;
	// Events that are polled come in no other way, and no webhook is under way to an n8n that has just started.
	const hasNoWebhooks = settings.receiveBy === 'polling' || activation === 'init';
	const checkMemory = memory.part(CheckMemory);
	const toInput = (rows: Fields[]): HistoryInput => ({
		rows: placeRows(rows, nowMs),
		standingOf: (name) => memory.part(EventStandings).standingOf(name),
		isWanted,
		deferred: checkMemory.deferred,
		nowMs,
		oldestMs,
		graceMs: hasNoWebhooks ? Number.NEGATIVE_INFINITY : GRACE_MS,
	});

	// A person who activates a workflow wants the events from now on.
	const before = activation === 'activate' ? undefined : checkMemory.lastOf(caller);
	let stretch = await readHistory(connection, (newestMs) =>
		before ? readFromMs(before.history, oldestMs) : Math.min(newestMs, nowMs),
	);
	let input = toInput(stretch.rows);
	if (!before || !isSameHistory(before, connection, input.rows)) {
		return { state: beginHistory(input), input, isNew: true };
	}
	let state = activation === 'update' ? carryHistory(before.history, input) : before.history;
	while (!stretch.isWhole) {
		const plan = compareHistory(state, input);
		if (plan.due.length > 0 || plan.state.sinceMs <= state.sinceMs) break;
		// Everything in this stretch has begun already: go on to the rows that were left out.
		state = plan.state;
		const fromMs = readFromMs(state, oldestMs);
		stretch = await readHistory(connection, () => fromMs);
		input = toInput(stretch.rows);
	}
	return { state, input, isNew: false };
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
