import type { Clock } from '../../clock';
import type { Message } from '../../message';
import { withinDeadline } from '../../service/pause';
import { readNewest } from '../../service/history';
import type { Connection } from '../../service/request';

/** How often the history is read at most while less than half of the limit of all requests is left (§8.1). */
const BETWEEN_READINGS_MS = 1_000;

/** After this time a reading keeps the next one no longer waiting: nobody waits for its rows. */
const HANGS_AFTER_MS = 3_000;

/** Rows in the page that is read: the history also holds our own messages. */
const ROWS_FOR_EACH = 4;
const FEWEST_ROWS = 40;
const MOST_ROWS = 500;

/** The newest messages of the history, by handle. One reading serves all that wait for one. */
export class NewestRows {
	private waiting = 0;

	private lastReading: Promise<unknown> = Promise.resolve();

	private lastBeganAtMs = Number.NEGATIVE_INFINITY;

	/** The reading that has not begun, which may therefore still be joined. */
	private nextReading: Promise<Map<string, Message>> | undefined;

	constructor(private readonly clock: Clock) {}

	/**
	 * Reads the newest rows after now. What came after a reading had begun may be missing in it, so it waits for the next.
	 *
	 * @param connect called by the one of all who wait that reads
	 * @throws NodeApiError when the history cannot be read
	 */
	async read(connect: () => Promise<Connection>): Promise<Map<string, Message>> {
		this.waiting += 1;
		this.nextReading ??= this.begin(connect);
		return await this.nextReading;
	}

	private async begin(connect: () => Promise<Connection>): Promise<Map<string, Message>> {
		await withinDeadline(HANGS_AFTER_MS, this.lastReading).catch(() => undefined);
		const reading = this.readPage(connect);
		this.lastReading = reading.catch(() => undefined);
		return await reading;
	}

	private async readPage(connect: () => Promise<Connection>): Promise<Map<string, Message>> {
		let connection: Connection | undefined;
		let pageSize = FEWEST_ROWS;
		try {
			connection = await connect();
			await this.leaveRoom(connection);
		} finally {
			pageSize = Math.min(Math.max(this.waiting * ROWS_FOR_EACH, FEWEST_ROWS), MOST_ROWS);
			this.waiting = 0;
			this.nextReading = undefined;
			this.lastBeganAtMs = this.clock.nowMs();
		}
		return await readNewest(connection, pageSize);
	}

	private async leaveRoom({ account }: Connection): Promise<void> {
		if (account.limits.hasToSpare(this.clock.nowMs())) return;
		// A clock that is set back would make the pause as long as that.
		const sinceMs = Math.max(0, this.clock.nowMs() - this.lastBeganAtMs);
		if (sinceMs < BETWEEN_READINGS_MS) await this.clock.sleep(BETWEEN_READINGS_MS - sinceMs);
	}
}
