import type { Message } from '../message';
import { isSameNumber } from '../phoneNumber';
import { serviceTimeMs } from '../serviceTime';
import { consentWordIn, wishIn } from '../waiting/consent';
import { Listeners } from '../waiting/listeners';
import { isAnswerTo, isFromAsked, type CustomerText } from '../waiting/question';
import { WaitingList, type Offer } from '../waiting/waitingList';
import { eventName, saysNothing, type MessageContent, type ServiceEvent } from './event';
import { judge } from './filters';
import type { Arrival } from './inbox';
import { readSaved, type TriggerCall } from './nodeMemory';

/**
 * Whether the node has a use for an event: the filters let it start the workflow, or may do so once it is complete, or an
 * execution waits for it.
 */
export function wants(call: TriggerCall, event: ServiceEvent): boolean {
	const { kinds, filters } = call.settings;
	if (!kinds.includes(event.kind)) return false;
	return judge(event, filters) !== 'fails' || awaitedMeaning(call, event) !== undefined;
}

/** An event as it goes into the inbox. An answer is not combined with other texts. */
export function toArrival(call: TriggerCall, event: ServiceEvent, isFound = false): Arrival {
	const { combineSeconds, simplify } = call.settings;
	// The two numbers name the conversation in every form of an event; its handle is in one of them only (§6.2, §6.3).
	const { from, to }: Message = event.kind === 'receive' ? event.message : {};
	const isCombined = combineSeconds > 0 && from && to && !awaitedMeaning(call, event);
	return {
		name: eventName(event),
		// Items of the one message shape are made without the body, and n8n saves what it is given.
		event: simplify && !saysNothing(event) ? { ...event, body: {} } : event,
		isFound,
		...(isCombined && { conversation: `${from} ${to}` }),
	};
}

/** The account whose executions may wait for what the trigger receives; an empty text, which no account is, for none. */
export function accountOf({ context, isTest, nodeKey, processMemory }: TriggerCall): string {
	if (isTest) return '';
	// A trigger for other events receives no answers, and may still tell that a question could not be sent.
	const listener = processMemory.part(Listeners).get(nodeKey);
	return listener?.account ?? readSaved(context, 'registration')?.account ?? '';
}

/** What an event is to the questions of executions. */
export type Meaning = Offer & { message: Message };

/**
 * What an event is to an execution that waits for it: a text that may be the answer, or what ends its question; undefined where
 * it is nothing. A text that opts out (§1.5), or that asks to be left alone, is no answer: who asked must not ask again, on any
 * line. Whether a message that could not be sent is the question, its execution tells.
 */
export function awaitedMeaning(call: TriggerCall, event: ServiceEvent): Meaning | undefined {
	const waitingList = call.processMemory.part(WaitingList);
	if (waitingList.isEmpty || !('message' in event)) return undefined;
	const { kind, message } = event;
	let meaning: Meaning;
	if (kind === 'outbound') {
		if (message.status !== 'ERROR') return undefined;
		meaning = {
			message,
			ends: 'failed',
			isMeant: ({ number }) => isSameNumber(message.to, number),
		};
	} else {
		const text = toCustomerText(event);
		const isOptOut = consentWordIn(message.content, call.settings.filters.stopWords) === 'out';
		const ends = isOptOut ? 'optedOut' : wishIn(message.content ?? '');
		const isFor = ends ? isFromAsked : isAnswerTo;
		meaning = { message, ends, isMeant: (question) => isFor(question, text) };
	}
	return waitingList.isAwaited(accountOf(call), eventName(event), meaning) ? meaning : undefined;
}

/** The parts of a message by which its question is found. */
export function toCustomerText(event: ServiceEvent & MessageContent): CustomerText {
	const { message, createdAt } = event;
	return { ...message, saidAtMs: serviceTimeMs(createdAt ?? message.date_sent) };
}
