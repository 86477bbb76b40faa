import { toMessage, type Fields } from '../message';
import { historyPages } from '../transport/historyPages';
import type { Connection } from '../transport/request';
import { isOutbound, ownTimeMs } from './reconcile';

/** Rows that one check holds: the oldest ones of more, as those are to come first. */
const MOST_ROWS = 20_000;

/** Rows in a row that are too old, before the rest is taken to be so: rows may stand a little out of order. */
const ROWS_BEYOND = 100;

/** A stretch of the history, newest first. */
export type Scan = {
	rows: Fields[];
	/** Whether no newer row was left out. */
	isWhole: boolean;
};

/**
 * Reads the history from its newest row (§4.5) to a bit behind a floor.
 *
 * @param floorOf the floor, told once the newest row's time is known
 * @throws NodeApiError when a page cannot be read
 */
export async function scanHistory(
	connection: Connection,
	nowMs: number,
	floorOf: (newestMs: number) => number,
): Promise<Scan> {
	const rows: Fields[] = [];
	let isWhole = true;
	let floorMs: number | undefined;
	let tooOld = 0;
	for await (const page of historyPages(connection, {})) {
		const times = page.map((row) => ownTimeMs(row, nowMs));
		floorMs ??= floorOf(times.reduce<number>((latest, time) => Math.max(latest, time ?? 0), 0));
		for (const [at, timeMs] of times.entries()) {
			// What is sent is dated when it has been; what was received is dated, or says nothing of its age.
			if (timeMs !== undefined) tooOld = timeMs < floorMs ? tooOld + 1 : 0;
			else if (!isOutbound(toMessage(page[at] ?? {}))) tooOld += 1;
		}
		rows.push(...page);
		if (rows.length > MOST_ROWS) {
			rows.splice(0, rows.length - MOST_ROWS);
			isWhole = false;
		}
		if (tooOld >= ROWS_BEYOND) break;
	}
	return { rows, isWhole };
}
