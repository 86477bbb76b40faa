import { isOutbound, type Message } from '../../message';
import { serviceTimeMs } from '../../serviceTime';
import { readRows, type HistoryRow, type Reading } from '../../service/history';
import type { Connection } from '../../service/request';
import { eventName, type MessageContent, type ServiceEvent } from '../event';

/** A history row at its place in time. */
export type PlacedRow = {
	handle: string;
	/** The row's own time; where it has none, that of its neighbour, the older one if there is one. */
	placedMs: number;
	/**
	 * The latest time that the row can be from: its own; where it has none, that of the next newer row that has one, else
	 * `Infinity`. No clock says of such a row how old it is: clocks are set back.
	 */
	latestMs: number;
	/** What the row says happened. */
	event: ServiceEvent & MessageContent;
	name: string;
	/** Whether the message has reached a final state (§3.1). Until then it is no event. */
	isFinal: boolean;
};

/** A row dated later than this is dated wrongly; clocks differ by less. */
const MOST_AHEAD_MS = 24 * 60 * 60_000;

/** States in which an outbound message causes its event (§3.1, §6.1). */
const FINAL_STATUSES = ['SENT', 'DELIVERED', 'ERROR'];

/**
 * Puts rows, newest first, at their places in time.
 *
 * @param nowMs the latest time that is known to have been: a row that was dated rightly once must stay so
 */
export function placeRows(rows: HistoryRow[], nowMs: number): PlacedRow[] {
	const placed: PlacedRow[] = [];
	const times = rows.map(({ message }) => ownTimeMs(message, nowMs));
	const latest: number[] = [];
	for (const timeMs of times) latest.push(timeMs ?? latest.at(-1) ?? Number.POSITIVE_INFINITY);
	let placedMs = times.findLast((timeMs) => timeMs !== undefined) ?? nowMs;
	for (const [at, { message, body }] of [...rows.entries()].reverse()) {
		placedMs = times[at] ?? placedMs;
		const { message_handle: handle = '', status } = message;
		const kind = isReceived(message) ? 'receive' : 'outbound';
		const event = { kind, message, body } as const;
		const isFinal = kind === 'receive' || FINAL_STATUSES.some((final) => final === status);
		const latestMs = latest[at] ?? Number.POSITIVE_INFINITY;
		placed.push({ handle, placedMs, latestMs, event, name: eventName(event), isFinal });
	}
	return placed.reverse();
}

/** The newest time that a row tells, in Unix ms; 0 where none tells any. */
export function newestToldMs(rows: PlacedRow[]): number {
	const told = rows.map(({ latestMs }) => latestMs).filter(Number.isFinite);
	return told.reduce((newest, latestMs) => Math.max(newest, latestMs), 0);
}

const isReceived = (message: Message) => isOutbound(message) === false;

/** The time that a row names; undefined when it names none, or one that cannot be. */
function ownTimeMs({ date_sent: dateSent }: Message, nowMs: number): number | undefined {
	const timeMs = serviceTimeMs(dateSent);
	return Number.isNaN(timeMs) || timeMs > nowMs + MOST_AHEAD_MS ? undefined : timeMs;
}

/**
 * Reads the history from its newest row (§4.5) to a little behind a time.
 *
 * @param mostRows how many rows are kept at most: of more, the oldest, as those come first
 * @param latest handles of the newest rows of the last reading, where there was one: received rows without a date are new
 * until one of them comes. A sent message is dated once it has left
 * @returns newest row first
 * @throws NodeApiError when a page cannot be read
 */
export async function readHistory(
	connection: Connection,
	reading: Pick<Reading, 'since' | 'onCut'>,
	mostRows: number,
	latest?: readonly string[],
): Promise<HistoryRow[]> {
	const rows: HistoryRow[] = [];
	let mayBeNew = latest !== undefined;
	const isPast = (message: Message) => !mayBeNew && isReceived(message);
	for await (const page of readRows(connection, { ...reading, isPast })) {
		mayBeNew &&= !page.some(({ message }) => latest?.includes(message.message_handle ?? ''));
		rows.push(...page);
		if (rows.length > mostRows) rows.splice(0, rows.length - mostRows);
	}
	return rows;
}
