import { sleep } from 'n8n-workflow';

/**
 * Puts keys into n8n's table of processed data.
 *
 * @returns those that were not in it
 */
export type Write = (keys: string[]) => Promise<string[]>;

type Waiter = {
	keys: string[];
	write: Write;
	resolve: (first: Set<string>) => void;
	reject: (reason: unknown) => void;
};

/** So long the first of a group waits for others, at least: a group costs about what one costs. */
const GATHER_MS = 20;

/** So long a group waits after the one before: each write reads and writes everything that is recorded. */
const SPACING_MS = 200;

/**
 * The durable list of events that have begun, written by one execution at a time: n8n's table reads a row,
 * changes it and writes it back, and of two at once one is lost. Those who come meanwhile form the next group.
 */
export class Recorder {
	private waiting: Waiter[] = [];

	private isWriting = false;

	private wroteAtMs = 0;

	/**
	 * Records that events begin.
	 *
	 * @returns those of the keys that had not begun before, each given to one caller only
	 * @throws what `write` throws
	 */
	async record(keys: string[], write: Write): Promise<Set<string>> {
		return await new Promise((resolve, reject) => {
			this.waiting.push({ keys, write, resolve, reject });
			if (!this.isWriting) void this.writeGroups();
		});
	}

	private async writeGroups(): Promise<void> {
		this.isWriting = true;
		while (this.waiting.length > 0) {
			// A clock that is set back must not make anybody wait for hours.
			const sinceMs = Math.max(0, Date.now() - this.wroteAtMs);
			await sleep(Math.max(GATHER_MS, SPACING_MS - sinceMs));
			const group = this.waiting;
			this.waiting = [];
			await writeGroup(group);
			this.wroteAtMs = Date.now();
		}
		this.isWriting = false;
	}
}

async function writeGroup(group: Waiter[]): Promise<void> {
	try {
		const keys = [...new Set(group.flatMap((waiter) => waiter.keys))];
		// Any of the group may write: the table belongs to the node, not to the execution.
		const fresh = new Set(await group[0]?.write(keys));
		for (const waiter of group) {
			const first = new Set(waiter.keys.filter((key) => fresh.delete(key)));
			waiter.resolve(first);
		}
	} catch (thrown) {
		for (const waiter of group) waiter.reject(thrown);
	}
}
