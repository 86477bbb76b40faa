import type { IHookFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { isPublishedAgain, isStartOfN8n } from '../../n8n/activation';
import { connect } from '../../transport/request';
import type { TriggerCall } from '../nodeMemory';
import { readSaved, type Registration } from '../savedState';
import { readEventSettings } from '../settings';
import { writeSaved } from '../writeSaved';
import { register, wantedRegistration } from './register';
import { urlRefusal } from './urlRefusal';

/** How long a registration stays good after the workflow stopped: publishing again stops and starts it. */
const RELEASED_FOR_MS = 60_000;

/**
 * Whether the service already delivers to this node as it is set up now. The service is not asked: a network that is
 * down must not take the webhook away when n8n starts.
 */
export async function isRegistered(call: TriggerCall<IHookFunctions>): Promise<boolean> {
	const saved = readSaved(call.caller, 'registration');
	if (!saved || saved.isOwed) return false;
	const connection = await connect(call.caller, call.processMemory);
	const { registration } = await wantedRegistration(call, connection, urlOf(call.caller));
	if (!isSame(saved, registration)) return false;
	if (saved.releasedAtMs === undefined) return true;
	// A person has stopped the workflow, and ten deliveries may have gone unanswered since (§3.3).
	if (!isPublishedAgain(call.caller)) return false;
	if (call.clock.nowMs() - saved.releasedAtMs > RELEASED_FOR_MS) return false;
	writeSaved(call, {
		registration: { ...registration, ...(saved.id && { id: saved.id }) },
	});
	return true;
}

/**
 * Registers the node's URL with the service (§4.7). A service that cannot be reached when n8n starts, or when a person
 * publishes the workflow again, is owed the registration: a throw would make n8n give the workflow up.
 *
 * @throws NodeOperationError when the service could not reach the URL
 * @throws NodeApiError when the service refuses, or cannot be reached when a person first publishes
 */
export async function createRegistration(call: TriggerCall<IHookFunctions>): Promise<void> {
	const { caller } = call;
	const connection = await connect(caller, call.processMemory);
	const wanted = await wantedRegistration(call, connection, urlOf(caller));
	const refusal = urlRefusal(wanted.registration.url, connection.settings.baseUrl);
	if (refusal) {
		// While a workflow is published or tested, n8n shows the message alone: it has to say what to do.
		throw new NodeOperationError(
			caller.getNode(),
			`The service cannot deliver to this n8n. ${refusal} Set n8n's environment variable WEBHOOK_URL (N8N_WEBHOOK_URL in newer versions, which wins) to its public https URL, or set 'Receive By' to 'Polling'.`,
		);
	}
	const mayBeAway = isStartOfN8n(caller) || isPublishedAgain(caller);
	if (await register(call, connection, wanted, mayBeAway)) return;
	caller.logger.warn(
		`${caller.getNode().name}: the service cannot be reached to register for events; the next check tries again`,
	);
}

/**
 * Marks the registration as released. The service shows no way to take one back (§4.7), and stops by itself once no
 * delivery is answered (§3.3).
 */
export function releaseRegistration(call: TriggerCall<IHookFunctions>): void {
	const { caller, clock } = call;
	const registration = readSaved(caller, 'registration');
	// A test in the editor has a registration of its own, which n8n does not save.
	if (!registration || caller.getMode() === 'manual') return;
	writeSaved(call, { registration: { ...registration, releasedAtMs: clock.nowMs() } });
	caller.logger.info(
		`${caller.getNode().name}: no longer listens at ${registration.url}; the service offers no way to take a registration back, and keeps it until its deliveries go unanswered`,
	);
}

/** The URL at which the node takes events. */
function urlOf(caller: IHookFunctions): string {
	const url = caller.getNodeWebhookUrl('default');
	if (url !== undefined && readEventSettings(caller).kinds.length > 0) return url;
	throw new NodeOperationError(
		caller.getNode(),
		"There is no event to listen for. Choose at least one under 'Events'.",
	);
}

function isSame(saved: Registration, wanted: Registration): boolean {
	return (
		saved.account === wanted.account &&
		saved.url === wanted.url &&
		saved.fingerprint === wanted.fingerprint &&
		saved.events.join() === wanted.events.join()
	);
}
