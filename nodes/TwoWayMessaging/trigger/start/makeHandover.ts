import type { IDataObject, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';
import { serviceTimeMs } from '../../serviceTime';
import { endReasonIn, isAwaited } from '../answers/awaitedTexts';
import { eventName, otherName, type EventContent, type ServiceEvent } from '../event';
import { EventStandings, type Standing } from '../eventStandings';
import { judge } from '../filters';
import type { AnswerHandover, Carried, EventHandover, LeftOut } from '../handover';
import type { TriggerCall } from '../nodeMemory';
import { isFromBeforePublishing } from '../registration/publishing';
import { SignedEvents } from '../registration/registerAgain';
import { readSaved } from '../savedState';
import { hasChecks, type EventSettings, type ItemSettings } from '../settings';
import { toOutput } from '../output';
import { placeInConversation } from '../texts/combineTexts';
import { endedBlock, ToldBlocks } from './toldBlocks';

/** An event and the name it goes by. */
export type FoundEvent = { event: ServiceEvent; name: string };

/** What an event is wanted for. */
export type Use = {
	/** Whether the filters let it start the workflow. */
	mayStart: boolean;
	/** Whether they ask about something that the event does not say. */
	isUnsaid?: true;
	/** The account of which an execution waits for it; undefined for none. */
	awaitedBy?: string;
};

/** What is known of an event apart from what it says. */
type Finding = {
	name: string;
	/** Whether a webhook brought it just now. */
	isLive: boolean;
	/** Whether a check found it in place of a webhook. */
	isRecovered: boolean;
	isMissed: boolean;
};

/**
 * What the node wants an event for.
 *
 * @param account the account whose executions may wait for it; undefined for none
 * @returns undefined when the event is not wanted at all
 */
export function useOf(
	call: TriggerCall,
	event: ServiceEvent,
	settings: EventSettings,
	account: string | undefined,
): Use | undefined {
	if (!settings.kinds.includes(event.kind)) return undefined;
	const verdict = judge(event, settings.filters);
	const mayStart = verdict !== 'fails';
	const isAnswer = isAwaited(call, account, event);
	if (!mayStart && !isAnswer) return undefined;
	return {
		mayStart,
		...(verdict === 'unsaid' && { isUnsaid: true as const }),
		...(isAnswer && { awaitedBy: account }),
	};
}

/** Whether a webhook brings an event from before the workflow was published that this process does not have in hand. */
export function isPast(call: TriggerCall<IWebhookFunctions>, event: ServiceEvent): boolean {
	const standings = call.memory.part(EventStandings);
	return (
		isFromBeforePublishing(call, event) &&
		!receivedNames(call, event).some((name) => standings.isInHand(name))
	);
}

/**
 * The handover of an event that a webhook brought.
 *
 * @returns undefined when it is under way already, or has begun
 */
export function handOverReceived(
	call: TriggerCall<IWebhookFunctions>,
	event: ServiceEvent,
	settings: EventSettings,
	use: Use,
): EventHandover | AnswerHandover | undefined {
	const standings = call.memory.part(EventStandings);
	const told = call.memory.part(ToldBlocks);
	const name = receivedName(call, event);
	if (receivedNames(call, event).some((one) => !mayHandOver(call, standings.standingOf(one))))
		return undefined;
	if (event.kind === 'line_blocked' && event.line.line_handle && event.line.blocked_at) {
		told.add(event.line.line_handle, event.line.blocked_at);
	}
	const finding = { name, isLive: true, isRecovered: false, isMissed: false };
	return toHandover(event, settings, finding, use);
}

/** Remembers an event that the workflow does not want, so that other filters do not bring it later. */
export function dropReceived(call: TriggerCall<IWebhookFunctions>, event: ServiceEvent): void {
	const standings = call.memory.part(EventStandings);
	for (const name of [receivedName(call, event), otherName(event)]) {
		if (name) standings.markSettled(name);
	}
}

/**
 * Whether an event that stands so is handed over. Without checks, a redelivery is the only other way in for one whose
 * execution n8n has lost; if it has not, the event begins once all the same.
 */
function mayHandOver({ caller }: TriggerCall<IWebhookFunctions>, standing: Standing): boolean {
	switch (standing) {
		case 'new':
		case 'unwanted':
			return true;
		case 'underWay':
			return !hasChecks(caller);
		case 'settled':
			return false;
	}
}

/** The handovers of the events that a check found. */
export function handOverFound(
	call: TriggerCall<IPollFunctions>,
	found: FoundEvent[],
	settings: EventSettings & { receiveBy: 'webhook' | 'polling' },
	useOfEvent: (event: ServiceEvent) => Use | undefined,
): Array<EventHandover | AnswerHandover> {
	const standings = call.memory.part(EventStandings);
	const signedEvents = call.memory.part(SignedEvents);
	const isRecovered = settings.receiveBy === 'webhook';
	return found.map(({ event, name }) => {
		const isMissed =
			isRecovered && !standings.isKnown(name) && !signedEvents.hasComeSince(timeMsOf(event));
		const use = useOfEvent(event) ?? { mayStart: true };
		return toHandover(event, settings, { name, isLive: false, isRecovered, isMissed }, use);
	});
}

/**
 * The handover of an event that the editor shows. It is not recorded.
 *
 * @param isLive whether a webhook brought it just now
 */
export function handOverSample(
	{ event, name }: FoundEvent,
	settings: ItemSettings,
	isLive: boolean,
): EventHandover {
	const finding = { name, isLive, isRecovered: false, isMissed: false };
	return toEventHandover(event, settings, finding);
}

/** When a message was sent; now and later, where it does not say so. */
function timeMsOf(event: ServiceEvent): number {
	const timeMs = 'message' in event ? serviceTimeMs(event.message.date_sent) : Number.NaN;
	return Number.isNaN(timeMs) ? Number.POSITIVE_INFINITY : timeMs;
}

/** All names by which this process may know an event that a webhook brought. */
function receivedNames(call: TriggerCall<IWebhookFunctions>, event: ServiceEvent): string[] {
	const names = [receivedName(call, event), event.eventId, otherName(event)];
	return names.filter((name) => name !== undefined);
}

/** The name of an event that a webhook brought. */
function receivedName(
	{ caller, memory }: TriggerCall<IWebhookFunctions>,
	event: ServiceEvent,
): string {
	if (event.kind !== 'line_unblocked' || !event.line.line_handle) return eventName(event);
	const { line_handle: handle } = event.line;
	const saved = readSaved(caller, 'check')?.lines?.[handle];
	const blocks = [memory.part(ToldBlocks).latest(handle), saved?.handedOver, saved?.blockedAt];
	return eventName(event, endedBlock(event, blocks));
}

function toHandover(
	event: ServiceEvent,
	settings: ItemSettings,
	finding: Finding,
	use: Use,
): EventHandover | AnswerHandover {
	const { mayStart, awaitedBy: account } = use;
	if (account === undefined || !('message' in event)) {
		return toEventHandover(event, settings, finding, use);
	}
	const ends = endReasonIn(event);
	return {
		...toCarried(event, settings, finding, use),
		kind: 'answer',
		account,
		message: event.message,
		...(ends && { ends }),
		...(event.createdAt && { createdAt: event.createdAt }),
		mayStart,
	};
}

function toEventHandover(
	event: ServiceEvent,
	settings: ItemSettings,
	finding: Finding,
	use?: Use,
): EventHandover {
	const carried = toCarried(event, settings, finding, use);
	const text = settings.combineSeconds > 0 ? placeInConversation(event, finding.isLive) : undefined;
	return { ...carried, kind: 'event', ...(text && { text }) };
}

function toCarried(
	event: ServiceEvent,
	{ simplify, completeMessages }: ItemSettings,
	{ name, isRecovered, isMissed, isLive }: Finding,
	{ isUnsaid }: Partial<Use> = {},
): Carried {
	const output = simplify ? toOutput(event, name, isRecovered) : event.body;
	const isCompleted = isUnsaid || (simplify && completeMessages);
	const leavesOut = isCompleted ? leftOut(event, isLive, isUnsaid === true) : undefined;
	const other = otherName(event);
	return {
		name,
		isMissed,
		output: output as IDataObject,
		...(event.eventId && { eventId: event.eventId }),
		...(other && { otherName: other }),
		...(leavesOut && { leavesOut, ...(isUnsaid && { unsaid: contentOf(event) }) }),
	};
}

/** What an event says, without its body. */
function contentOf(event: ServiceEvent): EventContent {
	return 'message' in event
		? { kind: event.kind, message: event.message }
		: { kind: event.kind, line: event.line };
}

/** What the event does not say of its message, and the service may know (§6.2, §6.3). */
function leftOut(event: ServiceEvent, isLive: boolean, isUnsaid: boolean): LeftOut | undefined {
	if (!('message' in event)) return isUnsaid ? 'line' : undefined;
	const { message } = event;
	const isWhole =
		message.conversation_handle !== undefined &&
		message.media_url !== undefined &&
		message.from !== undefined &&
		message.to !== undefined;
	if (isLive && (isUnsaid || !isWhole)) return 'message';
	const number = event.kind === 'receive' ? message.to : message.from;
	return (message.line_handle === undefined) === (number === undefined) ? undefined : 'line';
}
