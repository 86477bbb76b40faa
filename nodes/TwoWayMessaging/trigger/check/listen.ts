import type { IHookFunctions, ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { ProcessMemory } from '../../processMemory';
import { reasonOf } from '../../reasonOf';
import {
	beginsAnew,
	inCall,
	mustNotThrow,
	readSaved,
	TriggerCall,
	writeSaved,
} from '../nodeMemory';
import {
	listenForAnswers,
	stopListening,
	textsHeard,
	whoElseHears,
} from '../questions/listenForAnswers';
import { endNotUnderstood } from '../questions/offerAnswer';
import { accountOf } from '../wanted';
import { createRegistration, isRegistered, isServiceAway } from '../registration/register';
import { executionStarter, Starter } from '../starter';
import { checkForEvents } from './checkForEvents';

type Call = TriggerCall<ITriggerFunctions>;

/** What n8n calls when a workflow with a webhook begins to listen and when it stops. */
export const listenMethods = (node: { memory: ProcessMemory }) => ({
	checkExists: inCall(node, checkListening),
	create: inCall(node, createRegistration),
	delete: inCall(node, endListening),
});

/** @throws NodeOperationError when a person has to do something first */
async function checkListening(call: TriggerCall<IHookFunctions>): Promise<boolean> {
	refuseFilters(call);
	// However long the rest of the publishing takes, it is one that goes on.
	if (!call.isTest && !beginsAnew(call)) call.memory.stoppedAtMs = undefined;
	return await isRegistered(call);
}

/**
 * Lets the node listen no more. The service shows no way to take a registration back (§4.7), and stops by itself once no delivery
 * is answered (§3.3).
 */
async function endListening(call: TriggerCall<IHookFunctions>): Promise<boolean> {
	// The end of a test in the editor changes nothing for production, whose registration n8n keeps.
	if (!call.isTest) stop(call);
	return true;
}

/**
 * Lets the node listen, from its publishing or n8n's start until the workflow stops: starts executions for what comes,
 * and checks for events at once and then every so many minutes.
 *
 * @throws NodeOperationError or NodeApiError when a person who publishes should know
 */
export async function listen(call: Call): Promise<ITriggerResponse> {
	const { context, clock, memory, processMemory, settings } = call;
	const { checkEveryMinutes, receiveBy } = settings;
	if (receiveBy === 'polling') refuseFilters(call);
	// Before the wait, which may be longer than a publishing that goes on.
	const isAnew = beginsAnew(call);
	// A check of an earlier publishing may still find something.
	await memory.checking?.catch(() => undefined);
	begin(call, isAnew);
	if (checkEveryMinutes > 0) await check(call, true);
	const others = whoElseHears(call, accountOf(call), textsHeard(call));
	if (others) call.warn(`: ${others}`);

	let minutes = 0;
	const { data } = memory;
	everyMinute(context, Math.floor(clock.nowMs() / 1_000) % 60, async () => {
		minutes += 1;
		if (memory.data !== data) return;
		memory.part(Starter).inbox.putBackLost();
		void memory.part(Starter).drain();
		endNotUnderstood(call);
		if (checkEveryMinutes > 0 && minutes % checkEveryMinutes === 0) {
			await check(new TriggerCall(context, processMemory), false);
		}
	});
	return { closeFunction: async () => (memory.data === data ? stop(call) : undefined) };
}

function stop(call: TriggerCall): void {
	stopListening(call);
	call.memory.stoppedAtMs = call.clock.nowMs();
	call.memory.part(Starter).stop();
}

/** Tells a person who publishes or tests the workflow that its filters let nobody through. */
function refuseFilters(call: TriggerCall<IHookFunctions | ITriggerFunctions>): void {
	const message = call.settings.filterRefusal;
	if (message === undefined) return;
	if (!mustNotThrow(call.context)) throw new NodeOperationError(call.context.getNode(), message);
	call.warn(`: ${message}`);
}

/** Takes over what was saved, unless this process knows more; after a stop everything begins anew. */
function begin(call: Call, isAnew: boolean): void {
	const { context, memory, settings } = call;
	const starter = memory.part(Starter);
	memory.check ??= readSaved(context, 'check');
	memory.lines ??= readSaved(context, 'lines');
	memory.data = context.getWorkflowStaticData('node');
	memory.stoppedAtMs = undefined;
	if (settings.receiveBy === 'webhook') listenForAnswers(call, readSaved(context, 'registration'));
	if (isAnew) {
		memory.check = undefined;
		memory.lines = undefined;
		writeSaved(call, { check: undefined, lines: undefined });
		// What is polled is not registered, which is when it is published otherwise.
		if (settings.receiveBy === 'polling')
			writeSaved(call, { published: { atMs: call.clock.nowMs(), hasChecks: true } });
		starter.inbox.dropFound();
	}
	starter.use({ call, start: executionStarter(context) });
}

/** Checks for events, unless a check reads already, as it would find the same. Throws where `listen` does. */
async function check(call: Call, isPublishing: boolean): Promise<void> {
	const { memory, settings } = call;
	if (memory.checking) return;
	try {
		await (memory.checking = checkForEvents(call));
		memory.isTold = false;
	} catch (thrown) {
		if (isPublishing && endsPublishing(call, thrown)) throw publishingError(call, thrown);
		call.warn(` could not check for events: ${reasonOf(thrown)}`);
		// A person has to know of what does not end by itself: once, and not with every check.
		const isForGood = settings.receiveBy === 'polling' || !isServiceAway(thrown);
		if (!isPublishing && isForGood && !memory.isTold) tell(call, thrown);
	} finally {
		memory.checking = undefined;
	}
}

function endsPublishing({ context, settings }: Call, thrown: unknown): boolean {
	// A throw would end a workflow that is published again, and a service that is away comes back.
	const isByPerson = ['activate', 'update'].includes(context.getActivationMode());
	if (mustNotThrow(context) && (!isByPerson || isServiceAway(thrown))) return false;
	// Webhooks need no history; one that cannot be read is told with the next check.
	const isRefused = !(thrown instanceof NodeApiError) || thrown.httpCode === '401';
	return settings.receiveBy === 'polling' || isRefused;
}

const WHAT_IS_MISSED = {
	polling: 'Nothing is lost, and all of it comes with the next check that works.',
	webhook: 'Webhooks bring events all the same. What they do not bring, no check finds meanwhile.',
};

/** Shows in the list of executions that events cannot be asked for. */
function tell({ memory, settings }: Call, thrown: unknown): void {
	memory.isTold = true;
	const why = thrown instanceof NodeApiError ? `${thrown.description ?? ''} ` : '';
	const description = `${why}${WHAT_IS_MISSED[settings.receiveBy]} n8n asks again by itself, with every check. To press Retry does nothing.`;
	const starting = memory.part(Starter).startWith({ failedCheck: reasonOf(thrown), description });
	// It fails, as it should.
	void starting.catch(() => undefined);
}

/** n8n shows errors of these two classes with their own words. */
function publishingError({ context }: Call, thrown: unknown): NodeApiError | NodeOperationError {
	const node = context.getNode();
	if (!(thrown instanceof NodeApiError)) return new NodeOperationError(node, thrown as Error);
	const { description } = thrown;
	// While a workflow is published, n8n shows the message alone: it has to say what to do.
	const message = `Events could not be asked for: ${thrown.message}. ${description ?? ''}`;
	return new NodeApiError(node, { message }, { message, description: description ?? undefined });
}

type RegisterCron = (cron: string | { expression: string }, onTick: () => void) => void;

/**
 * Calls a function every minute until the workflow stops. n8n takes an object since 1.123 at the latest, and a text in 1.88;
 * each throws at the other's. Should n8n drop it, publishing says so.
 *
 * @param second of the minute, so that not every n8n asks the service at the same moment
 */
export function everyMinute(
	trigger: ITriggerFunctions,
	second: number,
	onTick: () => unknown,
): void {
	const expression = `${second} * * * * *`;
	const registerCron = trigger.helpers.registerCron as RegisterCron;
	try {
		registerCron({ expression }, onTick);
	} catch {
		registerCron(expression, onTick);
	}
}
