import type { IExecuteFunctions, IHookFunctions, ITriggerFunctions } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { PATHS } from '../../contract';
import { isLocalUrl, isLoopbackUrl } from '../../localUrl';
import { reasonOf } from '../../reasonOf';
import { explain, toNodeError } from '../../service/errors';
import type { Answer } from '../../service/outcome';
import { sendRequest, type Connection } from '../../service/request';
import {
	beginsAnew,
	mustNotThrow,
	readSaved,
	writeSaved,
	type Registration,
	type TriggerCall,
} from '../nodeMemory';
import { connectNode, SigningSecrets } from '../signingSecrets';

/** A registration that the node's fields and its credential ask for. */
type Wanted = { registration: Registration; connection: Connection };

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Whether the service already delivers to this node as it is set up now. The service is not asked: a network that is
 * down must not take the webhook away when n8n starts.
 */
export async function isRegistered(call: TriggerCall<IHookFunctions>): Promise<boolean> {
	const { registration } = await wantedAt(call, urlOf(call));
	const isSame =
		JSON.stringify(readSaved(call.context, 'registration')) === JSON.stringify(registration);
	// A person has stopped the workflow, and ten deliveries may have gone unanswered since (§3.3).
	return isSame && !beginsAnew(call);
}

/**
 * Registers the node's URL with the service (§4.7). A service that cannot be reached when n8n starts, or when a person
 * publishes the workflow again, is owed the registration: a throw would make n8n give the workflow up.
 *
 * @throws NodeOperationError when the service could not reach the URL
 * @throws NodeApiError when the service refuses, or cannot be reached when a person first publishes
 */
export async function createRegistration(call: TriggerCall<IHookFunctions>): Promise<true> {
	const { clock, context } = call;
	const atMs = clock.nowMs();
	const isAnew = beginsAnew(call);
	const wanted = await wantedAt(call, urlOf(call));
	const refusal = urlRefusal(wanted.registration.url, wanted.connection.settings.baseUrl);
	if (refusal) {
		// While a workflow is published or tested, n8n shows the message alone: it has to say what to do.
		throw new NodeOperationError(
			context.getNode(),
			`The service cannot deliver to this n8n. ${refusal} Set n8n's environment variable WEBHOOK_URL (N8N_WEBHOOK_URL in newer versions, which wins) to its public https URL, or set 'Receive By' to 'Polling'.`,
		);
	}
	await register(call, wanted).catch((thrown) => {
		if (!mustNotThrow(context) || !isServiceAway(thrown)) throw thrown;
		writeSaved(call, { registration: { ...wanted.registration, fingerprint: '' } });
		call.warn(': the service cannot be reached to register for events; a later check tries again');
	});
	const { clockOffsetMs: offsetMs } = wanted.connection.account;
	const hasChecks = call.settings.checkEveryMinutes > 0;
	if (isAnew) writeSaved(call, { published: { atMs, offsetMs, hasChecks } });
	return true;
}

/**
 * Registers again where a check finds that the registration is out of date: the service was away when the workflow
 * started, or the credential was changed. The check goes on, whatever comes of it.
 */
export async function registerIfOutdated(call: TriggerCall<ITriggerFunctions>): Promise<void> {
	const saved = readSaved(call.context, 'registration');
	const { fingerprint } = call.memory.part(SigningSecrets);
	if (saved?.fingerprint === fingerprint) return;
	await tryAgain(call, async (wanted) => {
		await register(call, wanted);
		return again('as the registration was out of date');
	});
}

/**
 * Registers again when a check has found events that a webhook should have brought, once an hour at most: an endpoint is
 * disabled after ten failures (§3.3). Only an execution knows what has begun before, and so what was truly missed.
 *
 * assumption: a service that does not revive a disabled endpoint takes the same URL with another query for another one
 * (§3.3: not shown). It changes once a day at most and comes again after a week, as a service that does revive it delivers to
 * each. Only an event shows that the endpoint lives.
 */
