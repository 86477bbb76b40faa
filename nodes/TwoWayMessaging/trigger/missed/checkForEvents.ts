import type { IPollFunctions } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { CheckedActivations, isStartOfN8n } from '../../n8n/activation';
import { reasonOf } from '../../reasonOf';
import { readLines } from '../../transport/readLines';
import { connect } from '../../transport/request';
import { listenedAccount, listenForAnswers, saveQuestions } from '../answers/listen';
import { isLineKind, type ServiceEvent } from '../event';
import { EventStandings } from '../eventStandings';
import type { Handover } from '../handover';
import type { TriggerCall } from '../nodeMemory';
import { registerIfOutdated } from '../registration/registerAgain';
import { readSaved, writeSaved, type CheckState } from '../savedState';
import { hasChecks, readTriggerSettings, type TriggerSettings } from '../settings';
import { BegunList } from '../start/begunList';
import { handOverFound, isWanted } from '../start/handOver';
import { ProcessRole } from '../start/processRole';
import { ToldBlocks } from '../start/toldBlocks';
import { CheckMemory } from './checkMemory';
import { compareHistory } from './compareHistory';
import { beginLines, compareLines, type LinePlan } from './compareLines';
import { readOn, type HistoryReading } from './readOn';

/**
 * Looks for events that no webhook brought, or for all events where the node receives by polling.
 *
 * @returns what one execution starts with; an empty list when there is nothing to do
 * @throws NodeOperationError or NodeApiError when a person should know: while publishing, or when events can
 * come in no other way
 */
export async function checkForEvents(call: TriggerCall<IPollFunctions>): Promise<Handover[]> {
	const { caller, memory } = call;
	const settings = readTriggerSettings(caller);
	const checkMemory = memory.part(CheckMemory);
	memory.part(ProcessRole).receivesEvents = true;
	if (!hasChecks(caller)) {
		memory.part(BegunList).markUnchecked();
		if (settings.receiveBy === 'webhook') return [];
		throw new NodeOperationError(
			caller.getNode(),
			"There is no time at which to ask for events. Add one under 'Check for Events', or set 'Receive By' to 'Webhook'.",
		);
	}
	// A check that starts while the last one still reads would find the same events.
	if (checkMemory.isChecking) return [];
	checkMemory.isChecking = true;
	try {
		return await check(call, settings);
	} catch (thrown) {
		if (mustTellPerson(call, settings)) throw toNodeError(caller, thrown);
		caller.logger.warn(
			`${caller.getNode().name} could not check for missed events: ${reasonOf(thrown)}`,
		);
		return [];
	} finally {
		checkMemory.isChecking = false;
	}
}

async function check(
	call: TriggerCall<IPollFunctions>,
	settings: TriggerSettings,
): Promise<Handover[]> {
	const { caller, memory, processMemory } = call;
	const connection = await connect(caller, processMemory);
	const isFirst = memory.part(CheckedActivations).isFirstCheck(caller);
	if (settings.receiveBy === 'polling' && settings.kinds.includes('receive')) {
		listenForAnswers(call, connection.settings.accountId);
	}
	const lines = settings.kinds.some(isLineKind) ? await readLines(connection) : undefined;
	const account = listenedAccount(call);
	const isWantedHere = (event: ServiceEvent) => isWanted(call, event, settings, account);
	const reading = await readOn(call, connection, settings, isWantedHere);

	// Nothing is awaited from here until the events are handed over, so that no webhook comes in between.
	const plan = compareHistory(reading.state, reading.input);
	const linePlan = lines && planLines(call, lines, reading, isWantedHere);
	const standings = memory.part(EventStandings);
	for (const name of plan.unwanted) standings.markSettled(name);
	const due = [...plan.due, ...(linePlan?.due ?? [])];
	const handovers: Handover[] = handOverFound(call, due, settings, account);
	const checkMemory = memory.part(CheckMemory);
	checkMemory.deferred = new Set(plan.deferred);
	checkMemory.last = {
		account: connection.settings.accountId,
		history: plan.state,
		...(linePlan && { lines: linePlan.states }),
	};
	memory.part(CheckedActivations).markChecked(caller);
	await registerIfOutdated(call, connection);

	const areQuestionsNew = saveQuestions(call) && settings.receiveBy === 'polling';
	const isSaveDue =
		memory.part(BegunList).isSaveDue() ||
		areLinesUnsaved(caller, checkMemory.last) ||
		areQuestionsNew;
	// n8n saves after the first check of an activation, and else only with an execution.
	if (handovers.length === 0 && isSaveDue && !isFirst) handovers.push({ kind: 'save' });
	if (handovers.length > 0 || isFirst) {
		writeSaved(caller, { check: checkMemory.last });
		memory.part(BegunList).markSaved(plan.lookedAtAgain);
	}
	return handovers;
}

function planLines(
	call: TriggerCall<IPollFunctions>,
	lines: Awaited<ReturnType<typeof readLines>>,
	reading: HistoryReading,
	isWantedHere: (event: ServiceEvent) => boolean,
): LinePlan {
	const { caller, memory } = call;
	const known = reading.isNew ? undefined : memory.part(CheckMemory).lastOf(caller)?.lines;
	if (!known) return { due: [], states: beginLines(lines) };
	const toldBlocks = memory.part(ToldBlocks);
	const plan = compareLines(lines, known, {
		latestBlock: (handle) => toldBlocks.latest(handle),
		standingOf: (name) => memory.part(EventStandings).standingOf(name),
		isWanted: isWantedHere,
	});
	for (const [handle, { blockedAt, handedOver }] of Object.entries(plan.states)) {
		for (const block of [blockedAt, handedOver]) if (block) toldBlocks.add(handle, block);
	}
	return plan;
}

/** Whether n8n would miss a change of a line if it started from what is saved. */
function areLinesUnsaved(caller: IPollFunctions, { lines }: CheckState): boolean {
	return JSON.stringify(lines) !== JSON.stringify(readSaved(caller, 'check')?.lines);
}

/** Whether a person has to know that a check did not work. */
function mustTellPerson(
	{ caller, memory }: TriggerCall<IPollFunctions>,
	{ receiveBy }: TriggerSettings,
): boolean {
	if (!memory.part(CheckedActivations).isFirstCheck(caller)) return receiveBy === 'polling';
	return !isStartOfN8n(caller);
}

/** n8n shows errors of these two classes with their own words. */
function toNodeError(caller: IPollFunctions, thrown: unknown): NodeApiError | NodeOperationError {
	const hasWords = thrown instanceof NodeApiError || thrown instanceof NodeOperationError;
	return hasWords ? thrown : new NodeOperationError(caller.getNode(), thrown as Error);
}
