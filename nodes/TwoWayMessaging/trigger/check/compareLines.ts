import { serviceTimeMs } from '../../serviceTime';
import type { LineFields } from '../../service/lines';
import { toLineFacts, type LineContent, type ServiceEvent } from '../event';
import type { LineBlocks } from '../savedState';

/** An event of a line that its state shows. */
type LineChange = ServiceEvent & LineContent;

/**
 * Finds the blocks, and the ends of blocks, that the workflow was not told of (§3.2, §6.4).
 *
 * @param told when the block began of which it was told last, by line; undefined for a workflow that begins to listen
 */
export function compareLines(lines: LineFields[], told: LineBlocks | undefined): LineChange[] {
	if (told === undefined) return [];
	return lines.flatMap((body): LineChange[] => {
		const line = toLineFacts(body);
		const now = body.blocked_at ?? null;
		const before = told[handleOf(body)] ?? null;
		if (isSameMoment(before, now)) return [];
		if (now) return [{ kind: 'line_blocked', line, body }];
		return before ? [{ kind: 'line_unblocked', line, body, endedBlock: before }] : [];
	});
}

/** What the lines say of their blocks. */
export function blocksOf(lines: LineFields[]): LineBlocks {
	return Object.fromEntries(lines.map((line) => [handleOf(line), line.blocked_at ?? null]));
}

/** What the workflow was told once it has got an event; the same where the event tells nothing new. */
export function tellBlock(told: LineBlocks, { kind, line }: LineContent): LineBlocks {
	const handle = line.line_handle;
	if (handle === undefined) return told;
	return { ...told, [handle]: kind === 'line_blocked' ? (line.blocked_at ?? null) : null };
}

function isSameMoment(one: string | null, other: string | null): boolean {
	return one === other || (!!one && !!other && serviceTimeMs(one) === serviceTimeMs(other));
}

function handleOf(line: LineFields): string {
	return toLineFacts(line).line_handle ?? line.line_handle;
}
