import type { ITriggerFunctions } from 'n8n-workflow';
import { isOutbound, type Message } from '../../message';
import { reasonOf } from '../../reasonOf';
import { readRows, type HistoryRow, type Reading } from '../../service/history';
import { readLines } from '../../service/lines';
import type { Connection } from '../../service/request';
import { WaitingList } from '../../waiting/waitingList';
import type { Arrival } from '../inbox';
import { isLineKind, type ServiceEvent } from '../event';
import { readSaved, saveProgress, type TriggerCall } from '../nodeMemory';
import { listenForAnswers } from '../questions/listenForAnswers';
import { endFailed } from '../questions/offerAnswer';
import { registerIfOutdated } from '../registration/register';
import { connectNode } from '../signingSecrets';
import { Starter } from '../starter';
import { toArrival, wants } from '../wanted';
import {
	beginHistory,
	compareHistory,
	placeRows,
	readFromMs,
	type HistoryInput,
	type PlacedRow,
} from './compareHistory';
import { blocksOf, compareLines, tellBlock } from './lines';

type Call = TriggerCall<ITriggerFunctions>;

/** How long after it happened an event may still come by webhook, before what a check has found of it starts. */
const GRACE_MS = 30_000;

/** Most rows that are kept at once: more than are in view, and two pages besides, so that each check gets on. */
const MOST_ROWS = 20_000;

const HOUR_MS = 60 * 60_000;

/** A first check so long after the publishing was not the first try, or takes its time: what has come meanwhile is new. */
const LATE_MS = 5_000;

/** How long at least the final state of an outbound row is waited for: a line at its limit holds messages (§8.2). */
const LEAST_OPEN_HOURS = 72;

/**
 * Looks for events that no webhook brought, or for all where the node polls, and puts them into the inbox. The first check after
 * a publishing puts nothing: it says where the history begins.
 *
 * @throws NodeApiError or NodeOperationError when the history or the lines cannot be read
 */
export async function checkForEvents(call: Call): Promise<void> {
	const { memory, settings } = call;
	const connection = await connectNode(call);
	await registerIfOutdated(call);
	// Before anything is found: under another key pair its questions are those of another account.
	const { accountId: account } = connection.settings;
	listenForAnswers(call, { account, events: settings.kinds });
	// What cannot be read of one must not keep back the events of the other.
	const [ofHistory] = await Promise.allSettled([checkHistory(call, connection)]);
	const [ofLines] = await Promise.allSettled([
		settings.kinds.some(isLineKind) ? checkLines(call, connection) : undefined,
	]);
	void memory.part(Starter).drain();
	if (ofHistory.status === 'rejected') throw ofHistory.reason;
	memory.hasChecked = true;
	if (ofLines.status === 'fulfilled') return;
	if (settings.kinds.every(isLineKind)) throw ofLines.reason;
	call.warn(` could not check the lines: ${reasonOf(ofLines.reason)}`);
}

async function checkHistory(call: Call, connection: Connection): Promise<void> {
	const { memory, processMemory, settings } = call;
	const { inbox } = memory.part(Starter);
	const { accountId } = connection.settings;
	const { kinds, receiveBy, recoverHours } = settings;
	const before = memory.check;
	const since = () => {
		const times = timesOf(call, connection);
		return before ? readFromMs(before.history, times) : Math.min(times.nowMs, times.publishedMs);
	};
	const onCut = (reason: unknown) =>
		call.warn(` reads only the newest events: ${reasonOf(reason)}`);
	// Rows of another account tell nothing of where to stop.
	const latest = before?.account === accountId ? before.history.latest : undefined;
	const read = await readHistory(connection, { since, onCut }, latest);

	// Nothing is awaited from here on, so that no webhook comes in between.
	const { publishedMs, ...times } = timesOf(call, connection);
	const rows = placeRows(read, Math.max(times.nowMs, before?.history.sinceMs ?? 0));
	const input: HistoryInput = {
		rows,
		kinds,
		lastKinds: before?.kinds,
		stateOf: (name) => inbox.stateOf(name),
		isWanted: (event) => wants(call, event),
		...times,
	};
	// A webhook tells of a question that could not be sent only where the node listens to such events.
	if (!processMemory.part(WaitingList).isEmpty) void endFailed(call, rows);
	// With what has begun while the history was read.
	const now = memory.check;
	// Another key pair is of the same account when its history continues where the other's stopped.
	const goesOn = ({ handle }: PlacedRow) => now?.history.latest.includes(handle);
	const isKnown = now && (now.account === accountId || rows.some(goesOn));
	const isLate = publishedMs < times.nowMs - LATE_MS;
	const start = isKnown ? now.history : beginHistory(input, isLate ? publishedMs : Infinity);
	const { found, leftOut, state } = compareHistory(start, input);
	if (leftOut > 0) {
		call.warn(
			`: left out about ${leftOut} events that are older than ${recoverHours} hours and came while n8n was away, or shortly before`,
		);
	}
	for (const { event, placedMs } of found) {
		// What is polled comes in no other way, and no webhook is under way to an n8n that has just started.
		const mayCome = receiveBy === 'webhook' && memory.hasChecked;
		const waitMs = mayCome && placedMs > times.nowMs - GRACE_MS ? GRACE_MS : 0;
		put(call, event, waitMs, placedMs);
	}
	memory.check = { account: accountId, kinds, history: state };
	saveProgress(call);
}

