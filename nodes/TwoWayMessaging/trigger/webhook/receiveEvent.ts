import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { HEADERS } from '../../contract';
import { isFields } from '../../message';
import { CREDENTIAL } from '../../transport/credentialSettings';
import { accountOfWebhook } from '../answers/listen';
import { eventName, readEvent } from '../event';
import { toItem } from '../handover';
import type { TriggerCall } from '../nodeMemory';
import { signingSecret } from '../registration/signingSecret';
import { readSaved } from '../savedState';
import { readEventSettings } from '../settings';
import { handOverReceived, handOverSample, isWanted } from '../start/handOver';
import { ProcessRole } from '../start/processRole';
import { SigningKeys, verifySignature, type SignatureRefusal } from '../verifySignature';

/** A 200 without a body, as the service reads only the status (§6.4). By itself it starts no execution. */
const ACCEPTED: IWebhookResponseData = { webhookResponse: '' };

/**
 * Receives one event (§6.4). An event that is not signed as the service signs is refused with 401. Every other event is
 * answered 2xx, also when it starts nothing: after ten failures the service stops sending for good (§3.3).
 */
export async function receiveEvent(
	call: TriggerCall<IWebhookFunctions>,
): Promise<IWebhookResponseData> {
	const { caller } = call;
	const settings = readEventSettings(caller);
	const { rawBody } = caller.getRequestObject();
	if (!Buffer.isBuffer(rawBody)) return refuse(call, 'no JSON body');
	const refusal = await signatureRefusal(call, rawBody, settings.toleranceSeconds);
	if (refusal) return refuse(call, refusal);

	const event = readEvent(parseBody(rawBody));
	if (event.kind === 'unknown') {
		warn(call, `was sent a signed event that it does not know: ${event.reason}`);
		return ACCEPTED;
	}
	// A test shows whatever comes, and does not count in production.
	const isTest = caller.getMode() === 'manual';
	const account = isTest ? undefined : accountOfWebhook(call);
	if (!isWanted(call, event, settings, account)) return ACCEPTED;
	if (!isTest) call.memory.part(ProcessRole).receivesEvents = true;
	const handover = isTest
		? handOverSample({ event, name: eventName(event) }, settings)
		: handOverReceived(call, event, settings, account);
	return handover ? { ...ACCEPTED, workflowData: [[toItem(handover)]] } : ACCEPTED;
}

/** Why the event's signature does not count; undefined when it does. */
async function signatureRefusal(
	call: TriggerCall<IWebhookFunctions>,
	rawBody: Buffer,
	toleranceSeconds: number,
): Promise<SignatureRefusal | undefined> {
	const { caller, clock, processMemory } = call;
	const header = caller.getHeaderData()[HEADERS.signature];
	const refusalWith = (secrets: Array<string | undefined>) => {
		const verdict = verifySignature({
			header,
			rawBody,
			secrets: secrets.filter((secret) => secret !== undefined),
			keys: processMemory.part(SigningKeys),
			nowMs: clock.nowMs(),
			toleranceSeconds,
		});
		return verdict.isGenuine ? undefined : verdict.reason;
	};
	// The service signs with what is registered until that is replaced. It is tried first, as reading the credential
	// costs n8n more than everything else.
	const registration = readSaved(caller, 'registration');
	const refusal = refusalWith([registration?.secret, registration?.previousSecret]);
	const mayBeOtherSecret = refusal === 'wrong signature' || refusal === 'no secret';
	return mayBeOtherSecret ? refusalWith([await currentSecret(call)]) : refusal;
}

/** An empty text, which verifies nothing, when the credential cannot be read. */
async function currentSecret(call: TriggerCall<IWebhookFunctions>): Promise<string> {
	try {
		return signingSecret(await call.caller.getCredentials(CREDENTIAL), call.caller);
	} catch {
		warn(call, 'cannot read its credential to check the signature of an event');
		return '';
	}
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
