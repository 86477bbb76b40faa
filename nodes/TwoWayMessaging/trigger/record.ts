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

/** A group is written when nobody has joined it for so long: each write reads and writes the whole list. */
const QUIET_MS = 40;

/** So many times at most a group waits for others. */
const MOST_WAITS = 25;

/**
 * The durable list of events that have begun, written by one execution at a time: n8n's table reads a row,
 * changes it and writes it back, and of two at once one is lost. Those who come meanwhile form the next group.
 */
export class Recorder {
	private waiting: Waiter[] = [];

	private isWriting = false;

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
			await this.gather();
			const group = this.waiting;
			this.waiting = [];
			await writeGroup(group);
		}
		this.isWriting = false;
	}

	private async gather(): Promise<void> {
		for (let waits = 0; waits < MOST_WAITS; waits += 1) {
			const before = this.waiting.length;
			await sleep(QUIET_MS);
			if (this.waiting.length === before) return;
		}
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
