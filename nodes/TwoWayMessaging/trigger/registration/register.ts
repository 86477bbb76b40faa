import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { PATHS } from '../../contract';
import { isLocalUrl, isLoopbackUrl } from '../../localUrl';
import { handleText } from '../../message';
import { isPublishedAgain, isStartOfN8n } from '../../n8n/activation';
import { CREDENTIAL } from '../../service/credential';
import { saidAs } from '../../service/answers';
import { explain, toNodeError } from '../../service/errors';
import type { Answer } from '../../service/outcome';
import { sendRequest, connect, withSecrets, type Connection } from '../../service/request';
import { beginsAnew, savePublished, writeSaved } from '../listening';
import type { TriggerCall } from '../nodeMemory';
import { readSaved, type Registration } from '../savedState';
import { readTriggerSettings } from '../settings';
import { readSigningSecret, secretFingerprint, SigningSecrets } from '../signingSecrets';

/** A registration that the node's fields and its credential ask for, and the secret that goes with it. */
export type WantedRegistration = { registration: Registration; secret: string };

/**
 * Whether the service already delivers to this node as it is set up now. The service is not asked: a network that is
 * down must not take the webhook away when n8n starts.
 */
export async function isRegistered(call: TriggerCall<IHookFunctions>): Promise<boolean> {
	const saved = readSaved(call.context, 'registration');
	if (!saved || saved.isOwed) return false;
	const connection = await connect(call.context, call.processMemory);
	const { registration } = await wantedRegistration(call, connection, urlOf(call.context));
	// A person has stopped the workflow, and ten deliveries may have gone unanswered since (§3.3).
	return isSame(saved, registration) && !beginsAnew(call);
}

/**
 * Registers the node's URL with the service (§4.7). A service that cannot be reached when n8n starts, or when a person
 * publishes the workflow again, is owed the registration: a throw would make n8n give the workflow up.
 *
 * @throws NodeOperationError when the service could not reach the URL
 * @throws NodeApiError when the service refuses, or cannot be reached when a person first publishes
 */
export async function createRegistration(call: TriggerCall<IHookFunctions>): Promise<void> {
	const { context } = call;
	const connection = await connect(context, call.processMemory);
	const wanted = await wantedRegistration(call, connection, urlOf(context));
	const refusal = urlRefusal(wanted.registration.url, connection.settings.baseUrl);
	if (refusal) {
		// While a workflow is published or tested, n8n shows the message alone: it has to say what to do.
		throw new NodeOperationError(
			context.getNode(),
			`The service cannot deliver to this n8n. ${refusal} Set n8n's environment variable WEBHOOK_URL (N8N_WEBHOOK_URL in newer versions, which wins) to its public https URL, or set 'Receive By' to 'Polling'.`,
		);
	}
	const mayBeAway = isStartOfN8n(context) || isPublishedAgain(context);
	if (await register(call, connection, wanted, mayBeAway)) return;
	context.logger.warn(
		`${context.getNode().name}: the service cannot be reached to register for events; the next check tries again`,
	);
}

/**
 * Says that the workflow has stopped. The service shows no way to take a registration back (§4.7), and stops by itself once no
 * delivery is answered (§3.3).
 */
export function releaseRegistration(call: TriggerCall<IHookFunctions>): void {
	const { context, clock } = call;
	const registration = readSaved(context, 'registration');
	// A test in the editor has a registration of its own, which n8n does not save.
	if (!registration || context.getMode() === 'manual') return;
	writeSaved(call, { stoppedAtMs: clock.nowMs() });
	context.logger.info(
		`${context.getNode().name}: no longer listens at ${registration.url}; the service offers no way to take a registration back, and keeps it until its deliveries go unanswered`,
	);
}

/** The registration that the node asks for at a URL. */
export async function wantedRegistration(
	call: TriggerCall,
	{ settings: { accountId: account, credentialKey: credential } }: Connection,
	url: string,
): Promise<WantedRegistration> {
	const secret = await readSigningSecret(call);
	return {
		secret,
		registration: {
			account,
			...(credential && { credential }),
			url,
			events: readTriggerSettings(call.context).kinds,
			fingerprint: secretFingerprint(secret, await call.context.getCredentials(CREDENTIAL)),
		},
	};
}

/**
 * Registers with the service and saves what came of it.
 *
 * @param mayBeAway whether a service that cannot be reached is no reason to throw; the registration is then owed, and
 * the next check makes up for it
 * @returns whether the service has registered it
 * @throws NodeApiError when the service refuses
 */
