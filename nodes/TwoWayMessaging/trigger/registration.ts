import { createHmac } from 'crypto';
import type { ICredentialDataDecryptedObject, IHookFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { PATHS, type EventKind } from '../contract';
import { isFields } from '../message';
import { explain, toNodeError } from '../transport/errors';
import { ask, connect, type Answer, type Connection } from '../transport/request';
import { CREDENTIAL } from '../transport/credentialSettings';
import { addressRefusal } from './address';
import { readTriggerSettings, type TriggerCaller } from './settings';
import { processMemory } from '../processMemory';

/** What was registered with the service (§2.4), as the node's static data keeps it. */
export type Registration = {
	/** The credential it was registered with. */
	account: string;
	url: string;
	events: EventKind[];
	/** What the service signs events with. */
	secret: string;
	/** The service's name for it, where the answer gave one. */
	id?: string;
	/** When the workflow stopped listening; absent while it listens. */
	releasedAtMs?: number;
	/** Whether the service could not be reached to register this; a check makes up for it. */
	isOwed?: boolean;
	/** What the service goes on signing with as long as this is owed. */
	previousSecret?: string;
};

/** A workflow that is published again is stopped and started: so long, its registration stays good. */
const RELEASED_FOR_MS = 60_000;

/** What the webhook methods, and only they and the checks, wrote into the node's static data. */
export function storedRegistration(caller: TriggerCaller): Registration | undefined {
	const stored = caller.getWorkflowStaticData('node').registration;
	return isFields(stored) ? (stored as Registration) : undefined;
}

/**
 * The secret that events are to be signed with: the one the credential names, or one derived from the API
 * secret for this webhook alone, so that nothing has to be typed and every start finds the same.
 *
 * Derived from the part of the address that never changes, as a test in the editor listens at another one.
 *
 * @returns an empty text, which verifies nothing, when the credential holds no secret
 */
export function signingSecret(
	credential: ICredentialDataDecryptedObject,
	caller: TriggerCaller,
): string {
	const chosen = String(credential.signingSecret ?? '').trim();
	const apiSecret = String(credential.apiSecret ?? '').trim();
	if (chosen !== '' || apiSecret === '') return chosen;
	const node = caller.getNode();
	const webhook = node.webhookId ?? `${caller.getWorkflow().id ?? ''}/${node.name}`;
	return createHmac('sha256', apiSecret)
		.update(`two-way-messaging webhook ${webhook}`)
		.digest('hex');
}

/**
 * Whether the service already delivers to this node as it is set up now. Asks nobody: a network that is down
 * must not take the webhook away when n8n starts.
 */
export async function isRegistered(hook: IHookFunctions): Promise<boolean> {
	const stored = storedRegistration(hook);
	if (!stored || stored.isOwed) return false;
	const wanted = await wantedRegistration(hook, await connect(hook, processMemory));
	if (!isSame(stored, wanted)) return false;
	if (stored.releasedAtMs === undefined) return true;
	if (Date.now() - stored.releasedAtMs > RELEASED_FOR_MS) return false;
	hook.getWorkflowStaticData('node').registration = {
		...wanted,
		...(stored.id && { id: stored.id }),
	};
	return true;
}

/**
 * Registers the node's address with the service (§4.7).
 *
 * @throws NodeOperationError when the service could not reach the address
 * @throws NodeApiError when the service refuses, or cannot be reached while a person waits for it
 */
export async function createRegistration(hook: IHookFunctions): Promise<boolean> {
	const connection = await connect(hook, processMemory);
	const wanted = await wantedRegistration(hook, connection);
	const refusal = addressRefusal(wanted.url, connection.settings.baseUrl);
	if (refusal) {
		// While publishing and testing n8n shows the message alone: it has to say what to do.
		throw new NodeOperationError(
			hook.getNode(),
			`The service cannot deliver to this n8n. ${refusal} Set the environment variable WEBHOOK_URL of n8n to its public https address, or set 'Receive By' to 'Polling'.`,
		);
	}
	const staticData = hook.getWorkflowStaticData('node');
	const isStart = ['init', 'leadershipChange'].includes(hook.getActivationMode());
	const registered = await register(connection, wanted, isStart);
	if (registered) {
		staticData.registration = registered;
	} else {
		const before = storedRegistration(hook);
		const previousSecret = before?.previousSecret ?? before?.secret;
		staticData.registration = {
			...wanted,
			isOwed: true,
			...(previousSecret && { previousSecret }),
		};
		hook.logger.warn(
			`${hook.getNode().name}: the service cannot be reached to register for events; the next check tries again`,
		);
	}
	return true;
}

/**
 * Forgets the registration. The service shows no way to take one back (§4.7), and stops by itself once
 * nobody answers (§3.3).
 */
export async function releaseRegistration(hook: IHookFunctions): Promise<boolean> {
	const stored = storedRegistration(hook);
	if (stored && !isTest(hook)) {
		hook.getWorkflowStaticData('node').registration = { ...stored, releasedAtMs: Date.now() };
		hook.logger.info(
			`${hook.getNode().name}: no longer listens at ${stored.url}; the service offers no way to take a registration back and keeps it until its deliveries come to nothing`,
		);
	}
	return true;
}

/** The registration that the node's fields and its credential ask for. */
async function wantedRegistration(
	caller: IHookFunctions,
	{ settings }: Connection,
): Promise<Registration> {
	const url = caller.getNodeWebhookUrl('default');
	const { kinds } = readTriggerSettings(caller);
	if (url === undefined || kinds.length === 0) {
		throw new NodeOperationError(
			caller.getNode(),
			"There is no event to listen for. Choose at least one under 'Events'.",
		);
	}
	const credential = await caller.getCredentials(CREDENTIAL);
	return {
		account: settings.accountId,
		url,
		events: kinds,
		secret: signingSecret(credential, caller),
	};
}

function isSame(stored: Registration, wanted: Registration): boolean {
	return (
		stored.account === wanted.account &&
		stored.url === wanted.url &&
		stored.secret === wanted.secret &&
		stored.events.join() === wanted.events.join()
	);
}

/**
 * @param mayBeAway whether a service that is away is no reason to throw
 * @returns undefined when the service is away
 */
export async function register(
	connection: Connection,
	wanted: Registration,
	mayBeAway: boolean,
): Promise<Registration | undefined> {
	const { url, events, secret } = wanted;
	const outcome = await ask(connection, {
		method: 'POST',
		path: PATHS.webhooks,
		body: { url, events, secret },
	});
	const isAway = outcome.kind !== 'answer' || outcome.status >= 500;
	if (isAway && mayBeAway) return undefined;
	if (outcome.kind === 'answer' && isAccepted(outcome)) {
		const id = registrationId(outcome.body);
		return { ...wanted, ...(id && { id }) };
	}
	const words = explain(outcome, connection.settings.baseUrl);
	throw toNodeError(connection, outcome, undefined, {
		...words,
		message: `Events could not be registered: ${words.message}`,
	});
}

/**
 * assumption: any 2xx is a yes, and 409 says that the address is registered already (§4.7). A page of
 * somebody else's is neither.
 */
function isAccepted({ status, body }: Answer): boolean {
	const isPage = typeof body === 'string' && body.trim() !== '';
	return !isPage && ((status >= 200 && status < 300) || status === 409);
}

/** assumption: the record names itself in one of these places (§2.6 does not show it). */
function registrationId(body: unknown): string | undefined {
	if (!isFields(body)) return undefined;
	const { id, webhook_id: webhookId, webhook, data } = body;
	const inner = [webhook, data].map((record) => (isFields(record) ? record.id : undefined));
	const found = [id, webhookId, ...inner].find(
		(value) => typeof value === 'string' || typeof value === 'number',
	);
	return found === undefined ? undefined : String(found);
}

/** Whether a person is trying the workflow in the editor: nothing of that is kept. */
function isTest(hook: IHookFunctions): boolean {
	return hook.getMode() === 'manual';
}
