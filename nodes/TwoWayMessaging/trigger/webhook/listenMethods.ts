import type { IHookFunctions } from 'n8n-workflow';
import { withMemory, type ProcessMemory } from '../../processMemory';
import { listenAsRegistered, stopListening } from '../answers/listenForAnswers';
import { refuseFiltersThatMatchNobody } from '../filterRefusal';
import { inCall, type TriggerCall } from '../nodeMemory';
import { markPublished } from '../registration/publishing';
import {
	createRegistration,
	isRegistered,
	releaseRegistration,
} from '../registration/registration';
import { endStarting } from '../start/startEach';

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
	refuseFiltersThatMatchNobody(call.caller);
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
	if (call.caller.getMode() !== 'manual') {
		stopListening(call);
		endStarting(call);
	}
	releaseRegistration(call);
	return true;
}

/** Lets the node receive answers to questions, unless it is a test in the editor. */
function listen(call: TriggerCall<IHookFunctions>): void {
	if (call.caller.getMode() === 'manual') return;
	markPublished(call);
	listenAsRegistered(call);
}
