import type { IHookFunctions } from 'n8n-workflow';
import { serviceTimeMs } from '../../serviceTime';
import { isPublishedFirst } from '../../n8n/activation';
import { ServiceClocks } from '../../transport/serviceClocks';
import type { ServiceEvent } from '../event';
import type { TriggerCall } from '../nodeMemory';
import { readSaved } from '../savedState';
import { writeSaved } from '../writeSaved';

/** What was made a few seconds before the publishing may have been made since, as clocks differ and tell whole seconds. */
const MADE_WITHIN_MS = 5_000;

/** Saves when a person published the workflow, where the service has told its time. */
export function markPublished(call: TriggerCall<IHookFunctions>): void {
	const registration = readSaved(call.caller, 'registration');
	if (!registration || !isPublishedFirst(call.caller)) return;
	const aheadMs = call.processMemory.part(ServiceClocks).offsetMs(registration.account);
	if (aheadMs === undefined) return;
	const publishedAtMs = call.clock.nowMs() + aheadMs;
	writeSaved(call, { registration: { ...registration, publishedAtMs } });
}

/**
 * Whether an event was made before a person published the workflow. The service delivers for 60 hours (§6.4), also what
 * it could not deliver while the workflow was stopped.
 *
 * assumption: an event keeps its `created_at`, however often it is delivered (§2.5).
 *
 * An event that does not say when it was made was not: `outbound` in the flat form tells only when its message was sent.
 */
export function isFromBeforePublishing({ caller }: TriggerCall, event: ServiceEvent): boolean {
	const { publishedAtMs } = readSaved(caller, 'registration') ?? {};
	if (publishedAtMs === undefined) return false;
	const madeAt =
		event.createdAt ?? (event.kind === 'receive' ? event.message.date_sent : undefined);
	return serviceTimeMs(madeAt) < publishedAtMs - MADE_WITHIN_MS;
}
