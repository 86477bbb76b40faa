import { REFUSALS } from '../../../nodes/TwoWayMessaging/contract';
import type { Contact } from '../state/contacts';
import type { Conversations } from '../state/conversations';
import type { Line, Lines } from '../state/lines';

/** The line that sends, or the sentence of §7 that says why no line can. */
export type LineChoice = { line: Line } | { refusal: string };

/** The line that a send names (§1.7). It must be known and active; `sendMessage` checks whether it is blocked. */
export const namedLine = (lines: Lines, handle: string): LineChoice => {
	const line = lines.get(handle);
	return line?.isActive ? { line } : { refusal: REFUSALS.unknownLine };
};

/**
 * Chooses a line for a send that names none: any active line may send (§1.7).
 * assumption: the line of the contact's last conversation; else the first line whose limits are not used up; else the
 * first line that is not blocked.
 */
export const anyLine = (
	lines: Lines,
	conversations: Conversations,
	contact: Contact,
	nowMs: number,
): LineChoice => {
	const active = lines.all().filter((line) => line.isActive);
	const able = active.filter((line) => line.blockedAtMs === null);
	const last = conversations.lastOf(contact)?.line;
	if (last && able.includes(last)) return { line: last };
	const free = able.find(
		(line) => line.hourly.remaining(nowMs) > 0 && line.daily.remaining(nowMs) > 0,
	);
	const line = free ?? able[0] ?? active[0];
	return line ? { line } : { refusal: REFUSALS.unknownLine };
};
