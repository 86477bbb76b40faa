import type { IPollFunctions, IWebhookFunctions } from 'n8n-workflow';
import { executionStarter, type StartExecution } from '../../n8n/startExecution';
import { reasonOf } from '../../reasonOf';
import type { Memory } from '../../processMemory';
import { EventStandings } from '../eventStandings';
import { namesOf, toItem } from '../handover';
import type { TriggerCall } from '../nodeMemory';
import { Pressure } from '../pressure';
import { RunsUnderWay } from '../runsUnderWay';
import type { TriggerSettings } from '../settings';
import { StartQueue, type StartHandover } from './startQueue';

/**
 * How long executions are held back while requests wait for their answers: after five seconds the service has given a
 * request up (§6.4). From then on one starts after the other, however many requests come.
 */
const MOST_HELD_BACK_MS = 5_000;
const HOLD_BACK_MS = 25;

/**
 * How many events each get an execution of their own in a process that cannot know which have begun. Most have, and each
 * of those costs an execution without items; more than these share one.
 */
const MOST_BLIND_RUNS = 20;

/** How a node's executions are started in this process. */
class Starter {
	/** What the last check was given; undefined before the first, and where n8n gives nothing. */
	start?: StartExecution;

	/** Whether the activation of the last check has ended. What still waits is started, and nothing new may wait. */
	isEnding = false;

	/** How many items an execution takes at most. */
	mostItems = 1;

	/**
	 * Whether webhooks bring events to other processes and executions begin in others, as in n8n's queue mode: then this
	 * process finds each event with its checks, and cannot know which have begun.
	 */
	isBlind = false;

	/** Whether it can be so: what is polled comes to this process alone. */
	mayBeBlind = false;

	/** Whether n8n has refused to start an execution for each event. */
	isRefused = false;

	/** When an execution last got spares. */
	lentAtMs = 0;
}

/** An execution that has spares for longer has not been created, and n8n may never say so. */
const LENT_FOR_MS = 2 * 60_000;

/** Lets the executions of this activation be started one by one from now on. */
export function prepareToStart(
	call: TriggerCall<IPollFunctions>,
	{ maxEventsPerExecution, receiveBy }: TriggerSettings,
): void {
	const { caller, clock, memory, processMemory } = call;
	// Executions whose end n8n never reports become old between two checks.
	processMemory.part(RunsUnderWay).lookAgain();
	const starter = memory.part(Starter);
	if (Math.abs(clock.nowMs() - starter.lentAtMs) >= LENT_FOR_MS) endLending(call);
	starter.isEnding = false;
	starter.mostItems = maxEventsPerExecution;
	if (receiveBy === 'polling') starter.isBlind = false;
	starter.mayBeBlind = receiveBy === 'webhook';
	starter.start = starter.isRefused ? undefined : executionStarter(caller);
}

/**
 * Starts an execution for each event, in the order given: the first ones at once, the others as the earlier ones go on.
 *
 * @returns the events for which n8n cannot do this; usually none
 */
export function startEach(
	call: TriggerCall<IPollFunctions>,
	handovers: StartHandover[],
): StartHandover[] {
	const { memory, processMemory } = call;
	const starter = memory.part(Starter);
	processMemory.part(RunsUnderWay).lookAgain();
	if (starter.start) {
		const queue = memory.part(StartQueue);
		markQueued(call, handovers);
		for (const handover of handovers) queue.addFound(handover);
		if (!queue.isBeingStarted) void startWaiting(call);
	}
	if (starter.start || handovers.length === 0) return [];
	if (!starter.isRefused) logRefusal(call);
	starter.isRefused = true;
	const standings = memory.part(EventStandings);
	const left = handovers.filter(({ name }) => standings.standingOf(name) === 'new');
	for (const name of left.flatMap(namesOf)) standings.markHandedOver(name);
	return left;
}

/** Says that the execution of an event that a webhook brought is being handed over to n8n. */
export function markStarting(
	{ memory, nodeKey, processMemory }: TriggerCall,
	handover: StartHandover,
): void {
	const names = namesOf(handover);
	for (const name of names) memory.part(EventStandings).markHandedOver(name);
	processMemory.part(RunsUnderWay).add(nodeKey, names, false);
}

/**
 * Ends an activation. What a check has found and has not started stands as if it had not been found, and goes by the rules of
 * the next activation. What the service was told that n8n has it starts all the same, as an execution that has begun goes
 * on when its workflow is stopped.
 */
export function endStarting({ memory }: TriggerCall): void {
	memory.part(Starter).isEnding = true;
	dropFound(memory);
}

/** Drops what a check has found and has not started. */
function dropFound(memory: Memory): void {
	const standings = memory.part(EventStandings);
	const found = memory.part(StartQueue).clearFound();
	for (const name of found.flatMap(namesOf)) standings.markDropped(name);
}

/**
 * Answers come first: under pressure the execution of an event that a webhook brought starts later, as n8n can take it.
 * The event lives in this process until then. Should the process die, the check at its next start brings the event; a node
 * without checks is never prepared to start anything later.
 *
 * @returns whether the execution starts later; if not, the request starts it
 */
