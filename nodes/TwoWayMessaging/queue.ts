/** Lets work with the same key go one after the other, in the order in which it came. */
export class Queue {
	private readonly ends = new Map<string, Promise<unknown>>();

	async inTurn<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
		const mine = this.ends.get(key)?.then(work) ?? work();
		const end = Promise.allSettled([mine]).then(() => {
			if (this.ends.get(key) === end) this.ends.delete(key);
		});
		this.ends.set(key, end);
		return await mine;
	}
}

/** Does work in rounds, one after the other. Who comes while a round is under way, or waits for its turn, shares the next one. */
export class Rounds<Result> {
	private last: Promise<unknown> = Promise.resolve();

	/** The round that has not begun, which may therefore still be joined. */
	private next?: Promise<Result>;

	/**
	 * @param prepare what comes before the round, which may be joined meanwhile
	 * @throws what `work` or `prepare` throws
	 */
	async join(work: () => Promise<Result>, prepare?: () => Promise<void>): Promise<Result> {
		return await (this.next ??= this.begin(work, prepare));
	}

	private async begin(work: () => Promise<Result>, prepare?: () => Promise<void>): Promise<Result> {
		try {
			await this.last;
			await prepare?.();
		} finally {
			this.next = undefined;
		}
		const round = work();
		this.last = Promise.allSettled([round]);
		return await round;
	}
}
