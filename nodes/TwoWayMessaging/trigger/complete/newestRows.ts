import type { Clock } from '../../clock';
import { toMessage, type Message } from '../../message';
import { historyPages } from '../../transport/historyPages';
import type { Connection } from '../../transport/request';

/** How long one reading of the history keeps the next one waiting. */
const BETWEEN_READINGS_MS = 1_000;

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
	 * @returns nothing where the limit of all requests (§8.1) is needed for other requests
	 * @throws NodeApiError when the history cannot be read
	 */
	async read(connect: () => Promise<Connection>): Promise<Map<string, Message>> {
		this.waiting += 1;
		this.nextReading ??= this.begin(connect);
		return await this.nextReading;
	}

	private async begin(connect: () => Promise<Connection>): Promise<Map<string, Message>> {
		await this.lastReading;
		// A clock that is set back would make the pause as long as that.
		const sinceMs = Math.max(0, this.clock.nowMs() - this.lastBeganAtMs);
		if (sinceMs < BETWEEN_READINGS_MS) await this.clock.sleep(BETWEEN_READINGS_MS - sinceMs);
		const pageSize = Math.min(Math.max(this.waiting * ROWS_FOR_EACH, FEWEST_ROWS), MOST_ROWS);
		this.waiting = 0;
		this.nextReading = undefined;
		this.lastBeganAtMs = this.clock.nowMs();
		const reading = this.readPage(connect, pageSize);
		this.lastReading = reading.catch(() => undefined);
		return await reading;
	}

	private async readPage(
		connect: () => Promise<Connection>,
		pageSize: number,
	): Promise<Map<string, Message>> {
		const connection = await connect();
		const found = new Map<string, Message>();
		if (!connection.lanes.hasToSpare(connection.settings.accountId, this.clock.nowMs()))
			return found;
		for await (const rows of historyPages(connection, { pageSize, mostPages: 1 })) {
			for (const message of rows.map(toMessage)) {
				if (message.message_handle) found.set(message.message_handle, message);
			}
		}
		return found;
	}
}
