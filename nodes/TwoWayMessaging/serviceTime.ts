/** A date of ISO 8601 to the second, in the extended or the basic form: `2026-01-02T09:00:00,5+00`, `20260102T090000.5Z`. */
const ISO =
	/^(\d{4})-?(\d\d)-?(\d\d)[T\s]\s*(\d\d):?(\d\d):?(\d\d)(?:[.,](\d+))?\s*(z|utc|gmt|[+-]\d\d(?::?\d\d)?)?$/i;

/** The date of a header or a mail: `Fri, 02 Jan 2026 09:00:00 GMT`, or `+0000`. */
const OF_HEADER = /^[a-z]{3}, \d\d? [a-z]{3} \d{4} \d\d:\d\d:\d\d (GMT|[+-]\d{4})$/i;

/** A Unix time as a text; a shorter number may be anything. */
const UNIX_TEXT = /^\d{9,13}(?:\.\d+)?$/;

/** Unix times from 1973 on. Below `fromMs` they are in seconds, until the year 5138, from there on in milliseconds. */
const UNIX = { fromSeconds: 1e8, fromMs: 1e11, endMs: 1e13 };

/**
 * The time that the service says, in milliseconds. Every date of the service is read here.
 *
 * ```ts
 * serviceTimeMs('2026-01-01T09:00:00') === Date.UTC(2026, 0, 1, 9); // in every time zone of the machine
 * serviceTimeMs(1_767_258_000) === Date.UTC(2026, 0, 1, 9);
 * ```
 *
 * assumption: a date that names no zone is in UTC (§2.5 shows the offset `+00:00`, §6.3 a `Z`).
 *
 * assumption: a number is a Unix time in seconds or milliseconds (§2.2 shows no form). The beginning of 1970 and all before
 * it mean that there is no time: some services write a zero so.
 *
 * @returns NaN where the value is no date that says the second
 */
export function serviceTimeMs(value: unknown): number {
	const timeMs = typeof value === 'string' ? textMs(value.trim()) : unixMs(value);
	return timeMs > 0 ? timeMs : Number.NaN;
}

function unixMs(value: unknown): number {
	if (typeof value !== 'number' || !(value >= UNIX.fromSeconds && value < UNIX.endMs)) {
		return Number.NaN;
	}
	return Math.floor(value < UNIX.fromMs ? value * 1_000 : value);
}

function textMs(date: string): number {
	if (UNIX_TEXT.test(date)) return unixMs(Number(date));
	const iso = ISO.exec(date);
	if (iso) return isoMs(iso);
	return OF_HEADER.test(date) ? Date.parse(date) : Number.NaN;
}

/** Writes the date in the one form of ISO 8601 that every engine reads. */
function isoMs([, year, month, day, hours, minutes, seconds, ...more]: RegExpExecArray): number {
	const [fraction = '', zone = ''] = more;
	const ms = fraction.slice(0, 3).padEnd(3, '0');
	const [, sign, zoneHours, zoneMinutes = '00'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
	const offset = sign ? `${sign}${zoneHours}:${zoneMinutes}` : 'Z';
	return Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}.${ms}${offset}`);
}
