import { isFields, toMessage, type Fields, type Message } from '../../message';
import { serviceTimeMs } from '../../serviceTime';
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
 * assumption: rows carry the fields of §2.2 (§4.5). Rows without a handle cannot be told apart and are left out.
 *
 * @param nowMs the latest time that is known to have been: a row that was dated rightly once must stay so
 */
export function placeRows(rows: Fields[], nowMs: number): PlacedRow[] {
	const placed: PlacedRow[] = [];
	const times = rows.map((row) => ownTimeMs(row, nowMs));
	const latest: number[] = [];
	for (const timeMs of times) latest.push(timeMs ?? latest.at(-1) ?? Number.POSITIVE_INFINITY);
	let placedMs = times.findLast((timeMs) => timeMs !== undefined) ?? nowMs;
	for (const [at, body] of [...rows.entries()].reverse()) {
		if (!isFields(body)) continue;
		const message = toMessage(body);
		const handle = message.message_handle;
		if (!handle) continue;
		placedMs = times[at] ?? placedMs;
		const kind = isOutbound(message) ? 'outbound' : 'receive';
		const event = { kind, message, body } as const;
		const isFinal =
			kind === 'receive' || FINAL_STATUSES.some((status) => status === message.status);
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

/** Whether a message was sent, rather than received (§3.1). */
export function isOutbound(message: Message): boolean {
	return message.is_outbound ?? message.status !== 'RECEIVED';
}

/** The time that a row names; undefined when it names none, or one that cannot be. */
export function ownTimeMs(row: Fields, nowMs: number): number | undefined {
	const timeMs = serviceTimeMs(row.date_sent);
	return Number.isNaN(timeMs) || timeMs > nowMs + MOST_AHEAD_MS ? undefined : timeMs;
}
