import type { ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { isPublishedAgain, isStartOfN8n } from '../../n8n/activation';
import { everyMinute } from '../../n8n/everyMinute';
import { executionStarter } from '../../n8n/startExecution';
import { reasonOf } from '../../reasonOf';
import { failureItem } from '../arrival';
import { refuseFiltersThatMatchNobody } from '../filterRefusal';
import { BegunList } from '../begunList';
import { beginsAnew, clearStop, Listening } from '../listening';
import type { TriggerCall } from '../nodeMemory';
import { saveQuestions, stopListening } from '../questions/listenForAnswers';
import { readSaved } from '../savedState';
import { readTriggerSettings, type TriggerSettings } from '../settings';
import { Starter } from '../starter';
import { checkForEvents, type Occasion } from './checkForEvents';
import { CheckMemory, saveCheck } from './checkMemory';

/**
 * Lets the node listen, from its publishing or n8n's start until the workflow stops: starts executions for what comes,
 * and checks for events at once and then every so many minutes.
 *
 * @throws NodeOperationError or NodeApiError when a person who publishes should know
 */
export async function listen(call: TriggerCall<ITriggerFunctions>): Promise<ITriggerResponse> {
	const { context, clock, memory } = call;
	const settings = readTriggerSettings(context);
	const { checkEveryMinutes, receiveBy } = settings;
	if (receiveBy === 'polling') refuseFiltersThatMatchNobody(context);
	const occasion = occasionOf(call);
	// One of an earlier publishing may still find something.
	await memory.part(CheckMemory).waitForRunning();
	begin(call, settings, occasion);
	if (checkEveryMinutes > 0) await firstCheck(call, settings, occasion);

	let minutes = 0;
	const data = context.getWorkflowStaticData('node');
	const isCurrent = () => memory.part(Listening).data === data;
	everyMinute(context, Math.floor(clock.nowMs() / 1_000) % 60, async () => {
		minutes += 1;
		if (!isCurrent()) return;
		memory.part(Starter).inbox.putBackLost();
		memory.part(Starter).drainSoon();
		if (checkEveryMinutes > 0 && minutes % checkEveryMinutes === 0)
			await laterCheck(call, settings);
	});
	return { closeFunction: async () => (isCurrent() ? stop(call) : undefined) };
}

/** Lets the node start nothing more of what a check has found. What a webhook has brought starts all the same. */
export function stop(call: TriggerCall): void {
	const { clock, memory } = call;
	stopListening(call);
	memory.part(Listening).stoppedAtMs = clock.nowMs();
	memory.part(Starter).stop();
}

function occasionOf(call: TriggerCall<ITriggerFunctions>): Occasion {
	if (beginsAnew(call)) return 'published';
	return isPublishedAgain(call.context) ? 'publishedAgain' : 'started';
}

function begin(
	call: TriggerCall<ITriggerFunctions>,
	{ maxEventsPerExecution, receiveBy }: TriggerSettings,
	occasion: Occasion,
): void {
	const { context, clock, memory } = call;
	const listening = memory.part(Listening);
	const starter = memory.part(Starter);
	listening.data = context.getWorkflowStaticData('node');
	clearStop(call);
	memory.part(BegunList).restore(readSaved(context, 'begun'));
	if (occasion === 'published') starter.inbox.dropFound();
	if (occasion === 'published' && receiveBy === 'polling') listening.publishedAtMs = clock.nowMs();
	starter.use({
		start: executionStarter(context),
		beforeStart: () => saveCheck(call),
		logger: context.logger,
		nodeName: context.getNode().name,
		mostEvents: maxEventsPerExecution,
	});
}

async function firstCheck(
	call: TriggerCall<ITriggerFunctions>,
	{ receiveBy }: TriggerSettings,
	occasion: Occasion,
): Promise<void> {
	const { context, memory } = call;
	const checkMemory = memory.part(CheckMemory);
	try {
		await checkMemory.runAlone(async () => await checkForEvents(call, occasion));
		checkMemory.isTold = false;
		saveQuestions(call);
	} catch (thrown) {
		// A throw would end a workflow that is published again, and a service that is away comes back.
		const comesBack = isPublishedAgain(context) && isServiceAway(thrown);
		// Webhooks need no history; one that cannot be read is told with the next check.
		const comesOtherwise =
			receiveBy === 'webhook' && thrown instanceof NodeApiError && thrown.httpCode !== '401';
		if (!isStartOfN8n(context) && !comesBack && !comesOtherwise)
			throw publishingError(call, thrown);
		checkMemory.isFirstOwed = occasion === 'published';
		warn(call, thrown);
	}
}

async function laterCheck(
	call: TriggerCall<ITriggerFunctions>,
	{ receiveBy }: TriggerSettings,
): Promise<void> {
	const checkMemory = call.memory.part(CheckMemory);
	try {
		const occasion = checkMemory.isFirstOwed ? 'published' : 'scheduled';
		await checkMemory.runAlone(async () => await checkForEvents(call, occasion));
		checkMemory.isFirstOwed = false;
		checkMemory.isTold = false;
		saveQuestions(call);
	} catch (thrown) {
		warn(call, thrown);
		// A person has to know of what does not end by itself: once, and not with every check.
		const isForGood = receiveBy === 'polling' || !isServiceAway(thrown);
		if (isForGood && !checkMemory.isTold) tell(call, receiveBy, thrown);
	}
}

const WHAT_IS_MISSED = {
	polling: 'Nothing is lost, and all of it comes with the next check that works.',
	webhook: 'Webhooks bring events all the same. What they do not bring, no check finds meanwhile.',
};

/** Shows in the list of executions that events cannot be asked for. */
function tell(
	{ memory }: TriggerCall,
	receiveBy: TriggerSettings['receiveBy'],
	thrown: unknown,
): void {
	memory.part(CheckMemory).isTold = true;
	const why = thrown instanceof NodeApiError ? `${thrown.description ?? ''} ` : '';
	const item = failureItem({
		failedCheck: reasonOf(thrown),
		description: `${why}${WHAT_IS_MISSED[receiveBy]} n8n asks again by itself, with every check. To press Retry does nothing.`,
	});
	// It fails, as it should.
	void memory
		.part(Starter)
		.startWith(item)
		.catch(() => undefined);
}

function warn({ context }: TriggerCall, thrown: unknown): void {
	context.logger.warn(`${context.getNode().name} could not check for events: ${reasonOf(thrown)}`);
}

/** Whether the service could not be reached, or had trouble of its own. */
function isServiceAway(thrown: unknown): boolean {
	if (!(thrown instanceof NodeApiError)) return false;
	return Number(thrown.httpCode ?? 500) >= 500;
}

/** n8n shows errors of these two classes with their own words. */
function publishingError(
	{ context }: TriggerCall,
	thrown: unknown,
): NodeApiError | NodeOperationError {
	const node = context.getNode();
	if (thrown instanceof NodeApiError && thrown.description) {
		// While a workflow is published, n8n shows the message alone: it has to say what to do.
		const message = `Events could not be asked for: ${thrown.message}. ${thrown.description}`;
		return new NodeApiError(node, { message }, { message, description: thrown.description });
	}
	const hasWords = thrown instanceof NodeApiError || thrown instanceof NodeOperationError;
	return hasWords ? thrown : new NodeOperationError(node, thrown as Error);
}
