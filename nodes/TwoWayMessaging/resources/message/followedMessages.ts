import { toMessage, type Message } from '../../message';
import type { ProcessMemory } from '../../processMemory';
import { reasonOf } from '../../reasonOf';
import { serviceTimeMs } from '../../serviceTime';
import { historyPages, PAGE_SIZE } from '../../transport/historyPages';
import { pause, stopIfCancelled } from '../../transport/pause';
import type { Connection } from '../../transport/request';
import { earliestDateMs } from '../../transport/serviceClocks';
import { AcceptedMessages } from './acceptedMessages';
import { findHistoryRow } from './findHistoryRow';
import { readStatus } from './readStatus';

/** How far a message has to come before the workflow continues. */
export const WAIT_FOR = ['queued', 'sent', 'delivered'] as const;
export type WaitFor = (typeof WAIT_FOR)[number];

/** Pauses before each look; the last one repeats. */
const PAUSES_MS = [500, 1_000, 1_000, 2_000, 2_000, 5_000];

/** Rows in one page of a reading for few messages. */
const FEW_ROWS = 100;

/** Messages for which a page of few rows is enough, although other messages stand between them. */
const FEW_MESSAGES = 40;

/** Pages of a reading, beside those that the messages themselves fill. Rows without a date do not tell where to stop. */
const MOST_OTHER_PAGES = 10;

/** How much older than a message a row may seem that stands above it. */
const DATE_TOLERANCE_MS = 60_000;

/** What to wait for, and how long. */
type Following = { waitFor: WaitFor; atMostMs: number; itemIndex: number };

/** A message that is being followed. */
type Followed = {
	last: Message;
	waitFor: WaitFor;
	itemIndex: number;
	untilMs: number;
	end: (last: Message) => void;
	cancel: (reason: unknown) => void;
};

/**
 * The messages of one run that are waited for. However many there are, one look serves all of them: one reading of the
 * history, or the status of each where that costs fewer requests.
 *
 * ```ts
 * const last = await followed.follow(message, { waitFor: 'sent', atMostMs: 60_000, itemIndex });
 * ```
 *
 * A look that fails is repeated, as the service has accepted the messages: after an error, a person might send them again.
 */
export class FollowedMessages {
	private readonly followed = new Set<Followed>();

	private isLooking = false;

	/** How many pages the last reading of the history took; infinitely many where it broke off. */
	private pagesRead = 1;

	constructor(
		private readonly connection: Connection,
		private readonly memory: ProcessMemory,
	) {}

	/**
	 * Follows a message until it has come far enough, could not be sent, or the time is over.
	 *
	 * @returns the last that is known of the message
	 * @throws NodeOperationError only when the execution is cancelled
	 */
	async follow(message: Message, { waitFor, atMostMs, itemIndex }: Following): Promise<Message> {
		const untilMs = this.connection.clock.nowMs() + atMostMs;
		return await new Promise<Message>((end, cancel) => {
			this.followed.add({ last: message, waitFor, itemIndex, untilMs, end, cancel });
			if (!this.isLooking) void this.lookOn();
		});
	}

	private async lookOn(): Promise<void> {
		const { clock } = this.connection;
		this.isLooking = true;
		try {
			for (let looks = 0; ; looks += 1) {
				this.endThoseOver();
				if (this.followed.size === 0) break;
				const firstMs = Math.min(...this.each(({ untilMs }) => untilMs)) - clock.nowMs();
				await pause(this.connection, Math.min(PAUSES_MS[looks] ?? PAUSES_MS.at(-1)!, firstMs));
				await this.look();
			}
		} catch (thrown) {
			// Only a cancelled execution gets here, and it ends every wait.
			for (const { cancel } of this.followed) cancel(thrown);
			this.followed.clear();
		} finally {
			this.isLooking = false;
		}
	}

	/** Ends the waits whose message has come far enough, and those whose time is over. */
	private endThoseOver(): void {
		const nowMs = this.connection.clock.nowMs();
		for (const one of this.followed) {
			if (!hasComeSoFar(one.last, one.waitFor) && nowMs < one.untilMs) continue;
			this.followed.delete(one);
			one.end(one.last);
		}
	}

	private async look(): Promise<void> {
		const isDated = (one: Followed) => !Number.isNaN(this.earliestMs(one));
		const inHistory = [...this.followed].filter(isDated);
		const isReadingCheaper = inHistory.length > this.pagesRead;
		if (isReadingCheaper) await this.tryTo(async () => await this.readHistory(inHistory));
		else this.pagesRead = Math.min(this.pagesRead, inHistory.length);
		const alone = [...this.followed].filter((one) => !isReadingCheaper || !isDated(one));
		for (const one of alone) await this.readAlone(one);
	}

