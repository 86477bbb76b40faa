/** A time of day that a zone or an offset follows: `09:00Z`, `09:00:00+03:00`, `09:00:00 GMT`. */
const NAMES_ZONE =
	/:\d{2}(?:\.\d+)?\s*(?:z|[a-z]{3,}|(?:gmt|utc)?[+-]\d{2}(?::?\d{2})?)(?:\s*\(.*\))?$/i;

/**
 * The time that the service says, in milliseconds. Every date of the service is read here.
 *
 * ```ts
 * serviceTimeMs('2026-01-01T09:00:00') === Date.UTC(2026, 0, 1, 9); // in every time zone of the machine
 * ```
 *
 * assumption: a date that names no zone is in UTC (§2.5 shows the offset `+00:00`, §6.3 a `Z`).
 *
 * @returns NaN where the value is no date
 */
export function serviceTimeMs(value: unknown): number {
	if (typeof value !== 'string') return Number.NaN;
	const date = value.trim();
	if (NAMES_ZONE.test(date)) return Date.parse(date);
	const [timeMs = Number.NaN] = [`${date}Z`, `${date} UTC`]
		.map((inUtc) => Date.parse(inUtc))
		.filter((ms) => !Number.isNaN(ms));
	return timeMs;
}
