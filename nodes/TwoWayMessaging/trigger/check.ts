import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { Fields } from '../message';
import { readLines, type LineFields } from '../transport/readLines';
import { connect, type Connection } from '../transport/request';
import { forQuestion, isAwaited } from './answers';
import { passes } from './filters';
import { handover, type Delivery } from './item';
import {
	beginLines,
	reconcileLines,
	type LineCheckInput,
	type LinePlan,
	type LineStates,
} from './lines';
import { memoryOf, storedCheck, type CheckState, type NodeMemory } from './memory';
import { itemToSave, keepQuestions, listenedAccount, listenForAnswers } from './questions';
import {
	beginHistory,
	carryHistory,
	placeRows,
	reconcile,
	scanFloor,
	type CheckInput,
	type HistoryState,
} from './reconcile';
import { renewOutdated } from './renewal';
import { scanHistory } from './scan';
import { hasChecks, readTriggerSettings, type TriggerSettings } from './settings';
import { processMemory } from '../processMemory';

/** So long after it happened an event may still come by webhook, before a check takes it. */
const GRACE_MS = 30_000;

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
	if (!hasChecks(poll)) {
		// No check will ever ask for what has begun.
		memory.keptAtSave = Number.NEGATIVE_INFINITY;
		if (settings.receiveBy === 'webhook') return null;
		throw new NodeOperationError(
			poll.getNode(),
			"There is no time at which to ask for events. Add one under 'Check for Events', or set 'Receive By' to 'Webhook'.",
		);
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
	const connection = await connect(poll, processMemory);
	const isFirst = isFirstOfActivation(poll);
	if (settings.receiveBy === 'polling' && settings.kinds.includes('receive')) {
		listenForAnswers(poll, connection.settings.accountId);
	}
	const lines = listensToLines(settings) ? await readLines(connection) : undefined;
	const { history, input } = await readOn(poll, connection, settings, memory, nowMs);

	// From here to the handing over nothing waits, so that no webhook comes in between.
	const plan = reconcile(history.state, input);
	const known = history.isNew ? undefined : lastCheck(poll, memory)?.lines;
	const linePlan = lines && planLines(lines, known, { ...input, heard: memory.heard });
	const isRecovered = settings.receiveBy === 'webhook';
	const due: Delivery[] = [...plan.due, ...(linePlan?.due ?? [])].flatMap(
		({ happening, key, body }) => {
			const isMissed = isRecovered && !memory.seen.isKnown(key);
			return happening ? [{ happening, key, body, isRecovered, isMissed }] : [];
		},
	);
	for (const { key } of due) memory.seen.hand(key, nowMs);
	for (const key of plan.unwanted) memory.seen.settle(key, nowMs);
	memory.held = new Set(plan.held);
	memory.check = {
		account: connection.settings.accountId,
		history: plan.state,
		...(linePlan && { lines: linePlan.states }),
	};
	checkedActivations.add(poll.getWorkflowStaticData('node'));
	await renewOutdated(poll, connection, settings);

	const account = listenedAccount(poll);
	const items = due.map((delivery) =>
		forQuestion(handover(delivery, settings), account, delivery.happening, {
			isWanted: passes(delivery.happening, settings.filters),
		}),
	);
	// n8n saves only with an execution. One that has begun before starts nothing.
	if (items.length === 0 && isSaveDue(poll, memory) && memory.lastBegun) {
		items.push(memory.lastBegun);
	}
	if (items.length === 0 && settings.receiveBy === 'polling') items.push(...itemToSave(poll));
	if (items.length > 0 || isFirst) {
		keepQuestions(poll);
		poll.getWorkflowStaticData('node').check = memory.check as unknown as IDataObject;
		memory.keptAtSave = plan.kept;
		memory.begunSinceSave = 0;
	}
	return items.length > 0 ? items : null;
}

/** Reads the history from where the last check stopped, and what to hold against it. */
async function readOn(
	poll: IPollFunctions,
	connection: Connection,
	settings: TriggerSettings,
	memory: NodeMemory,
	nowMs: number,
): Promise<{ history: { state: HistoryState; isNew: boolean }; input: CheckInput }> {
	const oldestMs = nowMs - settings.recoverHours * HOUR_MS;
	const activation = isFirstOfActivation(poll) ? poll.getActivationMode() : undefined;
	const inputOf = (rows: Fields[]): CheckInput => ({
		rows: placeRows(rows, nowMs),
		standing: (key) => memory.seen.standing(key, nowMs),
		isWanted: (happening) =>
			settings.kinds.includes(happening.kind) &&
			(passes(happening, settings.filters) || isAwaited(listenedAccount(poll), happening)),
		held: memory.held,
		nowMs,
		oldestMs,
		// Nothing else brings what is polled, and no webhook is under way to an n8n that has just started.
		graceMs:
			settings.receiveBy === 'polling' || activation === 'init'
				? Number.NEGATIVE_INFINITY
				: GRACE_MS,
	});

	// A person who activates a workflow wants what comes from now on.
	const before = activation === 'activate' ? undefined : lastCheck(poll, memory);
	let scan = await scanHistory(connection, nowMs, (newestMs) =>
		before ? scanFloor(before.history, oldestMs) : Math.min(newestMs, nowMs),
	);
	let input = inputOf(scan.rows);
	if (!before || !isSameAccount(before, connection, input)) {
		return { history: { state: beginHistory(input), isNew: true }, input };
	}
	let state = activation === 'update' ? carryHistory(before.history, input) : before.history;
	while (!scan.isWhole) {
		const plan = reconcile(state, input);
		if (plan.due.length > 0 || plan.state.sinceMs <= state.sinceMs) break;
		// All that could be held has begun already: on to what did not fit.
		state = plan.state;
		const floorMs = scanFloor(state, oldestMs);
		scan = await scanHistory(connection, nowMs, () => floorMs);
		input = inputOf(scan.rows);
	}
	return { history: { state, isNew: false }, input };
}

/** What the last check left: in this process, or in the one that saved last. */
function lastCheck(poll: IPollFunctions, { check: kept }: NodeMemory): CheckState | undefined {
	const stored = storedCheck(poll);
	if (!kept || !stored) return kept ?? stored;
	return kept.history.sinceMs >= stored.history.sinceMs ? kept : stored;
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

function listensToLines({ kinds }: TriggerSettings): boolean {
	return kinds.includes('line_blocked') || kinds.includes('line_unblocked');
}

function planLines(
	lines: LineFields[],
	known: LineStates | undefined,
	input: LineCheckInput,
): LinePlan {
	return known ? reconcileLines(lines, known, input) : { due: [], states: beginLines(lines) };
}

/** Whether a start of n8n from what is saved now would ask for too much, or miss what became of a line. */
function isSaveDue(poll: IPollFunctions, { begunSinceSave, check: kept }: NodeMemory): boolean {
	const isLineNews = JSON.stringify(kept?.lines) !== JSON.stringify(storedCheck(poll)?.lines);
	return begunSinceSave >= BEGUN_UNSAVED || isLineNews;
}
