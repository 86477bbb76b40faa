import type { ITriggerFunctions } from 'n8n-workflow';
import { reasonOf } from '../../reasonOf';
import { readLines } from '../../service/lines';
import type { Connection } from '../../service/request';
import { toArrival, wants, type Arrival } from '../arrival';
import { isLineKind, type ServiceEvent } from '../event';
import {
	listenAsRegistered,
	listenedAccount,
	listenForAnswers,
	stopListening,
} from '../questions/listenForAnswers';
import { endFailed } from '../questions/offerAnswer';
import { Listening, savePublished } from '../listening';
import type { TriggerCall } from '../nodeMemory';
import { registerIfOutdated } from '../registration/registerAgain';
import { readSaved, type CheckState, type HistoryState } from '../savedState';
import { connectNode } from '../signingSecrets';
import { readTriggerSettings, type TriggerSettings } from '../settings';
import { Starter } from '../starter';
import { CheckMemory, saveCheck } from './checkMemory';
import {
	beginHistory,
	compareHistory,
	leaveOutOld,
	readFromMs,
	settleSeen,
	type HistoryInput,
} from './compareHistory';
import { blocksOf, compareLines, tellBlock } from './compareLines';
import { placeRows, readHistory, type PlacedRow } from './readHistory';

/** Why a check takes place. */
export type Occasion = 'published' | 'publishedAgain' | 'started' | 'scheduled';

/** How long after it happened an event may still come by webhook, before what a check has found of it starts. */
const GRACE_MS = 30_000;

/** Most rows that are kept at once: more than are in view, and two pages besides, so that each check gets on. */
const MOST_ROWS = 20_000;

const HOUR_MS = 60 * 60_000;

/** How long at least the final state of an outbound row is waited for: a line at its limit holds messages (§8.2). */
const LEAST_OPEN_HOURS = 72;

/** One check of a node. */
type Check = {
	call: TriggerCall<ITriggerFunctions>;
	connection: Connection;
	settings: TriggerSettings;
	occasion: Occasion;
	/** The account whose questions may be answered; undefined for none. */
	account: string | undefined;
};

/**
 * Looks for events that no webhook brought, or for all events where the node receives by polling, and puts them into the
 * inbox.
 *
 * @throws NodeApiError or NodeOperationError when the history or the lines cannot be read
 */
export async function checkForEvents(
	call: TriggerCall<ITriggerFunctions>,
	occasion: Occasion,
): Promise<void> {
	const { context, clock, memory } = call;
	const checkMemory = memory.part(CheckMemory);
	checkMemory.triedFromMs ??= clock.nowMs();
	checkMemory.begun ??= readSaved(context, 'check')?.lines;
	const settings = readTriggerSettings(context);
	const connection = await connectNode(call);
	await registerIfOutdated(call, connection);
	// Before anything is found: under another key pair its questions are those of another account.
	listen(call, connection, settings);
	const check = { call, connection, settings, occasion, account: listenedAccount(call) };
	// What cannot be read of one must not keep back the events of the other.
	const [ofHistory] = await Promise.allSettled([checkHistory(check)]);
	const [ofLines] = await Promise.allSettled([checkLines(check)]);
	savePublished(call, connection.settings);
	memory.part(Starter).drainSoon();
	if (ofHistory.status === 'rejected') throw ofHistory.reason;
	if (ofLines.status === 'fulfilled') return;
	if (settings.kinds.every(isLineKind)) throw ofLines.reason;
	context.logger.warn(
		`${context.getNode().name} could not check the lines: ${reasonOf(ofLines.reason)}`,
	);
}

/** Lets the node receive answers; one that polls has no registration. */
function listen(
	call: TriggerCall<ITriggerFunctions>,
	{ settings: { accountId: account, credentialKey: credential } }: Connection,
	{ receiveBy, kinds }: TriggerSettings,
): void {
	if (receiveBy !== 'polling') return listenAsRegistered(call);
	if (!kinds.includes('receive')) stopListening(call);
	else listenForAnswers(call, { account, ...(credential && { credential }) });
}

