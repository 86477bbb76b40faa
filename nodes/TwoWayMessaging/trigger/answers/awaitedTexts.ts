import type { Message } from '../../message';
import type { CustomerText } from '../../waiting/question';
import { WaitingList } from '../../waiting/waitingList';
import { consentIn } from '../consent';
import { eventName, type ServiceEvent } from '../event';
import type { TriggerCall } from '../nodeMemory';

/**
 * Whether some execution waits for the event. A text that opts out is no answer (§1.5): the one who asked must not
 * ask again.
 *
 * @param account the account whose questions count; undefined for none
 */
export function isAwaited(
	{ processMemory }: TriggerCall,
	account: string | undefined,
	event: ServiceEvent,
): boolean {
	if (account === undefined || event.kind !== 'receive') return false;
	if (consentIn(event.message.content) === 'out') return false;
	const text = toCustomerText(event.message, event.createdAt);
	return processMemory.part(WaitingList).isAwaited(account, eventName(event), text);
}

/** The parts of a message by which its question is found. */
export function toCustomerText(message: Message, createdAt?: string): CustomerText {
	const saidAtMs = Date.parse(createdAt ?? message.date_sent ?? '');
	return {
		from: message.from,
		to: message.to,
		lineHandle: message.line_handle,
		...(!Number.isNaN(saidAtMs) && { saidAtMs }),
	};
}
