import { serviceTimeMs } from '../../serviceTime';
import type { LineFields } from '../../service/lines';
import { toLineFacts, type LineContent, type ServiceEvent } from '../event';
import type { LineBlocks } from '../nodeMemory';

/** An event of a line. */
type LineEvent = ServiceEvent & LineContent;

/** A block whose beginning nobody has told: an event may leave it out (§6.3). The lines tell it later. */
const AT_SOME_TIME = '';

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
		const before = known?.isOver ? undefined : known?.block;
		if (now === before || serviceTimeMs(now) === serviceTimeMs(before)) return [];
		if (now && before === AT_SOME_TIME) return [];
		if (now) return [{ kind: 'line_blocked', line, body }];
		return [{ kind: 'line_unblocked', line, body, endedBlock: before }];
	});
}

/** What the lines say of their blocks. */
export function blocksOf(lines: LineFields[]): LineBlocks {
	const blocked = lines.flatMap((line) =>
		line.blocked_at ? [[handleOf(line), { block: line.blocked_at, isOver: false }]] : [],
	);
	return Object.fromEntries(blocked) as LineBlocks;
}

/** The blocks that the workflow knows once it was told of an event. */
export function tellBlock(told: LineBlocks, event: LineEvent): LineBlocks {
	const { line_handle: handle = '', blocked_at: blockedAt } = event.line;
	const known = told[handle];
	const isEnd = event.kind === 'line_unblocked';
	const block = isEnd ? (event.endedBlock ?? known?.block) : (blockedAt ?? AT_SOME_TIME);
	if (handle === '' || block === undefined) return told;
	const moment = isEnd ? (event.endedBlock ?? event.createdAt) : blockedAt;
	// The service may deliver an event for 60 hours (§6.4), so that it comes again after the next block.
	if (serviceTimeMs(moment) < serviceTimeMs(known?.block)) return told;
	const wasOver = known?.isOver === true && block !== AT_SOME_TIME && block === known.block;
	return { ...told, [handle]: { block, isOver: isEnd || wasOver } };
}

/** The event with the beginning of the block that a `line_unblocked` ends: the event itself does not say (§6.3). */
export function withEndedBlock(event: LineEvent, told: LineBlocks = {}): LineEvent {
	const endedBlock = told[event.line.line_handle ?? '']?.block;
	const isLater = serviceTimeMs(endedBlock) > serviceTimeMs(event.createdAt);
	return event.kind === 'line_unblocked' && endedBlock && !isLater
		? { ...event, endedBlock }
		: event;
}

const handleOf = (line: LineFields): string => toLineFacts(line).line_handle ?? line.line_handle;
