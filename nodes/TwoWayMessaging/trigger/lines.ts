import type { LineFields } from '../transport/readLines';
import { lineKey, toLineFacts, type KnownEvent, type LineHappening } from './event';
import type { Standing } from './seen';

/** What webhooks told this process, by the line's handle. */
export type Heard = {
	/** When a line was blocked, the last few times. */
	blocks: Record<string, string[]>;
	/** When a block ended of which nothing had been heard: events overtake each other (§6.3). */
	ends: Record<string, string>;
};

/** What workflows were told of a line. */
export type LineState = {
	/** Since when it is blocked; null when it is not. */
	blockedAt: string | null;
	/** A later block that is on its way into the workflow. */
	telling?: string;
	/** The last few blocks, also those that ended: the end of one may still come by webhook. */
	blocks: string[];
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

/** So many blocks of a line are remembered. */
const BLOCKS = 10;

export const nothingHeard = (): Heard => ({ blocks: {}, ends: {} });

/** Takes note of a line event that a webhook brought, recognized by `key`. */
export function hear(heard: Heard, event: KnownEvent, key: string): void {
	if (!('line' in event)) return;
	const { line_handle: handle, blocked_at: blockedAt } = event.line;
	if (!handle) return;
	if (event.kind === 'line_blocked' && blockedAt) {
		heard.blocks[handle] = lastBlocks([...(heard.blocks[handle] ?? []), blockedAt]);
	}
	const isUnexpected = event.kind === 'line_unblocked' && key === event.key;
	if (isUnexpected && event.createdAt) heard.ends[handle] = event.createdAt;
}

/**
 * What an event is recognized by. The end of a block is recognized by the block it ends, as the check knows
 * only that; the event itself tells no block any more.
 */
export function keyAmong(event: KnownEvent, heard: Heard, known: LineStates = {}): string {
	if (event.kind !== 'line_unblocked' || event.line.blocked_at) return event.key;
	const { line_handle: handle } = event.line;
	const isKnownEnd = event.createdAt !== undefined && heard.ends[handle ?? ''] === event.createdAt;
	if (!handle || isKnownEnd) return event.key;
	const state = known[handle];
	const blocks = [state?.telling, ...(state?.blocks ?? []), ...(heard.blocks[handle] ?? [])];
	const endMs = event.createdAt ? Date.parse(event.createdAt) : Number.POSITIVE_INFINITY;
	const block = lastBlocks(blocks.filter((one) => one !== undefined && Date.parse(one) <= endMs));
	return block.length > 0 ? lineKey(event.kind, handle, block.at(-1) as string) : event.key;
}

/**
 * The end that a check would find for a block, where that end has overtaken the block and has been told already: a
 * process that starts anew knows of the block alone.
 */
export function overtakenBy(
	event: KnownEvent,
	{ ends }: Heard,
	standing: (key: string) => Standing,
): string | undefined {
	if (event.kind !== 'line_blocked') return undefined;
	const { line_handle: handle, blocked_at: block } = event.line;
	const end = ends[handle ?? ''];
	if (!handle || !block || !end || Date.parse(block) > Date.parse(end)) return undefined;
	const isTold = standing(lineKey('line_unblocked', handle, end)) === 'settled';
	return isTold ? lineKey('line_unblocked', handle, block) : undefined;
}

/** The states as they are (§3.2), for a workflow that begins to listen. */
export function beginLines(lines: LineFields[]): LineStates {
	return inOrder(lines.map((line) => [handleOf(line), stateOf(line.blocked_at ?? null, [])]));
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
		const { telling, blockedAt, blocks } = known[handle] ?? { blockedAt: null, blocks: [] };
		const past = [...blocks, ...(heard.blocks[handle] ?? [])];
		const latest = later(telling, openBlock(heard, handle));
		const latestStands = latest && standing(lineKey('line_blocked', handle, latest));
		const told = latestStands === 'settled' ? later(latest, blockedAt) : blockedAt;
		const isOnItsWay = latestStands === 'handed' || latestStands === 'unheard';
		const onItsWay = isOnItsWay ? latest : undefined;

		const change = changeOf(line, told ?? null, now);
		if (!change) return [handle, stateOf(now, past, onItsWay)];
		const stands = isWanted(change.happening) ? standing(change.key) : 'settled';
		if (stands === 'settled' || stands === 'abandoned') return [handle, stateOf(now, past)];
		if (stands === 'new') due.push(change);
		// Until the workflow has run, the change is still to be told, also after a restart.
		return [handle, stateOf(told ?? null, past, now ?? onItsWay)];
	});
	return { due, states: inOrder(states) };
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

function stateOf(blockedAt: string | null, past: string[], telling?: string): LineState {
	const blocks = lastBlocks(blockedAt === null ? past : [...past, blockedAt]);
	return { blockedAt, blocks, ...(telling && { telling }) };
}

/** The block that was heard of last and, as far as was heard, lasts. */
function openBlock({ blocks, ends }: Heard, handle: string): string | undefined {
	const block = blocks[handle]?.at(-1);
	const end = ends[handle];
	return block && end && Date.parse(block) <= Date.parse(end) ? undefined : block;
}

/** The latest moments in order, each once. */
function lastBlocks(blocks: Array<string | undefined>): string[] {
	const byTime = new Map<number, string>();
	for (const block of blocks) if (block) byTime.set(Date.parse(block), block);
	return [...byTime.entries()]
		.sort(([one], [other]) => one - other)
		.slice(-BLOCKS)
		.map(([, block]) => block);
}

function isSameMoment(one: string | null, other: string | null): boolean {
	return one === other || (one !== null && other !== null && Date.parse(one) === Date.parse(other));
}

function later(one: string | null | undefined, other: string | null | undefined) {
	if (!one || !other) return one || other || undefined;
	return Date.parse(one) < Date.parse(other) ? other : one;
}

/** The same states look the same, in whichever order the service lists the lines. */
function inOrder(states: Array<[string, LineState]>): LineStates {
	return Object.fromEntries(states.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function handleOf(line: LineFields): string {
	return toLineFacts(line).line_handle ?? line.line_handle;
}
