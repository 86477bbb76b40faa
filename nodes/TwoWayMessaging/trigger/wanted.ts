import type { Arrival } from './arrival';
import { eventName, saysNothing, type ServiceEvent } from './event';
import { isLeftOutAsOptOut, judge } from './filters';
import type { TriggerCall } from './nodeMemory';
import { isAwaited } from './questions/awaited';

const DAY_MS = 24 * 60 * 60_000;

/**
 * Whether the node has a use for an event: the filters let it start the workflow, or may do so once it is complete, or an
 * execution waits for it.
 */
export function wants(call: TriggerCall, event: ServiceEvent): boolean {
	const { kinds, filters } = call.settings;
	if (!kinds.includes(event.kind)) return false;
	return judge(event, filters) !== 'fails' || isAwaited(call, event);
}

/** Counts a text that nobody wants because it opts out or in, so that the log can say so. */
export function countLeftOut({ memory, settings }: TriggerCall, event: ServiceEvent): void {
	if (settings.kinds.includes(event.kind) && isLeftOutAsOptOut(event, settings.filters)) {
		memory.leftOut.count += 1;
	}
}

/** Says in the log, once a day at most, how many texts were left out so. */
export function logLeftOut(call: TriggerCall): void {
	const { count, loggedAtMs } = call.memory.leftOut;
	const nowMs = call.clock.nowMs();
	if (count === 0 || Math.abs(nowMs - loggedAtMs) < DAY_MS) return;
	call.memory.leftOut = { count: 0, loggedAtMs: nowMs };
	call.warn(
		`: ${count} ${count === 1 ? 'text' : 'texts'} that only opted out or in started nothing; the filters 'Opt-Out Words' and 'Words for STOP' change that`,
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
