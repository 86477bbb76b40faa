import type { IPollFunctions } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { CheckedActivations, isPublishedAgain, isStartOfN8n } from '../../n8n/activation';
import { reasonOf } from '../../reasonOf';
import { readLines } from '../../transport/readLines';
import { endFailed } from '../answers/endFailed';
import {
	listenAsRegistered,
	listenForAnswers,
	listenedAccount,
	saveQuestions,
	stopListening,
} from '../answers/listenForAnswers';
import { questionSaver } from '../answers/questionSaver';
import { isLineKind, type ServiceEvent } from '../event';
import { EventStandings } from '../eventStandings';
import { refuseFiltersThatMatchNobody } from '../filterRefusal';
import type { Handover } from '../handover';
import type { TriggerCall } from '../nodeMemory';
import { registerIfOutdated } from '../registration/registerAgain';
import { connectNode } from '../secrets/connectNode';
import { readSaved, type CheckState } from '../savedState';
import { hasChecks, readTriggerSettings, type TriggerSettings } from '../settings';
import { BegunList } from '../start/begunList';
import { handOverFound, useOf, type FoundEvent } from '../start/makeHandover';
import { ProcessRole } from '../start/processRole';
import { endStarting, prepareToStart, startEach } from '../start/startEach';
import { ToldBlocks } from '../start/toldBlocks';
import { CopyOfChecks, writeSaved } from '../writeSaved';
import { CheckMemory, isFirstCheck } from './checkMemory';
import { compareHistory } from './compareHistory';
import { beginLines, compareLines, type LinePlan } from './compareLines';
import { readOn, type HistoryReading } from './readOn';

/**
 * Looks for events that no webhook brought, or for all events where the node receives by polling.
 *
 * Starts an execution for each event.
 *
 * @returns what one more execution has to start with; usually nothing
 * @throws NodeOperationError or NodeApiError when a person should know: while publishing, or when events can
 * come in no other way
 */
export async function checkForEvents(call: TriggerCall<IPollFunctions>): Promise<Handover[]> {
	const { caller, memory } = call;
	const settings = readTriggerSettings(caller);
	memory.part(ProcessRole).receivesEvents = true;
	// Another node's check may make n8n save the workflow, also where this node has none.
	memory.part(CopyOfChecks).data = caller.getWorkflowStaticData('node');
	if (!hasChecks(caller)) {
		if (settings.receiveBy === 'webhook') return [];
		throw new NodeOperationError(
			caller.getNode(),
			"There is no time at which to ask for events. Add one under 'Check for Events', or set 'Receive By' to 'Webhook'.",
		);
	}
	if (settings.receiveBy === 'polling' && isFirstCheck(call)) refuseFiltersThatMatchNobody(caller);
	try {
		const activation = caller.getWorkflowStaticData('node');
		const handovers = await memory
			.part(CheckMemory)
			.runAlone(activation, async () => await check(call, settings));
		return handovers ?? [];
	} catch (thrown) {
		if (mustTellPerson(call, settings, thrown)) throw toNodeError(call, thrown);
		caller.logger.warn(
			`${caller.getNode().name} could not check for missed events: ${reasonOf(thrown)}`,
		);
		return [];
	}
}

async function check(
	call: TriggerCall<IPollFunctions>,
	settings: TriggerSettings,
): Promise<Handover[]> {
	const { caller, memory } = call;
	const connection = await connectNode(call);
	const begunList = memory.part(BegunList);
	begunList.restore(readSaved(caller, 'check')?.begun);
	const isFirst = isFirstCheck(call);
	// What waited was found under the rules of an earlier activation.
	if (isFirst) endStarting(call);
	prepareToStart(call, settings);
	if (settings.receiveBy === 'polling' && !settings.kinds.includes('receive')) stopListening(call);
	else if (settings.receiveBy === 'polling') {
		const { accountId: account, credentialKey: credential } = connection.settings;
		const save = questionSaver(call, account);
		listenForAnswers(call, { account, ...(credential && { credential }), ...(save && { save }) });
	}
	// Before anything is found: under another key pair its questions are those of another account.
	if (await registerIfOutdated(call, connection)) listenAsRegistered(call);
	const lines = settings.kinds.some(isLineKind) ? await readLines(connection) : undefined;
	const account = listenedAccount(call);
	const useOfEvent = (event: ServiceEvent) => useOf(call, event, settings, account);
	const isWanted = (event: ServiceEvent) => useOfEvent(event) !== undefined;
	const reading = await readOn(call, connection, settings, isWanted);

	// A webhook tells of a question that could not be sent only where the node listens to such events.
	if (account !== undefined) void endFailed(call, account, reading.input.rows);

	// Nothing is awaited from here until the events are handed over, so that no webhook comes in between.
	const plan = compareHistory(reading.state, reading.input);
	const linePlan = lines && planLines(call, lines, reading, isWanted);
	const standings = memory.part(EventStandings);
	for (const name of plan.unwanted) standings.markUnwanted(name);
	const due = [...plan.due, ...(linePlan?.due ?? [])];
	const found = handOverFound(call, due, settings, useOfEvent);
	const checkMemory = memory.part(CheckMemory);
	logSenderless(call, plan.due);
	checkMemory.deferred = new Set(plan.deferred);
	const left: CheckState = {
		account: connection.settings.accountId,
		history: plan.state,
		begun: begunList.countsByDay(found.length),
		...(linePlan && { lines: linePlan.states }),
	};
	checkMemory.markChecked(caller, left);
	memory.part(CheckedActivations).markChecked(caller);

	const areQuestionsNew = saveQuestions(call) && settings.receiveBy === 'polling';
	const isSaveDue =
		reading.isNew ||
		begunList.isSaveDue() ||
		areLinesUnsaved(caller, left) ||
		areQuestionsNew ||
		readSaved(caller, 'check')?.account !== left.account;
	// n8n saves after the first check of an activation, and else only when an execution starts.
	if (found.length > 0 || isSaveDue || isFirst) {
		writeSaved(call, { check: left });
		begunList.markSaved();
	}
	if (found.length === 0) return isSaveDue && !isFirst ? [{ kind: 'save' }] : [];
	return startEach(call, found);
}

