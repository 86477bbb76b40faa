/**
 * A time as ISO 8601; null for no time.
 *
 * @param behindMs how far the clock that tells the time is behind the sandbox's
 */
export function isoTime(timeMs: number, behindMs?: number): string;
export function isoTime(timeMs: number | null, behindMs?: number): string | null;
export function isoTime(timeMs: number | null, behindMs = 0): string | null {
	return timeMs === null ? null : new Date(timeMs - behindMs).toISOString();
}
