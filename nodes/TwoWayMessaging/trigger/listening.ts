import type { IDataObject, IHookFunctions, ITriggerFunctions } from 'n8n-workflow';
import { isPublishedAgain, isPublishedFirst } from '../n8n/activation';
import { serviceTimeMs } from '../serviceTime';
import type { Settings } from '../service/credential';
import { Accounts } from '../service/account';
import type { ServiceEvent } from './event';
import type { TriggerCall } from './nodeMemory';
import { readSaved, writeField, type SavedState } from './savedState';

/** A workflow that is published again within this time has not stopped: n8n stops and starts it for that. */
const PUBLISHED_AGAIN_WITHIN_MS = 60_000;

/** What was made a few seconds before the publishing may have been made since, as clocks differ and tell whole seconds. */
const MADE_WITHIN_MS = 5_000;

/** The same where the service has not told its time. */
const UNKNOWN_CLOCK_TOLERANCE_MS = 30 * 60_000;

/** What this process knows of the present publishing of a node. */
export class Listening {
	/** The static data that n8n saves with each execution that the trigger starts. */
	data?: IDataObject;

	stoppedAtMs?: number;

	/** When a person published the workflow after a stop, by n8n's clock. */
	publishedAtMs?: number;

	/** When the last event came that the service has signed: then webhooks arrive. */
	signedAtMs = Number.NEGATIVE_INFINITY;
}

/**
 * Writes fields of what is saved for the node. n8n keeps a copy of its own for the executions that the trigger starts, which
 * gets them too, so that it never overwrites what is newer.
 */
export function writeSaved({ context, memory }: TriggerCall, fields: SavedState): void {
	const data = context.getWorkflowStaticData('node');
	writeField(data, fields);
	const copy = memory.part(Listening).data;
	// n8n does not save what a test in the editor writes.
	if (copy && copy !== data && context.getMode() !== 'manual') writeField(copy, fields);
}

/** Whether the workflow begins anew, so that what came before does not start it. */
export function beginsAnew({
	context,
	clock,
	memory,
}: TriggerCall<IHookFunctions | ITriggerFunctions>): boolean {
	if (isPublishedFirst(context)) return true;
	// A node can be switched off while its workflow stays published.
	const stoppedAtMs = readSaved(context, 'stoppedAtMs') ?? memory.part(Listening).stoppedAtMs;
	if (!isPublishedAgain(context) || stoppedAtMs === undefined) return false;
	return Math.abs(clock.nowMs() - stoppedAtMs) > PUBLISHED_AGAIN_WITHIN_MS;
}

/** Says that the workflow has not stopped, or listens again. */
export function clearStop(call: TriggerCall): void {
	call.memory.part(Listening).stoppedAtMs = undefined;
	writeSaved(call, { stoppedAtMs: undefined });
}

/** Saves when the workflow was published, once the service has told its time. */
export function savePublished(
	call: TriggerCall,
	{ accountId, credentialKey: credential = accountId }: Settings,
): void {
	const listening = call.memory.part(Listening);
	const { publishedAtMs } = listening;
	const aheadMs = call.processMemory.part(Accounts).of(accountId).clockOffsetMs;
	if (publishedAtMs === undefined || aheadMs === undefined) return;
	writeSaved(call, { published: { credential, atMs: publishedAtMs + aheadMs } });
	// Should n8n's clock be set right, it is no longer known how far the service's was ahead.
	listening.publishedAtMs = undefined;
}

/**
 * Whether an event was made before a person published the workflow. The service delivers for 60 hours (§6.4), also what
 * it could not deliver while the workflow was stopped.
 *
 * assumption: an event keeps its `created_at`, however often it is delivered (§2.5).
 *
 * An event that does not say when it was made was not: `outbound` in the flat form tells only when its message was sent.
 */
export function isFromBeforePublishing(
	{ context, memory, processMemory }: TriggerCall,
	event: ServiceEvent,
): boolean {
	const { account = '', credential = account } = readSaved(context, 'registration') ?? {};
	const saved = readSaved(context, 'published');
	const { publishedAtMs } = memory.part(Listening);
	const aheadMs =
		processMemory.part(Accounts).of(account).clockOffsetMs ?? -UNKNOWN_CLOCK_TOLERANCE_MS;
	const savedMs = saved?.credential === credential ? saved.atMs : undefined;
	const fromMs = publishedAtMs === undefined ? savedMs : publishedAtMs + aheadMs;
	const madeAt =
		event.createdAt ?? (event.kind === 'receive' ? event.message.date_sent : undefined);
	return fromMs !== undefined && serviceTimeMs(madeAt) < fromMs - MADE_WITHIN_MS;
}
