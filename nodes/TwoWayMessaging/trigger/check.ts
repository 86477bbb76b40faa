import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { toMessage, type Fields } from '../message';
import { readLines } from '../transport/lines';
import { historyPages } from '../transport/pages';
import { connect, type Connection } from '../transport/request';
import type { Happening } from './event';
import { passes } from './filters';
import { handover, type Delivery } from './item';
import { beginLines, reconcileLines, type LineCheckInput } from './lines';
import { memoryOf, storedCheck, type CheckState, type NodeMemory } from './memory';
import {
	beginHistory,
	carryHistory,
	isOutbound,
	ownTimeMs,
	placeRows,
	reconcile,
	scanFloor,
	type CheckInput,
} from './reconcile';
import { renewRegistration } from './renewal';
import { readTriggerSettings, type TriggerSettings } from './settings';

/** So long after it happened an event may still come by webhook, before a check takes it. */
const GRACE_MS = 30_000;

/** Rows that one check holds: the oldest ones of more, and the next check goes on behind them. */
const MOST_ROWS = 20_000;

/** Rows in a row that are too old, before the rest is taken to be so: rows may stand a little out of order. */
const ROWS_BEYOND = 100;

/** Events begun since n8n last saved what the checks know, before it is made to save. */
const BEGUN_UNSAVED = 2_000;

const HOUR_MS = 60 * 60_000;

/**
 * Activations that have had a check. n8n keeps one static data object for a whole activation, and does not
 * say otherwise which call of poll() is the first.
 */
const checkedActivations = new WeakSet<object>();

/**
 * Looks for events that never came, or for all of them where the node receives by polling.
 *
 * @returns items for one execution; null when there is nothing to do
 * @throws NodeOperationError or NodeApiError when a person should know: while publishing, or when events can
 * come in no other way
 */
export async function checkForEvents(poll: IPollFunctions): Promise<INodeExecutionData[] | null> {
	const settings = readTriggerSettings(poll);
	const memory = memoryOf(poll);
	memory.isServed = true;
	if (!settings.hasChecks) {
		memory.keptAtSave = 0;
		if (settings.receiveBy === 'webhook') return null;
		throw new NodeOperationError(poll.getNode(), 'There is no time at which to ask for events', {
			description: "Add one under 'Check for Missed Events', or set 'Receive By' to 'Webhook'.",
		});
	}
	// The next tick comes while the last is still reading: what it finds, this one would find again.
	if (memory.isChecking) return null;
	memory.isChecking = true;
	try {
		return await check(poll, settings, memory);
	} catch (thrown) {
		if (isForPeople(poll, settings)) throw toNodeFailure(poll, thrown);
		const reason = thrown instanceof Error ? thrown.message : String(thrown);
		poll.logger.warn(`${poll.getNode().name} could not check for missed events: ${reason}`);
		return null;
	} finally {
		memory.isChecking = false;
	}
}

/** What n8n shows with the words it was thrown with. */
function toNodeFailure(poll: IPollFunctions, thrown: unknown): NodeApiError | NodeOperationError {
	const isOurs = thrown instanceof NodeApiError || thrown instanceof NodeOperationError;
	return isOurs ? thrown : new NodeOperationError(poll.getNode(), thrown as Error);
}

/** Whether somebody has to hear that a check did not work. At a start, n8n would only give up the workflow. */
function isForPeople(poll: IPollFunctions, { receiveBy }: TriggerSettings): boolean {
	if (!isFirstOfActivation(poll)) return receiveBy === 'polling';
	return !['init', 'leadershipChange'].includes(poll.getActivationMode());
}

function isFirstOfActivation(poll: IPollFunctions): boolean {
	return !checkedActivations.has(poll.getWorkflowStaticData('node'));
}

