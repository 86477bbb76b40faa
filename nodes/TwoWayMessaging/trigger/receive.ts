import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { HEADERS } from '../contract';
import { isFields } from '../message';
import { CREDENTIAL } from '../transport/credentialSettings';
import { readEvent, type KnownEvent } from './event';
import { forQuestion, isAwaited } from './answers';
import { passes } from './filters';
import { handover } from './item';
import { hear, keyAmong, overtakenBy } from './lines';
import { memoryOf, storedCheck } from './memory';
import { accountOfWebhook } from './questions';
import { signingSecret, storedRegistration } from './registration';
import { readTriggerSettings } from './settings';
import { verifySignature, type SignatureRefusal } from './signature';

/** A 200 without a body, which the service does not look at (§6.4). No execution starts from it alone. */
const ANSWER: IWebhookResponseData = { webhookResponse: '' };

/**
 * Takes one event (§6.4). What is not signed as the service signs is refused with 401. Everything else is
 * answered 2xx, also what starts nothing: ten failures ever and the service stops sending (§3.3).
 */
export async function receiveEvent(webhook: IWebhookFunctions): Promise<IWebhookResponseData> {
	const nowMs = Date.now();
	const settings = readTriggerSettings(webhook);
	const { rawBody } = webhook.getRequestObject();
	const refusal = Buffer.isBuffer(rawBody)
		? await signatureRefusal(webhook, rawBody, nowMs, settings.toleranceSeconds)
		: 'no JSON body';
	if (refusal) return refuse(webhook, refusal);

	const body = parsed(rawBody as Buffer);
	const event = readEvent(body);
	if (event.kind === 'unknown') {
		say(webhook, `was sent a signed event that it does not know: ${event.said}`);
		return ANSWER;
	}
	// A test shows whatever comes, and production hears nothing of it.
	const isTest = webhook.getMode() === 'manual';
	const account = isTest ? undefined : accountOfWebhook(webhook);
	const isWanted = passes(event, settings.filters);
	if (
		!settings.kinds.includes(event.kind) ||
		!(isWanted || isAwaited(account, event, event.createdAt))
	) {
		return ANSWER;
	}
	const names = isTest ? { key: event.key } : claim(webhook, event, nowMs);
	if (names === undefined) return ANSWER;

	const delivery = {
		...event,
		...names,
		happening: event,
		isRecovered: false,
		body: body as IDataObject,
	};
	const { createdAt } = event;
	const item = handover(delivery, settings);
	return {
		...ANSWER,
		workflowData: [[forQuestion(item, account, event, { createdAt, isWanted })]],
	};
}

/**
 * Claims the event for this request.
 *
 * @returns what it is recognized by; undefined when it is on its way already
 */
function claim(
	webhook: IWebhookFunctions,
	event: KnownEvent,
	nowMs: number,
): { key: string; isKnownById?: boolean; settles?: string } | undefined {
	const memory = memoryOf(webhook);
	memory.isServed = true;
	const key = keyAmong(event, memory.heard, (memory.check ?? storedCheck(webhook))?.lines);
	// By its own key too: the flat form has no id, and the end of a block no time (§6.3).
	const names = new Set([key, event.key, ...(event.eventId ? [event.eventId] : [])]);
	if ([...names].some((name) => memory.seen.standing(name, nowMs) !== 'new')) return undefined;
	for (const name of names) memory.seen.hand(name, nowMs);
	hear(memory.heard, event, key);
	// The end of a block is named by what this process has heard of blocks.
	const isKnownById = event.kind === 'line_unblocked';
	const settles = overtakenBy(event, memory.heard, (name) => memory.seen.standing(name, nowMs));
	return { key, isKnownById, ...(settles && { settles }) };
}

async function signatureRefusal(
	webhook: IWebhookFunctions,
	rawBody: Buffer,
	nowMs: number,
	toleranceSeconds: number,
): Promise<SignatureRefusal | undefined> {
	const header = webhook.getHeaderData()[HEADERS.signature];
	const refusalWith = (secrets: Array<string | undefined>) => {
		const known = secrets.filter((secret) => secret !== undefined);
		const request = { header, rawBody, secrets: known, nowMs, toleranceSeconds };
		const verdict = verifySignature(request);
		return verdict.isGenuine ? undefined : verdict.reason;
	};
	// What is registered goes on signing until it is replaced, so it comes first: reading the credential costs
	// n8n more than all the rest.
	const registered = storedRegistration(webhook);
	const refusal = refusalWith([registered?.secret, registered?.previousSecret]);
	const mayBeAnother = refusal === 'wrong signature' || refusal === 'no secret';
	return mayBeAnother ? refusalWith([await currentSecret(webhook)]) : refusal;
}

/** An empty text, which verifies nothing, when the credential cannot be read. */
async function currentSecret(webhook: IWebhookFunctions): Promise<string> {
	try {
		return signingSecret(await webhook.getCredentials(CREDENTIAL), webhook);
	} catch {
		say(webhook, 'cannot read its credential to check the signature of an event');
		return '';
	}
}

function refuse(webhook: IWebhookFunctions, reason: string): IWebhookResponseData {
	say(webhook, `refused an event that is not signed as the service signs: ${reason}`);
	webhook.getResponseObject().status(401).json({ message: 'The signature was not accepted' });
	return { noWebhookResponse: true };
}

function say(webhook: IWebhookFunctions, what: string): void {
	webhook.logger.warn(`${webhook.getNode().name} ${what}`);
}

function parsed(rawBody: Buffer): unknown {
	try {
		const body: unknown = JSON.parse(rawBody.toString('utf8').replace(/^\ufeff/, ''));
		return isFields(body) ? body : undefined;
	} catch {
		return undefined;
	}
}
