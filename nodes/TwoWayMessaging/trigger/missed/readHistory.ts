import { toMessage, type Fields } from '../../message';
import { historyPages } from '../../transport/historyPages';
import type { Connection } from '../../transport/request';
import { isOutbound, ownTimeMs } from './placeRows';

/** After so many old rows one after the other, all others count as too old: rows may be a little out of order. */
const ROWS_BEYOND = 100;

/** A stretch of the history, newest row first. */
export type Stretch = {
	rows: Fields[];
	/** Whether no newer row was left out. */
	isWhole: boolean;
};

/**
 * Reads the history from its newest row (§4.5) to a little behind a floor.
 *
 * @param floorOf gives the floor in Unix ms, once the newest row's time is known
 * @param mostRows how many rows are kept at most: of more, the oldest, as those come first
 * @param latest handles of the newest rows of the last reading, where there was one: received rows without a date are new
 * until one of them comes
 * @throws NodeApiError when a page cannot be read
 */
export async function readHistory(
	connection: Connection,
	floorOf: (newestMs: number) => number,
	mostRows: number,
	latest?: readonly string[],
): Promise<Stretch> {
	const nowMs = connection.clock.nowMs();
	const rows: Fields[] = [];
	let isWhole = true;
	let floorMs: number | undefined;
	let tooOld = 0;
	let mayBeNew = latest !== undefined;
	for await (const page of historyPages(connection, {})) {
		const times = page.map((row) => ownTimeMs(row, nowMs));
		floorMs ??= floorOf(times.reduce<number>((latest, time) => Math.max(latest, time ?? 0), 0));
		for (const [at, timeMs] of times.entries()) {
			const message = toMessage(page[at] ?? {});
			if (latest?.includes(message.message_handle ?? '')) mayBeNew = false;
			// A sent message is dated once it has left; a received one without a date says nothing of its age.
			if (timeMs !== undefined) tooOld = timeMs < floorMs ? tooOld + 1 : 0;
			else if (!mayBeNew && !isOutbound(message)) tooOld += 1;
		}
		rows.push(...page);
		if (rows.length > mostRows) {
			rows.splice(0, rows.length - mostRows);
			isWhole = false;
		}
		if (tooOld >= ROWS_BEYOND) break;
	}
	return { rows, isWhole };
}
