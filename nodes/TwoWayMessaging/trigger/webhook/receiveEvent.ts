import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { redactAll } from '../../service/redact';
import { consentWordIn } from '../../waiting/consent';
import { Listeners } from '../../waiting/listeners';
import { toItem, type Arrival } from '../inbox';
import { withEndedBlock } from '../check/lines';
import { eventName, readEvent, type ServiceEvent } from '../event';
import { isFromBeforePublishing, readSaved, type TriggerCall } from '../nodeMemory';
import { awaitedMeaning, toArrival, wants } from '../wanted';
import { listenForAnswers } from '../questions/listenForAnswers';
import { SigningSecrets } from '../signingSecrets';
import { Starter } from '../starter';
import { SigningKeys, verifySignature } from '../verifySignature';

type Call = TriggerCall<IWebhookFunctions>;

/** Answers 200 without a body, as the service reads only the status (§6.4), and starts nothing. */
const ACCEPTED: IWebhookResponseData = { webhookResponse: '' };

/** The same, and why, for whoever looks at what became of a delivery. */
const startsNothing = (why: string): IWebhookResponseData => ({
	webhookResponse: `starts nothing: ${why}`,
});

function whyLeftOut({ settings: { filters } }: Call, event: ServiceEvent): string {
	const isWord =
		event.kind === 'receive' &&
		consentWordIn(event.message.content, filters.stopWords) !== undefined;
	return isWord && filters.optOutWords === 'ignore'
		? 'it is STOP, START or the like'
		: 'the filters leave it out';
}

/**
 * Receives one event (§6.4). An event that is not signed as the service signs is refused with 401. Every other event is
 * answered 2xx, also when it starts nothing: after ten failures the service stops sending for good (§3.3).
 *
 * The event goes into the inbox, and its execution starts later. The request itself starts it where nothing would bring it
 * again if this process were killed meanwhile.
 */
export async function receiveEvent(call: Call): Promise<IWebhookResponseData> {
	const { context, memory } = call;
	memory.part(Starter).requests += 1;
	const rawBody = await readRawBody(context);
	if (!rawBody) return refuse(call, 'no readable body');
	const refusal = await signatureRefusal(call, rawBody);
	if (refusal) return refuse(call, refusal);
	memory.signedAtMs = call.clock.nowMs();

	const { hidden } = memory.part(SigningSecrets);
	const event = readEvent(redactAll(parseBody(rawBody), hidden));
	if (event.kind === 'unknown') {
		call.warn(` was sent a signed event that it does not know: ${event.reason}`);
		return ACCEPTED;
	}
	if (!call.isTest) return take(call, event);
	// A test in the editor shows whatever the node listens to, and does not count in production.
	return wants(call, event)
		? start(toArrival(call, event))
		: startsNothing(whyLeftOut(call, event));
}

function take(call: Call, said: ServiceEvent): IWebhookResponseData {
	const { clock, memory, nodeKey, processMemory, settings } = call;
	const starter = memory.part(Starter);
	// It may come before n8n has activated its workflow, and answer a question that was saved.
	if (!processMemory.part(Listeners).has(nodeKey)) {
		listenForAnswers(call, readSaved(call.context, 'registration'));
	}
	memory.lines ??= readSaved(call.context, 'lines');
	const event = 'line' in said ? withEndedBlock(said, memory.lines) : said;
	if (!wants(call, event)) {
		// A check must not bring what says less in the history, or what other filters would let through.
		memory.settle([eventName(event)]);
		return startsNothing(whyLeftOut(call, event));
	}
	const arrival = toArrival(call, event);
	const state = starter.inbox.stateOf(arrival.name);
	// Nothing is remembered of it: should its time be wrong, a check finds its row.
	const awaited = awaitedMeaning(call, event);
	if (!awaited && state === 'unknown' && isFromBeforePublishing(call, event)) {
		return startsNothing('it is from before the workflow was published');
	}
	if (state === 'begun') return startsNothing('it has come before');
	if (!waitsInInbox(call, arrival)) {
		// Where nothing is started here, nobody would tell that it has begun.
		if (starter.engine) starter.inbox.hand(arrival);
		return start(arrival);
	}
	const combineMs = arrival.conversation === undefined ? 0 : settings.combineSeconds * 1_000;
	const notBeforeMs = clock.nowMs() + combineMs;
	if (starter.inbox.put(arrival, notBeforeMs)) void starter.drain(notBeforeMs);
	if (!awaited || awaited.ends) return ACCEPTED;
	return { webhookResponse: 'it may be the answer to a question that waits' };
}