async function checkHistory(check: Check): Promise<void> {
	const { call, connection, settings, occasion, account } = check;
	const { context, clock, memory } = call;
	const checkMemory = memory.part(CheckMemory);
	const { inbox } = memory.part(Starter);
	const { accountId } = connection.settings;
	const before = occasion === 'published' ? undefined : lastOf(call, accountId);
	// While n8n runs, nothing is too old: the time is for what a start finds after n8n was away.
	const isStart = checkMemory.last === undefined;
	/** Rows are dated by the service's clock, and n8n's may be hours off when its machine starts. */
	const times = () => {
		const aheadMs = connection.account.clockOffsetMs ?? 0;
		const nowMs = clock.nowMs() + aheadMs;
		const startMs = Math.min(nowMs, (checkMemory.triedFromMs ?? clock.nowMs()) + aheadMs);
		return {
			nowMs,
			oldestMs: isStart && before ? startMs - settings.recoverHours * HOUR_MS : 0,
			openFromMs: nowMs - Math.max(settings.recoverHours, LEAST_OPEN_HOURS) * HOUR_MS,
		};
	};
	const since = () => (before ? readFromMs(before.history, times()) : times().nowMs);
	const onCut = (reason: unknown) =>
		context.logger.warn(
			`${context.getNode().name} reads only the newest events: ${reasonOf(reason)}`,
		);
	// Rows of another account tell nothing of where to stop.
	const latest = before?.account === accountId ? before.history.latest : undefined;
	const rows = placeRows(
		await readHistory(connection, { since, onCut }, MOST_ROWS, latest),
		Math.max(times().nowMs, before?.history.sinceMs ?? 0),
	);
	const input: HistoryInput = {
		rows,
		kinds: settings.kinds,
		stateOf: (name) => inbox.stateOf(name),
		isWanted: (event) => wants(call, event, settings, account),
		...times(),
	};
	// A webhook tells of a question that could not be sent only where the node listens to such events.
	if (account !== undefined) void endFailed(call, account, rows);

	// Nothing is awaited from here on, so that no webhook comes in between.
	const leave = (history: HistoryState) => {
		checkMemory.leave({ account: accountId, kinds: settings.kinds, history });
		saveCheck(call);
	};
	if (!before || !isSameHistory(before, accountId, rows)) {
		const isClockKnown = connection.account.clockOffsetMs !== undefined;
		leave(beginHistory(input, isClockKnown));
		return;
	}
	// With what has begun while the history was read.
	const now = lastOf(call, accountId) ?? before;
	const carried = occasion === 'publishedAgain' ? settleSeen(now, input) : now.history;
	const { state, leftOut } = leaveOutOld(carried, input);
	if (leftOut > 0) {
		context.logger.warn(
			`${context.getNode().name}: left out about ${leftOut} events that are older than ${settings.recoverHours} hours and came while n8n was away, or shortly before`,
		);
	}
	const { found, state: next } = compareHistory(state, input);
	for (const row of found) putRow(check, row, input.nowMs);
	logSenderless(call, found);
	leave(next);
}

/** What the last check of an account left, in this process or in the one that saved last; else that of any account. */
function lastOf(
	{ context, memory }: TriggerCall<ITriggerFunctions>,
	account: string,
): CheckState | undefined {
	const known = [memory.part(CheckMemory).last, readSaved(context, 'check')].filter(
		(state) => state !== undefined,
	);
	const ofAccount = known
		.filter((state) => state.account === account)
		.sort((one, other) => other.history.sinceMs - one.history.sinceMs);
	return ofAccount[0] ?? known[0];
}

/** Another key pair is of the same account when its history continues where the other's stopped. */
function isSameHistory(before: CheckState, account: string, rows: PlacedRow[]): boolean {
	return (
		before.account === account || rows.some(({ handle }) => before.history.latest.includes(handle))
	);
}

async function checkLines(check: Check): Promise<void> {
	const { call, connection, settings, occasion } = check;
	const { clock, memory } = call;
	if (!settings.kinds.some(isLineKind)) return;
	const lines = await readLines(connection);
	const aheadMs = connection.account.clockOffsetMs ?? 0;
	const checkMemory = memory.part(CheckMemory);
	const known = occasion === 'published' ? undefined : (checkMemory.told ?? checkMemory.begun);
	if (!known) checkMemory.begun = blocksOf(lines);
	for (const event of compareLines(lines, known)) {
		checkMemory.markEnded(event, clock.nowMs() + aheadMs);
		if (wants(call, event, settings, undefined)) put(check, event, clock.nowMs());
		else checkMemory.begun = tellBlock(checkMemory.begun ?? {}, event);
	}
	checkMemory.told = blocksOf(lines);
	saveCheck(call);
}

function putRow(check: Check, { event, placedMs }: PlacedRow, nowMs: number): void {
	const { call, settings, occasion } = check;
	const isFresh = placedMs > nowMs - GRACE_MS;
	// What is polled comes in no other way, and no webhook is under way to an n8n that has just started.
	const waitMs =
		isFresh && settings.receiveBy === 'webhook' && occasion !== 'started' ? GRACE_MS : 0;
	put(check, event, call.clock.nowMs() + waitMs, placedMs);
}

function put(check: Check, event: ServiceEvent, notBeforeMs: number, happenedMs?: number): void {
	const { call, settings, account } = check;
	const { memory } = call;
	const starter = memory.part(Starter);
	const isMissed =
		settings.receiveBy === 'webhook' &&
		!(memory.part(Listening).signedAtMs > (happenedMs ?? Number.POSITIVE_INFINITY));
	const arrival: Arrival = {
		...toArrival(call, event, settings, account),
		isFound: true,
		...(isMissed && { isMissed }),
	};
	if (starter.inbox.put(arrival, { notBeforeMs })) starter.drainAt(notBeforeMs);
}

/** Says once that a check cannot tell who texted. */
function logSenderless(
	{ context, memory }: TriggerCall<ITriggerFunctions>,
	found: PlacedRow[],
): void {
	const checkMemory = memory.part(CheckMemory);
	const isSenderless = found.some(
		({ event }) => event.kind === 'receive' && event.message.from === undefined,
	);
	if (!isSenderless || checkMemory.isSenderlessLogged) return;
	checkMemory.isSenderlessLogged = true;
	context.logger.warn(
		`${context.getNode().name}: the history does not say who sent a message, so filters on senders let it through`,
	);
}
