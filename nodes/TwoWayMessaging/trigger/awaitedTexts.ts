import type { Message } from '../message';
import { serviceTimeMs } from '../serviceTime';
import type { EndReason } from '../waiting/passedText';
import { isFromAsked, isTo, type CustomerText, type Question } from '../waiting/question';
import { WaitingList } from '../waiting/waitingList';
import { consentIn } from '../waiting/consent';
import { wishIn } from '../waiting/understand';
import { eventName, type ServiceEvent } from './event';
import type { TriggerCall } from './nodeMemory';

/**
 * Whether some execution waits for the event: for a text that may be the answer, or for what ends its question.
 *
 * @param account the account whose questions count; undefined for none
 */
export function isAwaited(
	{ processMemory }: TriggerCall,
	account: string | undefined,
	event: ServiceEvent,
): boolean {
	if (account === undefined || !('message' in event)) return false;
	const waitingList = processMemory.part(WaitingList);
	const { message, createdAt } = event;
	const ends = endReasonIn(event);
	if (ends) return waitingList.isAnyAwaited(account, isEndedBy({ ends, message, createdAt }));
	if (event.kind !== 'receive') return false;
	return waitingList.isAwaited(account, eventName(event), toCustomerText(message, createdAt));
}

/**
 * Why an event ends questions; undefined when it ends none. A text that opts out (§1.5), or that asks to be left alone, is no
 * answer: who asked must not ask again.
 */
export function endReasonIn(event: ServiceEvent): EndReason | undefined {
	switch (event.kind) {
		case 'receive':
			return consentIn(event.message.content) === 'out'
				? 'optedOut'
				: wishIn(event.message.content ?? '');
		case 'outbound':
			return event.message.status === 'ERROR' ? 'failed' : undefined;
		case 'line_blocked':
		case 'line_unblocked':
			return undefined;
	}
}

/** What ends questions: a customer's text that opts out, or a message that could not be sent. */
export type QuestionEnd = { ends: EndReason; message: Message; createdAt?: string };

/**
 * Says which questions may end so. Whoever opts out is asked nothing more on any line; whether it is the question that
 * could not be sent, its execution tells.
 */
export function isEndedBy({
	ends,
	message,
	createdAt,
}: QuestionEnd): (question: Question) => boolean {
	const text = toCustomerText(message, createdAt);
	switch (ends) {
		case 'optedOut':
		case 'wrongNumber':
			return (question) => isFromAsked(question, text);
		case 'failed':
			return (question) => isTo(question, message.to);
	}
}

/** The parts of a message by which its question is found. */
export function toCustomerText(message: Message, createdAt?: string): CustomerText {
	const saidAtMs = serviceTimeMs(createdAt ?? message.date_sent);
	return {
		from: message.from,
		to: message.to,
		lineHandle: message.line_handle,
		...(!Number.isNaN(saidAtMs) && { saidAtMs }),
	};
}