export async function startLater(
	call: TriggerCall<IWebhookFunctions>,
	handover: StartHandover,
): Promise<boolean> {
	const { memory, processMemory } = call;
	const queue = memory.part(StartQueue);
	const starter = memory.part(Starter);
	const runs = processMemory.part(RunsUnderWay);
	if (!starter.start || starter.isEnding || starter.isBlind) return false;
	// What has come later must not begin earlier.
	const isBehindOthers = queue.hasLive || queue.isBeingStarted;
	markQueued(call, [handover]);
	queue.addLive(handover);
	const isPressed = isBehindOthers || (await processMemory.part(Pressure).isHigh(runs.starting()));
	if (!isPressed && queue.removeLive(handover)) return false;
	runs.lookAgain();
	if (!queue.isBeingStarted) void startWaiting(call);
	return true;
}

function markQueued({ memory }: TriggerCall, handovers: StartHandover[]): void {
	const standings = memory.part(EventStandings);
	for (const name of handovers.flatMap(namesOf)) standings.markQueued(name);
}

/**
 * Starts the executions of everything that waits. Whatever can start at once does so before this returns, unless requests
 * wait for their answers.
 */
async function startWaiting(call: TriggerCall): Promise<void> {
	const { clock, memory, processMemory } = call;
	const queue = memory.part(StartQueue);
	const runs = processMemory.part(RunsUnderWay);
	const pressure = processMemory.part(Pressure);
	queue.isBeingStarted = true;
	let heldBackMs = 0;
	while (queue.size > 0 || queue.isLending) {
		const { hasLive } = queue;
		// What shall share an execution has to wait for each other.
		const isUrgent = hasLive && memory.part(Starter).mostItems === 1;
		const mayStart = (hasLive || !queue.isLending) && runs.hasRoom(call.nodeKey, isUrgent);
		const areAnswersDue = pressure.areAnswersDue();
		if (!areAnswersDue) heldBackMs = 0;
		if (mayStart && areAnswersDue && heldBackMs < MOST_HELD_BACK_MS) {
			await clock.sleep(HOLD_BACK_MS);
			heldBackMs += HOLD_BACK_MS;
		} else if (mayStart && !(areAnswersDue && runs.starting() > 0)) {
			startNext(call);
		} else {
			await runs.waitForChange();
		}
	}
	queue.isBeingStarted = false;
}

function startNext(call: TriggerCall): void {
	const { caller, memory, nodeKey, processMemory } = call;
	const standings = memory.part(EventStandings);
	const runs = processMemory.part(RunsUnderWay);
	const starter = memory.part(Starter);
	const queue = memory.part(StartQueue);
	const isShared = starter.isBlind && queue.size > MOST_BLIND_RUNS;
	const mostItems = isShared ? Number.POSITIVE_INFINITY : starter.mostItems;
	const { handovers, spares: lent } = queue.take(mostItems);
	starter.lentAtMs = call.clock.nowMs();
	const spares = lent.map((spare) => ({ ...spare, isSpare: true as const }));
	const names = handovers.flatMap(namesOf);
	let ended: Promise<boolean> | undefined;
	try {
		ended = starter.start?.([...handovers, ...spares].map(toItem));
	} catch {
		logRefusal(call);
		starter.isRefused = true;
	}
	if (!ended) {
		starter.start = undefined;
		for (const name of names) standings.markNotBegun(name);
		dropFound(memory);
		for (const name of queue.clearLive().flatMap(namesOf)) standings.markNotBegun(name);
		return;
	}
	for (const name of names) standings.markHandedOver(name);
	const run = runs.add(nodeKey, names, true);
	ended.then(
		(isRight) => {
			endLending(call, lent);
			runs.end(run);
			if (!isRight || standings.hasExecutions) return;
			// The execution has begun what there was to begin, in another process.
			starter.isBlind = starter.mayBeBlind;
			for (const name of names) standings.markSettled(name);
		},
		(thrown) => {
			endLending(call, lent);
			runs.end(run);
			// An execution that a person has stopped may have begun.
			if (names.every((name) => standings.standingOf(name) === 'settled')) return;
			for (const name of names) standings.markNotBegun(name);
			caller.logger.warn(
				`${caller.getNode().name}: n8n could not start an execution, the next check tries again: ${reasonOf(thrown)}`,
			);
		},
	);
}

/** Takes back the spares of the execution that has them, so that the next execution may start. */
export function endLending({ memory, processMemory }: TriggerCall, lent?: StartHandover[]): void {
	const standings = memory.part(EventStandings);
	const isNeeded = ({ name }: StartHandover) => standings.standingOf(name) !== 'settled';
	memory.part(StartQueue).takeBack(isNeeded, lent);
	processMemory.part(RunsUnderWay).lookAgain();
}

function logRefusal({ caller }: TriggerCall): void {
	caller.logger.warn(
		`${caller.getNode().name}: this n8n cannot start an execution for each event that a check finds, so those of one check share an execution`,
	);
}
