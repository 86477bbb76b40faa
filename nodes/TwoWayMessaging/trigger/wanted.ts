import type { Message } from '../message';
import { serviceTimeMs } from '../serviceTime';
import { consentIn } from '../waiting/consent';
import { Listeners } from '../waiting/listeners';
import type { EndReason } from '../waiting/passedText';
import { isFromAsked, isTo, type CustomerText, type Question } from '../waiting/question';
import { wishIn } from '../waiting/understand';
import { WaitingList } from '../waiting/waitingList';
import { eventName, saysNothing, type ServiceEvent } from './event';
import { isLeftOutAsOptOut, judge } from './filters';
import type { Arrival } from './inbox';
import { readSaved, type TriggerCall } from './nodeMemory';

/**
 * Whether the node has a use for an event: the filters let it start the workflow, or may do so once it is complete, or an
 * execution waits for it.
 */
export function wants(call: TriggerCall, event: ServiceEvent): boolean {
	const { kinds, filters } = call.settings;
	if (!kinds.includes(event.kind)) return false;
	return judge(event, filters) !== 'fails' || isAwaited(call, event);
}

/** Says in the log that a text starts nothing because it only opts out or in, and that a filter can change this. */
export function logOptOut({ context, settings }: TriggerCall, event: ServiceEvent): void {
	if (!settings.kinds.includes(event.kind) || !isLeftOutAsOptOut(event, settings.filters)) return;
	context.logger.info(
		`${context.getNode().name}: a text that only opts out or in started nothing; the filters 'Opt-Out Words' and 'Words for STOP' change that`,
	);
}

/** An event as it goes into the inbox. An answer is not combined with other texts. */
export function toArrival(call: TriggerCall, event: ServiceEvent, isFound = false): Arrival {
	const { combineSeconds, simplify } = call.settings;
	const conversation =
		combineSeconds > 0 && !isAwaited(call, event) ? conversationOf(event) : undefined;
	return {
		name: eventName(event),
		// Items of the one message shape are made without the body, and n8n saves what it is given.
		event: simplify && !saysNothing(event) ? { ...event, body: {} } : event,
		isFound,
		...(conversation !== undefined && { conversation }),
	};
}

/**
 * Names the conversation of a customer's text. The two numbers do so in every form of an event; its handle is in one of
 * them only (§6.2, §6.3).
 */
function conversationOf(event: ServiceEvent): string | undefined {
	if (event.kind !== 'receive') return undefined;
	const { from, to } = event.message;
	return from && to ? `${from} ${to}` : undefined;
}

/** The account whose executions may wait for what the trigger receives; undefined for none. */
export function accountOf({ context, isTest, nodeKey, processMemory }: TriggerCall) {
	if (isTest) return undefined;
	// A trigger for other events receives no answers, and may still tell that a question could not be sent.
	const listener = processMemory.part(Listeners).get(nodeKey);
	return listener?.account ?? readSaved(context, 'registration')?.account;
}

/** Whether some execution waits for the event: for a text that may be the answer, or for what ends its question. */
export function isAwaited(call: TriggerCall, event: ServiceEvent): boolean {
	const waitingList = call.processMemory.part(WaitingList);
	if (waitingList.isEmpty) return false;
	const account = accountOf(call);
	if (account === undefined || !('message' in event)) return false;
	const ends = endReasonIn(call, event);
	if (ends) return waitingList.isAnyAwaited(account, isEndedBy(ends, event));
	if (event.kind !== 'receive') return false;
	return waitingList.isAwaited(account, eventName(event), toCustomerText(event));
}

/**
 * Why an event ends questions; undefined when it ends none. A text that opts out (§1.5), or that asks to be left alone, is no
 * answer: who asked must not ask again.
 */
export function endReasonIn({ settings }: TriggerCall, event: ServiceEvent): EndReason | undefined {
	if (!('message' in event)) return undefined;
	const { content, status } = event.message;
	if (event.kind === 'outbound') return status === 'ERROR' ? 'failed' : undefined;
	const isOptOut = consentIn(content, settings.filters.stopWords) === 'out';
	return isOptOut ? 'optedOut' : wishIn(content ?? '');
}

/** A message of an event, and when the service made the event. */
type Said = { message: Message; createdAt?: string };

/**
 * Says which questions may end so. Whoever opts out is asked nothing more on any line; whether it is the question that
 * could not be sent, its execution tells.
 */
export function isEndedBy(ends: EndReason, said: Said): (question: Question) => boolean {
	const text = toCustomerText(said);
	return (question) =>
		ends === 'failed' ? isTo(question, said.message.to) : isFromAsked(question, text);
}

/** The parts of a message by which its question is found. */
export function toCustomerText({ message, createdAt }: Said): CustomerText {
	const saidAtMs = serviceTimeMs(createdAt ?? message.date_sent);
	return {
		from: message.from,
		to: message.to,
		lineHandle: message.line_handle,
		...(!Number.isNaN(saidAtMs) && { saidAtMs }),
	};
}
