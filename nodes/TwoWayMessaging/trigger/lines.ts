import type { LineFields } from '../transport/lines';
import { lineKey, toLineFacts, type KnownEvent, type LineHappening } from './event';
import type { Standing } from './seen';

/** A moment for each line, by handle. */
export type Moments = Record<string, string>;

/** What webhooks told this process. */
export type Heard = {
	/** When a line was last blocked. */
	blocks: Moments;
	/** When a block ended of which nothing had been heard: events overtake each other (§6.3). */
	ends: Moments;
};

export const nothingHeard = (): Heard => ({ blocks: {}, ends: {} });

/** Takes note of a line event that a webhook brought, recognized by `key`. */
export function hear(heard: Heard, event: KnownEvent, key: string): void {
	if (!('line' in event)) return;
	const { line_handle: handle, blocked_at: blockedAt } = event.line;
	if (!handle) return;
	if (event.kind === 'line_blocked' && blockedAt) heard.blocks[handle] = blockedAt;
	const isUnexpected = event.kind === 'line_unblocked' && key === event.key;
	if (isUnexpected && event.createdAt) heard.ends[handle] = event.createdAt;
}

/** What workflows were told of a line. */
export type LineState = {
	/** Since when it is blocked; null when it is not. */
	blockedAt: string | null;
	/** A later block that is on its way into the workflow. */
	telling?: string;
};

/** By handle. */
export type LineStates = Record<string, LineState>;

/** A change of a line's state that no webhook has told. */
export type LineChange = { happening: LineHappening; key: string; body: LineFields };

export type LinePlan = { due: LineChange[]; states: LineStates };

export type LineCheckInput = {
	heard: Heard;
	standing: (key: string) => Standing;
	isWanted: (happening: LineHappening) => boolean;
};

/** The states as they are (§3.2), for a workflow that begins to listen. */
export function beginLines(lines: LineFields[]): LineStates {
	return inOrder(lines.map((line) => [handleOf(line), { blockedAt: line.blocked_at ?? null }]));
}

/** Finds the blocks, and the ends of blocks, that nobody told (§3.2, §6.4). */
export function reconcileLines(
	lines: LineFields[],
	known: LineStates,
	{ heard, standing, isWanted }: LineCheckInput,
): LinePlan {
	const due: LineChange[] = [];
	const states = lines.map((line): [string, LineState] => {
		const handle = handleOf(line);
		const now = line.blocked_at ?? null;
		const { telling, blockedAt } = known[handle] ?? { blockedAt: null };
		const latest = later(telling, openBlock(heard, handle));
		const latestStands = latest && standing(lineKey('line_blocked', handle, latest));
		const told = latest && latestStands === 'settled' ? later(latest, blockedAt) : blockedAt;
		const isOnItsWay = latestStands === 'handed' || latestStands === 'unheard';
		const onItsWay = latest && isOnItsWay ? { telling: latest } : undefined;

		const change = changeOf(line, told ?? null, now);
		if (!change) return [handle, { blockedAt: now, ...onItsWay }];
		const stands = isWanted(change.happening) ? standing(change.key) : 'settled';
		if (stands === 'settled' || stands === 'abandoned') return [handle, { blockedAt: now }];
		if (stands === 'new') due.push(change);
		// Until the workflow has run, the change is still to be told, also after a restart.
		return [handle, { blockedAt: told ?? null, ...(now === null ? onItsWay : { telling: now }) }];
	});
	return { due, states: inOrder(states) };
}

/**
 * What an event is recognized by. The end of a block is recognized by the block it ends, as the check knows
 * only that; the event itself tells no block any more.
 */
export function keyAmong(event: KnownEvent, heard: Heard, known: LineStates = {}): string {
	if (event.kind !== 'line_unblocked' || event.line.blocked_at) return event.key;
	const handle = event.line.line_handle;
	if (!handle) return event.key;
	const state = known[handle];
	const block = later(heard.blocks[handle], later(state?.telling, state?.blockedAt));
	// Events overtake each other: the end of an earlier block tells nothing of this one.
	const isEarlier = block && event.createdAt && Date.parse(event.createdAt) < Date.parse(block);
	return block && !isEarlier ? lineKey(event.kind, handle, block) : event.key;
}

/** The block that was heard of and, as far as was heard, lasts. */
function openBlock({ blocks, ends }: Heard, handle: string): string | undefined {
	const block = blocks[handle];
	const end = ends[handle];
	return block && end && Date.parse(block) <= Date.parse(end) ? undefined : block;
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

function later(one: string | null | undefined, other: string | null | undefined) {
	if (!one || !other) return one || other;
	return Date.parse(one) < Date.parse(other) ? other : one;
}

/** The same states look the same, in whichever order the service lists the lines. */
function inOrder(states: Array<[string, LineState]>): LineStates {
	return Object.fromEntries(states.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function handleOf(line: LineFields): string {
	return toLineFacts(line).line_handle ?? line.line_handle;
}