export async function registerAfterMisses(call: TriggerCall<IExecuteFunctions>): Promise<void> {
	const { clock, memory } = call;
	const nowMs = clock.nowMs();
	if (nowMs < memory.registersAgainFromMs) return;
	memory.registersAgainFromMs = nowMs + HOUR_MS;
	await tryAgain(call, async (wanted) => {
		const url = new URL(wanted.registration.url);
		url.searchParams.set('again', String(Math.floor(nowMs / DAY_MS) % 7));
		// What is saved says the same, and an execution saves nothing.
		const { status } = await registerAt(call, url.href, wanted);
		if (status < 300) return again('as a check found an event that no webhook brought');
		// Only another query can help, and that of tomorrow is the next one.
		memory.registersAgainFromMs = nowMs + DAY_MS;
		return ': the service knows the URL already and sends nothing to it; checks bring what no webhook does, until one comes';
	});
}

const again = (why: string) => `: registered for events again, ${why}`;

/** @param work returns what the log says of it */
async function tryAgain(
	call: TriggerCall,
	work: (wanted: Wanted) => Promise<string>,
): Promise<void> {
	const saved = readSaved(call.context, 'registration');
	if (!saved || call.settings.receiveBy !== 'webhook') return;
	try {
		call.warn(await work(await wantedAt(call, saved.url)));
	} catch (thrown) {
		call.warn(`: could not register for events again: ${reasonOf(thrown)}`);
	}
}

async function wantedAt(call: TriggerCall, url: string): Promise<Wanted> {
	const connection = await connectNode(call);
	const { fingerprint } = call.memory.part(SigningSecrets);
	const { accountId: account } = connection.settings;
	const registration = { account, url, events: call.settings.kinds, fingerprint };
	return { registration, connection };
}

async function register(call: TriggerCall, wanted: Wanted): Promise<void> {
	const { context, isTest, memory } = call;
	const { registration } = wanted;
	const before = readSaved(context, 'registration');
	const { status } = await registerAt(call, registration.url, wanted);
	if (status < 300) {
		// A test in the editor registers a URL of its own, and leaves production's registration as it is.
		if (!isTest) memory.part(SigningSecrets).dropEarlier();
	} else if (before?.fingerprint && before.fingerprint !== registration.fingerprint) {
		call.warn(
			': the service knows this URL already, and may go on signing events with the earlier secret',
		);
	}
	writeSaved(call, { registration });
}

/**
 * Registers a URL with the service (§2.4, §4.7). This is the only place that does.
 *
 * @throws NodeApiError when the service refuses, or cannot be reached
 */
async function registerAt(
	{ context, memory }: TriggerCall,
	url: string,
	{ connection, registration: { events } }: Wanted,
): Promise<Answer> {
	const before = readSaved(context, 'registration');
	const wasRegistered = before?.url === url && before.fingerprint !== '';
	const [secret = ''] = memory.part(SigningSecrets).all;
	const body = { url, events, secret };
	const outcome = await sendRequest(connection, { method: 'POST', path: PATHS.webhooks, body });
	if (outcome.kind === 'answer' && isAccepted(outcome, wasRegistered)) return outcome;
	const words = explain(outcome, connection.settings.baseUrl);
	throw toNodeError(connection, outcome, {
		...words,
		// While a workflow is published or tested, n8n shows the message alone: it has to say what to do.
		message: `Events could not be registered: ${words.message}. ${words.description}`,
	});
}

/** Whether the service could not be reached, or had trouble of its own. */
export const isServiceAway = (thrown: unknown): boolean =>
	thrown instanceof NodeApiError && Number(thrown.httpCode ?? 500) >= 500;

/** What says that the service knows the URL already, and may sign with the secret of an earlier registration. */
const KNOWN_ALREADY = /already|been taken|duplicate|unique|exists|in use/i;

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

function urlOf({ context, settings }: TriggerCall<IHookFunctions>): string {
	const url = context.getNodeWebhookUrl('default');
	if (url !== undefined && settings.kinds.length > 0) return url;
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