	/** Reads the history as far as the messages go back. Those that it does not show are asked for when their time is over. */
	private async readHistory(followed: Followed[]): Promise<void> {
		const { connection } = this;
		const missing = new Map(followed.map((one) => [one.last.message_handle, one]));
		const earliestMs = Math.min(...followed.map((one) => this.earliestMs(one)));
		const pageSize = followed.length > FEW_MESSAGES ? PAGE_SIZE : FEW_ROWS;
		let rowsRead = 0;
		let pagesRead = 0;
		// A reading that breaks off is followed by statuses, as far as they tell what is waited for.
		this.pagesRead = Number.POSITIVE_INFINITY;
		for await (const rows of historyPages(connection, { pageSize }, followed[0]?.itemIndex)) {
			pagesRead += 1;
			rowsRead += rows.length;
			const messages = rows.map(toMessage);
			for (const row of messages) {
				const one = missing.get(row.message_handle);
				if (!one) continue;
				// A row that lags behind does not take back what the status has said.
				const isBehind = row.status === 'QUEUED' && one.last.status !== 'QUEUED';
				one.last = isBehind ? { ...row, ...one.last } : { ...one.last, ...row };
				missing.delete(row.message_handle);
			}
			if (missing.size === 0) break;
			// Rows may stand out of order, so only a whole page of older ones ends the reading.
			if (messages.every((row) => serviceTimeMs(row.date_sent) < earliestMs)) break;
			const rowsInPage = rowsRead / pagesRead;
			if (pagesRead >= MOST_OTHER_PAGES + followed.length / rowsInPage) break;
		}
		this.pagesRead = pagesRead;
		const nowMs = connection.clock.nowMs();
		for (const one of missing.values()) if (nowMs >= one.untilMs) await this.readAlone(one);
	}

	/** Reads what is known now of one message. */
	private async readAlone(one: Followed): Promise<void> {
		await this.tryTo(async () => {
			one.last = { ...one.last, ...(await this.readProgress(one)) };
		});
	}

	/** The status never says DELIVERED (§4.4): once the message is sent, only the history does. */
	private async readProgress({ last, itemIndex }: Followed): Promise<Message | undefined> {
		const { message_handle: handle = '', status } = last;
		if (status === 'SENT') return await findHistoryRow(this.connection, last, itemIndex);
		const read = await readStatus(this.connection, handle, itemIndex);
		if (read.status !== 'ERROR' || read.error_message) return read;
		// The history may say why (§3.1), where the status does not.
		return { ...read, ...(await findHistoryRow(this.connection, { ...last, ...read }, itemIndex)) };
	}

	/** The oldest date that the message can have in the history; NaN where that is not known. */
	private earliestMs({ last }: Followed): number {
		const dateMs = serviceTimeMs(last.date_sent);
		if (!Number.isNaN(dateMs)) return dateMs - DATE_TOLERANCE_MS;
		const sinceMs = this.memory.part(AcceptedMessages).acceptedAtMs(last.message_handle ?? '');
		if (sinceMs === undefined) return Number.NaN;
		const { serviceClocks, settings, answerTimeoutMs } = this.connection;
		const serviceOffsetMs = serviceClocks.offsetMs(settings.accountId);
		return earliestDateMs({ sinceMs: sinceMs - answerTimeoutMs, serviceOffsetMs });
	}

	/** @throws NodeOperationError only when the execution is cancelled */
	private async tryTo(look: () => Promise<void>): Promise<void> {
		const { caller } = this.connection;
		try {
			await look();
		} catch (thrown) {
			stopIfCancelled(caller);
			caller.logger.warn(
				`${caller.getNode().name}: could not read how far a message has come: ${reasonOf(thrown)}`,
			);
		}
	}

	private each<Value>(read: (one: Followed) => Value): Value[] {
		return [...this.followed].map(read);
	}
}

/** Whether a message has come far enough. One that could not be sent comes no further. */
export function hasComeSoFar({ status }: Message, waitFor: WaitFor): boolean {
	const isFinal = status === 'ERROR' || status === 'DELIVERED';
	switch (waitFor) {
		case 'queued':
			return true;
		case 'sent':
			return isFinal || status === 'SENT';
		case 'delivered':
			return isFinal;
	}
}