async function check(
	poll: IPollFunctions,
	settings: TriggerSettings,
	memory: NodeMemory,
): Promise<INodeExecutionData[] | null> {
	const nowMs = Date.now();
	const connection = await connect(poll);
	const staticData = poll.getWorkflowStaticData('node');
	const isFirst = isFirstOfActivation(poll);
	const mode = poll.getActivationMode();
	const isStart = isFirst && mode === 'init';
	const isWanted = (happening: Happening) =>
		settings.kinds.includes(happening.kind) && passes(happening, settings.filters);
	const standing = (key: string) => memory.seen.standing(key, nowMs);
	const oldestMs = nowMs - settings.recoverHours * HOUR_MS;

	// A person who activates a workflow wants what comes from now on.
	const before = isFirst && mode === 'activate' ? undefined : lastCheck(poll, memory);
	const rows = await readHistory(connection, nowMs, (newestMs) =>
		before ? scanFloor(before.history, oldestMs) : Math.min(newestMs, nowMs),
	);
	const input: CheckInput = {
		rows: placeRows(rows, nowMs),
		standing,
		isWanted,
		held: memory.held,
		nowMs,
		oldestMs,
		// Nothing else brings what is polled, and no webhook is under way to an n8n that has just started.
		graceMs: settings.receiveBy === 'polling' || isStart ? Number.NEGATIVE_INFINITY : GRACE_MS,
	};
	const isKnown = before && isSameAccount(before, connection, input);
	let history = isKnown ? before.history : beginHistory(input);
	if (isKnown && isFirst && mode === 'update') history = carryHistory(history, input);
	const plan = reconcile(history, input);
	const linePlan = await checkLines(connection, settings, isKnown ? before : undefined, {
		heard: memory.heard,
		standing,
		isWanted,
	});

	const due: Delivery[] = [...plan.due, ...(linePlan?.due ?? [])].flatMap(
		({ happening, key, body }) =>
			happening ? [{ happening, key, body, isRecovered: settings.receiveBy === 'webhook' }] : [],
	);
	const missed = due.filter(({ key }) => !memory.seen.isKnown(key)).length;
	await renewRegistration(poll, connection, settings, missed, nowMs);

	const next: CheckState = {
		account: connection.settings.accountId,
		history: plan.state,
		...(linePlan && { lines: linePlan.states }),
	};
	const isLineNews = JSON.stringify(next.lines) !== JSON.stringify(storedCheck(poll)?.lines);
	memory.held = new Set(plan.held);
	for (const key of plan.unwanted) memory.seen.settle(key, nowMs);
	for (const { key } of due) memory.seen.hand(key, nowMs);
	memory.check = next;
	checkedActivations.add(staticData);

	const isSaveDue = memory.begunSinceSave >= BEGUN_UNSAVED || isLineNews;
	const items = due.map((delivery) => handover(delivery, settings.simplify));
	// n8n saves only with an execution. One that has begun before starts nothing.
	if (items.length === 0 && isSaveDue && memory.lastBegun) items.push(memory.lastBegun);
	if (items.length > 0 || isFirst) {
		staticData.check = next as unknown as IDataObject;
		memory.keptAtSave = plan.kept;
		memory.begunSinceSave = 0;
	}
	return items.length > 0 ? items : null;
}

/** What the last check left: in this process, or in the one that saved last. */
function lastCheck(poll: IPollFunctions, { check }: NodeMemory): CheckState | undefined {
	const stored = storedCheck(poll);
	if (!check || !stored) return check ?? stored;
	return check.history.sinceMs >= stored.history.sinceMs ? check : stored;
}

/** Another key pair is the same account when its history goes on where the other stopped. */
function isSameAccount(
	{ account, history }: CheckState,
	{ settings }: Connection,
	{ rows }: CheckInput,
): boolean {
	if (account === settings.accountId) return true;
	return rows.some(({ handle }) => history.latest.includes(handle));
}

/** Rows newest first, a bit further back than the floor. */
async function readHistory(
	connection: Connection,
	nowMs: number,
	floorOf: (newestMs: number) => number,
): Promise<Fields[]> {
	const rows: Fields[] = [];
	let floorMs: number | undefined;
	let tooOld = 0;
	for await (const page of historyPages(connection, {})) {
		const times = page.map((row) => ownTimeMs(row, nowMs));
		floorMs ??= floorOf(times.reduce<number>((latest, time) => Math.max(latest, time ?? 0), 0));
		for (const [at, timeMs] of times.entries()) {
			// What is sent is dated when it has been; what was received is dated, or says nothing of its age.
			if (timeMs !== undefined) tooOld = timeMs < floorMs ? tooOld + 1 : 0;
			else if (!isOutbound(toMessage(page[at] ?? {}))) tooOld += 1;
		}
		rows.push(...page);
		if (rows.length > MOST_ROWS) rows.splice(0, rows.length - MOST_ROWS);
		if (tooOld >= ROWS_BEYOND) break;
	}
	return rows;
}

async function checkLines(
	connection: Connection,
	{ kinds }: TriggerSettings,
	before: CheckState | undefined,
	input: LineCheckInput,
) {
	if (!kinds.includes('line_blocked') && !kinds.includes('line_unblocked')) return undefined;
	const lines = await readLines(connection);
	if (!before?.lines) return { due: [], states: beginLines(lines) };
	return reconcileLines(lines, before.lines, input);
}