/**
 * Whether the event waits in memory. Once a check has worked, checks find messages with a handle again after a kill. They do
 * not find a block that has ended. A process that listens to nothing, as in n8n's queue mode, starts nothing later.
 */
function waitsInInbox({ memory, settings }: Call, { event, conversation }: Arrival): boolean {
	if (!memory.part(Starter).engine) return false;
	if (conversation !== undefined) return true;
	const isInHistory = 'message' in event && event.message.message_handle !== undefined;
	return isInHistory && settings.checkEveryMinutes > 0 && memory.check !== undefined;
}

function start(arrival: Arrival): IWebhookResponseData {
	return { ...ACCEPTED, workflowData: [[toItem(arrival)]] };
}

/**
 * The bytes that the event was sent as, if any. By itself n8n reads only the bodies whose type it knows.
 *
 * assumption: an event is JSON, whatever its `Content-Type` says (§6.4: not shown).
 */
async function readRawBody(context: IWebhookFunctions): Promise<Buffer | undefined> {
	const request: { rawBody?: unknown; readRawBody?: () => Promise<void> } =
		context.getRequestObject();
	try {
		if (!Buffer.isBuffer(request.rawBody)) await request.readRawBody?.();
	} catch {
		// n8n has taken it apart, or it is larger than n8n takes.
	}
	return Buffer.isBuffer(request.rawBody) ? request.rawBody : undefined;
}

/** Why the event's signature does not count; undefined when it does. */
async function signatureRefusal(call: Call, rawBody: Buffer): Promise<string | undefined> {
	const { context, clock, memory, processMemory, settings } = call;
	const { toleranceSeconds } = settings;
	const secrets = memory.part(SigningSecrets);
	const keys = processMemory.part(SigningKeys);
	for (let hasRead = false; ; hasRead = true) {
		let refusal: Verdict = 'no header';
		for (const [name, header] of Object.entries(context.getHeaderData())) {
			if (!SIGNATURE_HEADER.test(name)) continue;
			const known = { secrets: secrets.all, keys, nowMs: clock.nowMs(), toleranceSeconds };
			const verdict = verifySignature({ header, rawBody, ...known });
			if (verdict === 'genuine') return undefined;
			if (!isAboutSecret(refusal)) refusal = verdict;
		}
		// Reading the credential costs n8n more than everything else.
		if (hasRead || !isAboutSecret(refusal) || !secrets.isReadDue()) return refusal;
		await secrets.read(call).catch(() => {
			call.warn(' cannot read its credential to check the signature of an event');
		});
	}
}

/** The operator gives the header its own name; the document's is a neutral one. */
const SIGNATURE_HEADER = /signature(-\w+)?$/i;

type Verdict = ReturnType<typeof verifySignature>;

/** Whether another secret could make the signature count. */
const isAboutSecret = (refusal: Verdict): boolean =>
	refusal === 'wrong signature' || refusal === 'no secret';

function refuse(call: Call, reason: string): IWebhookResponseData {
	call.warn(` refused an event that is not signed as the service signs: ${reason}`);
	const message = 'The signature was not accepted';
	call.context.getResponseObject().status(401).json({ message });
	return { noWebhookResponse: true };
}

function parseBody(rawBody: Buffer): unknown {
	try {
		return JSON.parse(rawBody.toString('utf8').replace(/^\ufeff/, ''));
	} catch {
		return undefined;
	}
}