export async function register(
	call: TriggerCall<IHookFunctions | ITriggerFunctions>,
	connection: Connection,
	{ registration, secret }: WantedRegistration,
	mayBeAway: boolean,
): Promise<boolean> {
	const { context, memory } = call;
	const before = readSaved(context, 'registration');
	const wasRegistered = before?.url === registration.url && !before.isOwed;
	const answer = await registerUrl(connection, registration, secret, mayBeAway, wasRegistered);
	if (!answer) {
		writeSaved(call, { registration: { ...registration, isOwed: true } });
		return false;
	}
	if (answer.status < 300) {
		// A test in the editor registers a URL of its own, and leaves production's registration as it is.
		if (context.getMode() !== 'manual') memory.part(SigningSecrets).dropEarlier();
	} else if (before && before.fingerprint !== registration.fingerprint) {
		context.logger.warn(
			`${context.getNode().name}: the service knows this URL already, and may go on signing events with the earlier secret`,
		);
	}
	const [id] = saidAs(answer.body, /^(webhook_?)?id$/i).map(handleText);
	writeSaved(call, { registration: { ...registration, ...(id && { id }) } });
	savePublished(call, connection.settings);
	return true;
}

/**
 * Registers a URL with the service (§2.4, §4.7). This is the only place that does.
 *
 * @param mayBeAway whether a service that cannot be reached is no reason to throw
 * @param wasRegistered whether the service has accepted the URL before
 * @returns undefined when the service cannot be reached
 * @throws NodeApiError when the service refuses
 */
export async function registerUrl(
	asking: Connection,
	{ url, events }: Pick<Registration, 'url' | 'events'>,
	secret: string,
	mayBeAway: boolean,
	wasRegistered = false,
): Promise<Answer | undefined> {
	const connection = withSecrets(asking, [secret]);
	const outcome = await sendRequest(connection, {
		method: 'POST',
		path: PATHS.webhooks,
		body: { url, events, secret },
	});
	if (outcome.kind === 'answer' && isAccepted(outcome, wasRegistered)) return outcome;
	if (mayBeAway && (outcome.kind !== 'answer' || outcome.status >= 500)) return undefined;
	const words = explain(outcome, connection.settings.baseUrl);
	throw toNodeError(connection, outcome, undefined, {
		...words,
		// While a workflow is published or tested, n8n shows the message alone: it has to say what to do.
		message: `Events could not be registered: ${words.message}. ${words.description}`,
	});
}

/** What says that the service knows the URL already, and may sign with the secret of an earlier registration. */
const KNOWN_ALREADY = /already|been taken|duplicate|not unique/i;

/**
 * assumption: any 2xx means that the service accepts; 409 that it has before, and so does another refusal of the values that
 * says so, or that is of a URL which was registered before (§4.7: not shown). A page means neither.
 */
function isAccepted({ status, body }: Answer, wasRegistered: boolean): boolean {
	if (typeof body === 'string' && body.trimStart().startsWith('<')) return false;
	if ([400, 422].includes(status)) {
		return wasRegistered || KNOWN_ALREADY.test(String(JSON.stringify(body)));
	}
	return (status >= 200 && status < 300) || status === 409;
}

/** The URL at which the node takes events. */
function urlOf(context: IHookFunctions): string {
	const url = context.getNodeWebhookUrl('default');
	if (url !== undefined && readTriggerSettings(context).kinds.length > 0) return url;
	throw new NodeOperationError(
		context.getNode(),
		"There is no event to listen for. Choose at least one under 'Events'.",
	);
}

/**
 * Why the service cannot deliver events to a URL; undefined when it can, or when the service itself is on this
 * machine or network, as the sandbox is.
 */
export function urlRefusal(webhookUrl: string, baseUrl: string): string | undefined {
	if (!URL.canParse(webhookUrl)) return `The URL “${webhookUrl}” is not a complete one.`;
	if (isLocalUrl(baseUrl)) return undefined;
	if (isLoopbackUrl(webhookUrl)) {
		return `The URL ${webhookUrl} exists only on the machine that n8n runs on.`;
	}
	if (new URL(webhookUrl).protocol !== 'https:') {
		return `The URL ${webhookUrl} is not encrypted: it has to start with https://.`;
	}
	return undefined;
}

function isSame(saved: Registration, wanted: Registration): boolean {
	return (
		saved.account === wanted.account &&
		saved.url === wanted.url &&
		saved.fingerprint === wanted.fingerprint &&
		saved.events.join() === wanted.events.join()
	);
}