function planLines(
	call: TriggerCall<IPollFunctions>,
	lines: Awaited<ReturnType<typeof readLines>>,
	reading: HistoryReading,
	isWanted: (event: ServiceEvent) => boolean,
): LinePlan {
	const { memory } = call;
	const known = reading.isNew ? undefined : reading.lines;
	if (!known) return { due: [], states: beginLines(lines) };
	const toldBlocks = memory.part(ToldBlocks);
	const plan = compareLines(lines, known, {
		latestBlock: (handle) => toldBlocks.latest(handle),
		standingOf: (name) => memory.part(EventStandings).standingOf(name),
		isWanted,
	});
	for (const [handle, { blockedAt, handedOver }] of Object.entries(plan.states)) {
		for (const block of [blockedAt, handedOver]) if (block) toldBlocks.add(handle, block);
	}
	return plan;
}

/** Says once that a check cannot tell who texted. */
function logSenderless({ caller, memory }: TriggerCall<IPollFunctions>, due: FoundEvent[]): void {
	const checkMemory = memory.part(CheckMemory);
	const isSenderless = due.some(
		({ event }) => event.kind === 'receive' && event.message.from === undefined,
	);
	if (!isSenderless || checkMemory.isSenderlessLogged) return;
	checkMemory.isSenderlessLogged = true;
	caller.logger.warn(
		`${caller.getNode().name}: the history does not say who sent a message, so filters on senders let it through`,
	);
}

/** Whether n8n would miss a change of a line if it started from what is saved. */
function areLinesUnsaved(caller: IPollFunctions, { lines }: CheckState): boolean {
	return JSON.stringify(lines) !== JSON.stringify(readSaved(caller, 'check')?.lines);
}

/** Whether a person has to know that a check did not work. */
function mustTellPerson(
	call: TriggerCall<IPollFunctions>,
	{ receiveBy }: TriggerSettings,
	thrown: unknown,
): boolean {
	if (!isFirstCheck(call)) return receiveBy === 'polling';
	const { caller } = call;
	if (isStartOfN8n(caller)) return false;
	// A throw would end a workflow that is published again, and a service that is away comes back.
	return !(isPublishedAgain(caller) && isServiceAway(thrown));
}

/** Whether the service could not be reached, or had trouble of its own. */
function isServiceAway(thrown: unknown): boolean {
	if (!(thrown instanceof NodeApiError)) return false;
	const { httpCode } = thrown;
	return httpCode === null || httpCode === undefined || Number(httpCode) >= 500;
}

/** n8n shows errors of these two classes with their own words. */
function toNodeError(
	call: TriggerCall<IPollFunctions>,
	thrown: unknown,
): NodeApiError | NodeOperationError {
	const node = call.caller.getNode();
	if (thrown instanceof NodeApiError && thrown.description && isFirstCheck(call)) {
		// While a workflow is published, n8n shows the message alone: it has to say what to do.
		const message = `Events could not be asked for: ${thrown.message}. ${thrown.description}`;
		return new NodeApiError(node, { message }, { message, description: thrown.description });
	}
	const hasWords = thrown instanceof NodeApiError || thrown instanceof NodeOperationError;
	return hasWords ? thrown : new NodeOperationError(node, thrown as Error);
}
