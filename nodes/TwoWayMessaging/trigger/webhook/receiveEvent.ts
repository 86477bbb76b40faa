import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { isFields } from '../../message';
import { serviceTimeMs } from '../../serviceTime';
import { toArrival, toItem, wants, type Arrival } from '../arrival';
import { CheckMemory } from '../check/checkMemory';
import { tellBlock } from '../check/compareLines';
import { eventName, outcomeOf, readEvent, type LineContent, type ServiceEvent } from '../event';
import { isFromBeforePublishing, Listening } from '../listening';
import type { TriggerCall } from '../nodeMemory';
import { isAwaited } from '../awaitedTexts';
import { accountFor } from '../questions/listenForAnswers';
import { readSaved } from '../savedState';
import { readSigningSecret, SigningSecrets } from '../signingSecrets';
import { readTriggerSettings, type TriggerSettings } from '../settings';
import { Starter } from '../starter';
import {
	SigningKeys,
	verifySignature,
	type SignatureRefusal,
	type Verdict,
} from '../verifySignature';

/** What n8n answers when it starts an execution: 200 without a body, as the service reads only the status (§6.4). */
const ACCEPTED: IWebhookResponseData = { webhookResponse: '' };

/**
 * Receives one event (§6.4). An event that is not signed as the service signs is refused with 401. Every other event is
 * answered 2xx, also when it starts nothing: after ten failures the service stops sending for good (§3.3).
 *
 * The event goes into the inbox, and its execution starts later. The request itself starts it where nothing would bring it
 * again if this process were killed meanwhile.
 */
export async function receiveEvent(
	call: TriggerCall<IWebhookFunctions>,
): Promise<IWebhookResponseData> {
	const { context, memory } = call;
	const starter = memory.part(Starter);
	starter.markRequest();
	const settings = readTriggerSettings(context);
	const rawBody = await readRawBody(context);
	if (!rawBody) return refuse(call, 'no readable body');
	const refusal = await signatureRefusal(call, rawBody, settings.toleranceSeconds);
	if (refusal) return refuse(call, refusal);
	memory.part(Listening).signedAtMs = call.clock.nowMs();

	const secrets = memory.part(SigningSecrets);
	if (secrets.isOld()) await readSecret(call);
	const event = readEvent(secrets.hide(parseBody(rawBody)));
	if (event.kind === 'unknown') {
		warn(call, `was sent a signed event that it does not know: ${event.reason}`);
		return accept(call);
	}
	return context.getMode() === 'manual' ? test(call, event, settings) : take(call, event, settings);
}

/** A test in the editor shows whatever the node listens to, and does not count in production. */
function test(
	call: TriggerCall<IWebhookFunctions>,
	event: ServiceEvent,
	settings: TriggerSettings,
): IWebhookResponseData {
	if (!wants(call, event, settings, undefined)) return accept(call);
	return start(toArrival(call, event, settings, undefined));
}

function take(
	call: TriggerCall<IWebhookFunctions>,
	said: ServiceEvent,
	settings: TriggerSettings,
): IWebhookResponseData {
	const { clock, memory } = call;
	const starter = memory.part(Starter);
	const checks = memory.part(CheckMemory);
	const account = accountFor(call);
	checks.begun ??= readSaved(call.context, 'check')?.lines;
	const event = 'line' in said ? withEndedBlock(said, checks) : said;
	const arrival = toArrival(call, event, settings, account);
	if (!wants(call, event, settings, account)) {
		// A check must not bring what says less in the history, or what other filters would let through.
		checks.settle(namesOf(event));
		return accept(call);
	}
	// Nothing is remembered of it: should its time be wrong, a check finds its row.
	const isPast =
		isFromBeforePublishing(call, event) &&
		starter.inbox.stateOf(arrival.name) === 'unknown' &&
		!isAwaited(call, account, event);
	if (isPast) return accept(call);
	if ('line' in event && checks.told && starter.inbox.stateOf(arrival.name) === 'unknown') {
		checks.told = tellBlock(checks.told, event);
		checks.markEnded(event, serviceTimeMs(event.createdAt));
	}
	if (!waitsInInbox(call, arrival, settings)) {
		if (starter.inbox.stateOf(arrival.name) === 'begun') return accept(call);
		// Where nothing is started here, nobody would tell that it has begun.
		if (starter.canStart) starter.inbox.hand(arrival);
		return start(arrival);
	}
	const combineMs = arrival.conversation === undefined ? 0 : settings.combineSeconds * 1_000;
	const notBeforeMs = clock.nowMs() + combineMs;
	if (starter.inbox.put(arrival, { notBeforeMs, isLive: true })) starter.drainAt(notBeforeMs);
	return accept(call);
}

