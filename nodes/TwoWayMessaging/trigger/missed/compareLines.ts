import { serviceTimeMs } from '../../serviceTime';
import type { LineFields } from '../../transport/readLines';
import { eventName, toLineFacts, type LineKind, type ServiceEvent } from '../event';
import type { Standing } from '../eventStandings';
import type { LineState, LineStates } from '../savedState';
import type { FoundEvent } from '../start/makeHandover';

/** The events of lines that no webhook brought, and what the next check has to know. */
export type LinePlan = { due: FoundEvent[]; states: LineStates };

/** What lines are compared with. */
export type LineInput = {
	/** The latest block of a line whose event this process has handed over. */
	latestBlock: (lineHandle: string) => string | undefined;
	standingOf: (name: string) => Standing;
	isWanted: (event: ServiceEvent) => boolean;
};

/** The states as they are (§3.2), for a workflow that begins to listen. */
export function beginLines(lines: LineFields[]): LineStates {
	return sortByHandle(
		lines.map((line) => [handleOf(line), { blockedAt: line.blocked_at ?? null }]),
	);
}

/**
 * Finds the blocks, and the ends of blocks, whose events have not begun (§3.2, §6.4). The event of a change comes at
 * least once: the next checks find the change until its event has begun.
 */
export function compareLines(lines: LineFields[], known: LineStates, input: LineInput): LinePlan {
	const due: FoundEvent[] = [];
	const states = lines.map((line): [string, LineState] => {
		const handle = handleOf(line);
		const before = stateBefore(line, known[handle], input);
		const now = line.blocked_at ?? null;
		const change = changeOf(line, before.blockedAt, now);
		if (!change) return [handle, before];
		const standing = input.isWanted(change.event) ? input.standingOf(change.name) : 'settled';
		if (standing === 'settled') return [handle, { blockedAt: now }];
		if (standing === 'new') due.push(change);
		return [handle, { ...before, ...(now && { handedOver: now }) }];
	});
	return { due, states: sortByHandle(states) };
}

/** The events of a line that have begun until now, with those that have begun since the last check. */
function stateBefore(
	line: LineFields,
	known: LineState = { blockedAt: null },
	{ latestBlock, standingOf }: LineInput,
): LineState {
	const block = later(known.handedOver, latestBlock(handleOf(line)));
	if (!block || isSameMoment(later(block, known.blockedAt), known.blockedAt)) {
		return { blockedAt: known.blockedAt };
	}
	switch (standingOf(toChange('line_blocked', line, block).name)) {
		case 'settled':
		case 'unwanted':
			return { blockedAt: block };
		case 'underWay':
			return { blockedAt: known.blockedAt, handedOver: block };
		case 'new': {
			// After a restart, for example. The event of a block that lasts comes again; a block that has ended gets its end.
			const hasEnded = !isSameMoment(block, line.blocked_at);
			const wasHandedOver = isSameMoment(block, known.handedOver);
			return { blockedAt: hasEnded && wasHandedOver ? block : known.blockedAt };
		}
	}
}

function changeOf(
	line: LineFields,
	before: string | null,
	now: string | null,
): FoundEvent | undefined {
	if (isSameMoment(before, now)) return undefined;
	if (now) return toChange('line_blocked', line, now);
	return before ? toChange('line_unblocked', line, before) : undefined;
}

/** @param block when the block began, whether the event is its beginning or its end */
function toChange(kind: LineKind, line: LineFields, block: string): FoundEvent {
	const event = { kind, line: toLineFacts(line), body: line };
	return { event, name: eventName(event, block) };
}

function isSameMoment(one: string | null | undefined, other: string | null | undefined): boolean {
	return (
		(one ?? null) === (other ?? null) ||
		(!!one && !!other && serviceTimeMs(one) === serviceTimeMs(other))
	);
}

function later(one: string | null | undefined, other: string | null | undefined) {
	if (!one || !other) return one || other || undefined;
	return serviceTimeMs(one) < serviceTimeMs(other) ? other : one;
}

/** The same states look the same, in whichever order the service lists the lines. */
function sortByHandle(states: Array<[string, LineState]>): LineStates {
	return Object.fromEntries(states.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function handleOf(line: LineFields): string {
	return toLineFacts(line).line_handle ?? line.line_handle;
}
