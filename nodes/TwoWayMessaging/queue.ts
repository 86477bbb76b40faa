/**
 * Lets work with the same key go one after the other, in the order in which it came:
 *
 * ```ts
 * await queue.inTurn(key, async () => await work());
 * ```
 */
export class Queue {
	private readonly ends = new Map<string, Promise<unknown>>();

	/**
	 * @param untilTurn waits for what came before; where it throws, this turn is given up, and those behind it keep theirs
	 * @throws what `work` throws
	 */
	async inTurn<Result>(
		key: string,
		work: () => Promise<Result>,
		untilTurn = async (before: Promise<unknown>): Promise<void> => void (await before),
	): Promise<Result> {
		const before = this.ends.get(key);
		const mine = before ? untilTurn(before).then(work) : work();
		const end = Promise.allSettled([before, mine]).then(() => {
			if (this.ends.get(key) === end) this.ends.delete(key);
		});
		this.ends.set(key, end);
		return await mine;
	}
}
