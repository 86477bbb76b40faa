import type { IHookFunctions } from 'n8n-workflow';
import { withMemory, type ProcessMemory } from '../../processMemory';
import { refuseFiltersThatMatchNobody } from '../filterRefusal';
import { beginsAnew, clearStop, Listening } from '../listening';
import { inCall, type TriggerCall } from '../nodeMemory';
import { stop } from './listen';
import { listenAsRegistered } from '../questions/listenForAnswers';
import { createRegistration, isRegistered, releaseRegistration } from '../registration/register';

/** What n8n calls when a workflow begins to listen and when it stops. */
export function listenMethods(node: { memory: ProcessMemory }) {
	return {
		checkExists: withMemory(node, inCall(checkListening)),
		create: withMemory(node, inCall(startListening)),
		delete: withMemory(node, inCall(endListening)),
	};
}

/**
 * Whether the service delivers to the node already; if so, the node listens from now on.
 *
 * @throws NodeOperationError when a person has to do something first
 */
async function checkListening(call: TriggerCall<IHookFunctions>): Promise<boolean> {
	refuseFiltersThatMatchNobody(call.context);
	const isTest = call.context.getMode() === 'manual';
	if (!isTest && beginsAnew(call)) call.memory.part(Listening).publishedAtMs = call.clock.nowMs();
	// However long the rest of the publishing takes, it is one that goes on.
	else if (!isTest) clearStop(call);
	const isListening = await isRegistered(call);
	if (isListening) listen(call);
	return isListening;
}

/**
 * Registers the node with the service, and lets it listen.
 *
 * @throws NodeOperationError or NodeApiError when a person has to do something first
 */
async function startListening(call: TriggerCall<IHookFunctions>): Promise<boolean> {
	await createRegistration(call);
	listen(call);
	return true;
}

/** Lets the node listen no more. It never throws, as n8n stops the workflow even then. */
async function endListening(call: TriggerCall<IHookFunctions>): Promise<boolean> {
	// The end of a test in the editor changes nothing for production.
	if (call.context.getMode() !== 'manual') stop(call);
	releaseRegistration(call);
	return true;
}

/** Lets the node receive answers to questions, unless it is a test in the editor. */
function listen(call: TriggerCall<IHookFunctions>): void {
	if (call.context.getMode() !== 'manual') listenAsRegistered(call);
}