/** The names by which a check may find the event: it may not say how its message ended. */
function namesOf(event: ServiceEvent): string[] {
	const name = eventName(event);
	if (event.kind !== 'outbound' || outcomeOf(event.message) !== undefined) return [name];
	return [name, eventName({ ...event, message: { ...event.message, status: 'ERROR' } })];
}

/**
 * Whether the event waits in memory. A check brings messages again when this process dies, and finds them by their handles; a
 * block that has ended meanwhile it does not find. A process that listens to nothing, as in n8n's queue mode, starts nothing
 * later.
 */
function waitsInInbox(
	{ memory }: TriggerCall<IWebhookFunctions>,
	{ event, conversation }: Arrival,
	{ combineSeconds, checkEveryMinutes }: TriggerSettings,
): boolean {
	if (!memory.part(Starter).canStart) return false;
	if (combineSeconds > 0 && conversation !== undefined) return true;
	const isInHistory = 'message' in event && event.message.message_handle !== undefined;
	return isInHistory && checkEveryMinutes > 0;
}

/** The request starts the execution. */
function start(arrival: Arrival): IWebhookResponseData {
	return { ...ACCEPTED, workflowData: [[toItem(arrival)]] };
}

function withEndedBlock(event: ServiceEvent & LineContent, checks: CheckMemory): ServiceEvent {
	const block = event.kind === 'line_unblocked' ? checks.endedBlockOf(event) : undefined;
	return block ? { ...event, endedBlock: block } : event;
}

/**
 * The bytes that the event was sent as; undefined where there are none. By itself n8n reads only the bodies whose type it
 * knows.
 *
 * assumption: an event is JSON, whatever its `Content-Type` says (§6.4: not shown).
 */
async function readRawBody(context: IWebhookFunctions): Promise<Buffer | undefined> {
	const request: RequestOfN8n = context.getRequestObject();
	try {
		if (!Buffer.isBuffer(request.rawBody)) await request.readRawBody?.();
	} catch {
		// n8n has taken it apart, or it is larger than n8n takes.
	}
	return Buffer.isBuffer(request.rawBody) ? request.rawBody : undefined;
}

/** A request as n8n gives it to a webhook. */
type RequestOfN8n = { rawBody?: unknown; readRawBody?: () => Promise<void> };

/** Why the event's signature does not count; undefined when it does. */
async function signatureRefusal(
	call: TriggerCall<IWebhookFunctions>,
	rawBody: Buffer,
	toleranceSeconds: number,
): Promise<SignatureRefusal | undefined> {
	const { context, clock, memory, processMemory } = call;
	const secrets = memory.part(SigningSecrets);
	// The operator gives the header its own name; the document's is a neutral one.
	const headers = Object.entries(context.getHeaderData())
		.filter(([name]) => /signature$/i.test(name))
		.map(([, value]) => value);
	const verdictOn = (header?: string | string[]) =>
		verifySignature({
			header,
			rawBody,
			secrets: secrets.all,
			keys: processMemory.part(SigningKeys),
			nowMs: clock.nowMs(),
			toleranceSeconds,
		});
	const verify = (): Verdict => {
		const verdicts = headers.map(verdictOn);
		const isTelling = (one: Verdict) => one.isGenuine || isAboutSecret(one.reason);
		const genuine = verdicts.find(({ isGenuine }) => isGenuine);
		return genuine ?? verdicts.find(isTelling) ?? verdicts[0] ?? verdictOn();
	};
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
function accept({ context }: TriggerCall<IWebhookFunctions>): IWebhookResponseData {
	context.getResponseObject().writeHead(200, { 'content-length': 0 }).end();
	return { noWebhookResponse: true };
}

function refuse(call: TriggerCall<IWebhookFunctions>, reason: string): IWebhookResponseData {
	warn(call, `refused an event that is not signed as the service signs: ${reason}`);
	const response = call.context.getResponseObject();
	response.status(401).json({ message: 'The signature was not accepted' });
	return { noWebhookResponse: true };
}

function warn({ context }: TriggerCall, message: string): void {
	context.logger.warn(`${context.getNode().name} ${message}`);
}

function parseBody(rawBody: Buffer): unknown {
	try {
		const body: unknown = JSON.parse(rawBody.toString('utf8').replace(/^\ufeff/, ''));
		return isFields(body) ? body : undefined;
	} catch {
		return undefined;
	}
}
