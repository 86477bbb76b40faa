import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { HEADERS } from '../../contract';
import { isFields } from '../../message';
import { accountOfWebhook } from '../answers/listenForAnswers';
import { eventName, readEvent, type ServiceEvent } from '../event';
import { toItem } from '../handover';
import type { TriggerCall } from '../nodeMemory';
import { Pressure } from '../pressure';
import { SignedEvents } from '../registration/registerAgain';
import { readSigningSecret, SigningSecrets } from '../secrets/signingSecrets';
import { readEventSettings } from '../settings';
import {
	dropReceived,
	handOverReceived,
	handOverSample,
	isPast,
	useOf,
} from '../start/makeHandover';
import { ProcessRole } from '../start/processRole';
import { markStarting, startLater } from '../start/startEach';
import { SigningKeys, verifySignature, type SignatureRefusal } from '../verifySignature';

/** What n8n answers when it starts an execution: 200 without a body, as the service reads only the status (§6.4). */
const ACCEPTED: IWebhookResponseData = { webhookResponse: '' };

/**
 * Receives one event (§6.4). An event that is not signed as the service signs is refused with 401. Every other event is
 * answered 2xx, also when it starts nothing: after ten failures the service stops sending for good (§3.3).
 */
export async function receiveEvent(
	call: TriggerCall<IWebhookFunctions>,
): Promise<IWebhookResponseData> {
	const { caller } = call;
	call.processMemory.part(Pressure).markRequest();
	const settings = readEventSettings(caller);
	const rawBody = await readRawBody(caller);
	if (!rawBody) return refuse(call, 'no readable body');
	const refusal = await signatureRefusal(call, rawBody, settings.toleranceSeconds);
	if (refusal) return refuse(call, refusal);
	call.memory.part(SignedEvents).markReceived();

	const secrets = call.memory.part(SigningSecrets);
	if (secrets.isOld()) await readSecret(call);
	const event = readEvent(secrets.hide(parseBody(rawBody)));
	if (event.kind === 'unknown') {
		warn(call, `was sent a signed event that it does not know: ${event.reason}`);
		return accept(call);
	}
	// A test shows whatever comes, and does not count in production.
	const isTest = caller.getMode() === 'manual';
	const account = isTest ? undefined : accountOfWebhook(call);
	if (!isTest) call.memory.part(ProcessRole).receivesEvents = true;
	const use = useOf(call, event, settings, account);
	if (!use) {
		if (!isTest) dropReceived(call, event);
		return accept(call);
	}
	if (isTest) {
		const sample = handOverSample({ event, name: eventName(event) }, settings, true);
		return { ...ACCEPTED, workflowData: [[toItem(sample)]] };
	}
	// Nothing is remembered of it: should its time be wrong, a check finds its row.
	const mayStart = use.mayStart && !isPast(call, event);
	if (!mayStart && use.awaitedBy === undefined) return accept(call);
	const handover = handOverReceived(call, event, settings, { ...use, mayStart });
	if (!handover || (isInHistory(event) && (await startLater(call, handover)))) return accept(call);
	markStarting(call, handover);
	return { ...ACCEPTED, workflowData: [[toItem(handover)]] };
}

/**
 * The bytes that the event was sent as; undefined where there are none. By itself n8n reads only the bodies whose type it
 * knows.
 *
 * assumption: an event is JSON, whatever its `Content-Type` says (§6.4: not shown).
 */
async function readRawBody(caller: IWebhookFunctions): Promise<Buffer | undefined> {
	const request: RequestOfN8n = caller.getRequestObject();
	try {
		if (!Buffer.isBuffer(request.rawBody)) await request.readRawBody?.();
	} catch {
		// n8n has taken it apart, or it is larger than n8n takes.
	}
	return Buffer.isBuffer(request.rawBody) ? request.rawBody : undefined;
}

/** A request as n8n gives it to a webhook. */
type RequestOfN8n = { rawBody?: unknown; readRawBody?: () => Promise<void> };

/**
 * Whether a check brings the event again when this process dies. It finds messages by their handles; a block that has
 * ended meanwhile it does not find.
 */
function isInHistory(event: ServiceEvent): boolean {
	return 'message' in event && event.message.message_handle !== undefined;
}

/** Why the event's signature does not count; undefined when it does. */
async function signatureRefusal(
	call: TriggerCall<IWebhookFunctions>,
	rawBody: Buffer,
	toleranceSeconds: number,
): Promise<SignatureRefusal | undefined> {
	const { caller, clock, memory, processMemory } = call;
	const secrets = memory.part(SigningSecrets);
	const header = caller.getHeaderData()[HEADERS.signature];
	const verify = () =>
		verifySignature({
			header,
			rawBody,
			secrets: secrets.all,
			keys: processMemory.part(SigningKeys),
			nowMs: clock.nowMs(),
			toleranceSeconds,
		});
	let verdict = verify();
	// Reading the credential costs n8n more than everything else.
	if (!verdict.isGenuine && isAboutSecret(verdict.reason) && secrets.isReadDue()) {
		await readSecret(call);
		verdict = verify();
	}
	return verdict.isGenuine ? undefined : verdict.reason;
}

/** Whether another secret could make the signature count. */
function isAboutSecret(reason: SignatureRefusal): boolean {
	return reason === 'wrong signature' || reason === 'no secret';
}

async function readSecret(call: TriggerCall<IWebhookFunctions>): Promise<void> {
	try {
		await readSigningSecret(call);
	} catch {
		warn(call, 'cannot read its credential to check the signature of an event');
	}
}

/** Answers as `ACCEPTED`, and starts nothing. n8n would take several times as long to answer, and a burst waits for it. */
function accept({ caller }: TriggerCall<IWebhookFunctions>): IWebhookResponseData {
	caller.getResponseObject().writeHead(200, { 'content-length': 0 }).end();
	return { noWebhookResponse: true };
}

function refuse(call: TriggerCall<IWebhookFunctions>, reason: string): IWebhookResponseData {
	warn(call, `refused an event that is not signed as the service signs: ${reason}`);
	const response = call.caller.getResponseObject();
	response.status(401).json({ message: 'The signature was not accepted' });
	return { noWebhookResponse: true };
}

function warn({ caller }: TriggerCall, message: string): void {
	caller.logger.warn(`${caller.getNode().name} ${message}`);
}

function parseBody(rawBody: Buffer): unknown {
	try {
		const body: unknown = JSON.parse(rawBody.toString('utf8').replace(/^\ufeff/, ''));
		return isFields(body) ? body : undefined;
	} catch {
		return undefined;
	}
}
