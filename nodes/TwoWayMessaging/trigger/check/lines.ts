import { serviceTimeMs } from '../../serviceTime';
import type { LineFields } from '../../service/lines';
import { toLineFacts, type LineContent, type ServiceEvent } from '../event';
import type { LineBlocks } from '../nodeMemory';

type LineEvent = ServiceEvent & LineContent;

/** A block whose beginning nobody has told: an event may leave it out (§6.3). The lines tell it later. */
const AT_SOME_TIME = '';

/** Blocks of a line that are remembered, as the service delivers an event for 60 hours (§6.4). */
const MOST_BLOCKS = 20;

/**
 * Finds the blocks, and the ends of blocks, that the workflow was not told of (§3.2, §6.4).
 *
 * @param told the blocks that the workflow knows; undefined for a workflow that begins to listen
 */
export function compareLines(lines: LineFields[], told: LineBlocks | undefined): LineEvent[] {
	if (told === undefined) return [];
	return lines.flatMap((body): LineEvent[] => {
		const line = toLineFacts(body);
		const now = body.blocked_at ?? undefined;
		const known = told[handleOf(body)];
		const before = known?.isOver ? undefined : known?.blocks.at(-1);
		if (now === before || serviceTimeMs(now) === serviceTimeMs(before)) return [];
		if (now && before === AT_SOME_TIME) return [];
		if (now) return [{ kind: 'line_blocked', line, body }];
		return [{ kind: 'line_unblocked', line, body, endedBlock: before }];
	});
}

/** What the lines say of their blocks. */
export function blocksOf(lines: LineFields[]): LineBlocks {
	const blocked = lines.flatMap((line) =>
		line.blocked_at ? [[handleOf(line), { blocks: [line.blocked_at], isOver: false }]] : [],
	);
	return Object.fromEntries(blocked) as LineBlocks;
}

/** The blocks that the workflow knows once it was told of an event. */
export function tellBlock(told: LineBlocks, { kind, line, endedBlock }: LineEvent): LineBlocks {
	const { line_handle: handle, blocked_at: blockedAt } = line;
	const { blocks, isOver } = told[handle ?? ''] ?? { blocks: [], isOver: true };
	const isEnd = kind === 'line_unblocked';
	const block = isEnd ? (endedBlock ?? blocks.at(-1)) : (blockedAt ?? AT_SOME_TIME);
	if (handle === undefined || block === undefined) return told;
	const known: LineBlocks[string] =
		block !== AT_SOME_TIME && blocks.includes(block)
			? { blocks, isOver: isOver || (isEnd && block === blocks.at(-1)) }
			: { blocks: [...blocks, block].slice(-MOST_BLOCKS), isOver: isEnd };
	return { ...told, [handle]: known };
}

/** The event with the beginning of the block that a `line_unblocked` ends: the event itself does not say (§6.3). */
export function withEndedBlock(event: LineEvent, told: LineBlocks = {}): LineEvent {
	const { blocks = [] } = told[event.line.line_handle ?? ''] ?? {};
	const endedMs = serviceTimeMs(event.createdAt);
	const endedBlock = blocks.findLast((block) => !(serviceTimeMs(block) > endedMs));
	return event.kind === 'line_unblocked' && endedBlock ? { ...event, endedBlock } : event;
}

const handleOf = (line: LineFields): string => toLineFacts(line).line_handle ?? line.line_handle;
