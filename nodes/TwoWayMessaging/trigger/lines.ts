import type { LineFields } from '../transport/lines';
import { lineKey, toLineFacts, type KnownEvent, type LineHappening } from './event';
import type { Standing } from './seen';

/** Since when each line is blocked, by handle; null for a line that is not. As far as workflows were told. */
export type LineStates = Record<string, string | null>;

/** A change of a line's state that no webhook has told. */
export type LineChange = { happening: LineHappening; key: string; body: LineFields };

export type LinePlan = { due: LineChange[]; states: LineStates };

/** The states as they are (§3.2), for a workflow that begins to listen. */
export function beginLines(lines: LineFields[]): LineStates {
	return inOrder(lines.map((line) => [handleOf(line), line.blocked_at ?? null]));
}

/** Finds the blocks, and the ends of blocks, that nobody told (§3.2, §6.4). */
export function reconcileLines(
	lines: LineFields[],
	known: LineStates,
	standing: (key: string) => Standing,
	isWanted: (happening: LineHappening) => boolean,
): LinePlan {
	const due: LineChange[] = [];
	const states: Array<[string, string | null]> = [];
	for (const line of lines) {
		const handle = handleOf(line);
		const before = known[handle] ?? null;
		const now = line.blocked_at ?? null;
		const change = changeOf(line, before, now);
		const stands = change && isWanted(change.happening) ? standing(change.key) : 'settled';
		// Until the workflow has run, the change is still to be told, also after a restart.
		states.push([handle, stands === 'settled' ? now : before]);
		if (change && stands === 'new') due.push(change);
	}
	return { due, states: inOrder(states) };
}

/**
 * What an event is recognized by. The end of a block is recognized by the block it ends, as the check knows
 * only that; the event itself tells no block any more.
 */
export function keyAmong(event: KnownEvent, blocks: LineStates): string {
	if (event.kind !== 'line_unblocked' || event.line.blocked_at) return event.key;
	const handle = event.line.line_handle;
	const block = handle && blocks[handle];
	if (!block) return event.key;
	// Events overtake each other: the end of an earlier block tells nothing of this one.
	const isEarlier = event.createdAt && Date.parse(event.createdAt) < Date.parse(block);
	return isEarlier ? event.key : lineKey(event.kind, handle, block);
}

/** The same states look the same, in whichever order the service lists the lines. */
function inOrder(states: Array<[string, string | null]>): LineStates {
	return Object.fromEntries(states.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function changeOf(
	line: LineFields,
	before: string | null,
	now: string | null,
): LineChange | undefined {
	const block = now ?? before;
	if (block === null || isSameMoment(before, now)) return undefined;
	const kind = now === null ? 'line_unblocked' : 'line_blocked';
	const happening: LineHappening = { kind, line: toLineFacts(line) };
	return { happening, key: lineKey(kind, handleOf(line), block), body: line };
}

function isSameMoment(one: string | null, other: string | null): boolean {
	return one === other || (one !== null && other !== null && Date.parse(one) === Date.parse(other));
}

function handleOf(line: LineFields): string {
	return toLineFacts(line).line_handle ?? line.line_handle;
}