/** Rows are dated by the service's clock, and n8n's may be hours off when its machine starts. */
function timesOf(call: Call, { account: { clockOffsetMs } }: Connection) {
	const { clock, context, memory, settings } = call;
	const { recoverHours } = settings;
	const nowMs = clock.nowMs() + (clockOffsetMs ?? 0);
	const startMs = Math.min(nowMs, memory.sinceMs + (clockOffsetMs ?? 0));
	const published = memory.check ? undefined : readSaved(context, 'published');
	return {
		nowMs,
		// While n8n runs, nothing is too old: the time is for what a start finds after n8n was away.
		oldestMs: memory.hasChecked ? 0 : startMs - recoverHours * HOUR_MS,
		openFromMs: nowMs - Math.max(recoverHours, LEAST_OPEN_HOURS) * HOUR_MS,
		/** When a person published the workflow, while no check has worked since. */
		publishedMs: published?.hasChecks
			? published.atMs + (published.offsetMs ?? clockOffsetMs ?? Infinity)
			: Infinity,
	};
}

/**
 * Reads the history from its newest row (§4.5) to a little behind a time.
 *
 * @param latest handles of the newest rows of the last reading, where there was one: received rows without a date are new
 * until one of them comes. A sent message is dated once it has left
 * @returns newest row first; of too many the oldest, as those come first
 */
async function readHistory(
	connection: Connection,
	reading: Pick<Reading, 'since' | 'onCut'>,
	latest?: readonly string[],
): Promise<HistoryRow[]> {
	const rows: HistoryRow[] = [];
	let mayBeNew = latest !== undefined;
	const isPast = (message: Message) => !mayBeNew && isOutbound(message) === false;
	for await (const page of readRows(connection, { ...reading, isPast })) {
		mayBeNew &&= !page.some(({ message }) => latest?.includes(message.message_handle ?? ''));
		rows.push(...page);
		if (rows.length > MOST_ROWS) rows.splice(0, rows.length - MOST_ROWS);
	}
	return rows;
}

async function checkLines(call: Call, connection: Connection): Promise<void> {
	const { memory } = call;
	const lines = await readLines(connection);
	const found = compareLines(lines, memory.lines);
	memory.lines ??= blocksOf(lines);
	for (const event of found) {
		if (wants(call, event)) put(call, event);
		else memory.lines = tellBlock(memory.lines, event);
	}
	saveProgress(call);
}

function put(call: Call, event: ServiceEvent, waitMs = 0, happenedMs = Infinity): void {
	const { clock, memory, settings } = call;
	const starter = memory.part(Starter);
	const isMissed = settings.receiveBy === 'webhook' && !(memory.signedAtMs > happenedMs);
	const arrival: Arrival = { ...toArrival(call, event, true), ...(isMissed && { isMissed }) };
	const notBeforeMs = clock.nowMs() + waitMs;
	if (starter.inbox.put(arrival, notBeforeMs)) void starter.drain(notBeforeMs);
}
