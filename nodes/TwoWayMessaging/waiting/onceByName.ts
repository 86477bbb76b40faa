/** Names that are remembered: far more than the triggers of a process receive texts at one time. */
const MOST_NAMES = 1_000;

/**
 * Does something once for each name, and lets everybody who asks for the same name have its result:
 *
 * ```ts
 * await once.run('m1', async () => await passOn(text)); // whether that worked
 * await once.run('m1', async () => await passOn(text)); // the same, without passing it on again
 * ```
 *
 * What did not work is forgotten, and may be tried again.
 */
export class OnceByName {
	private readonly results = new Map<string, Promise<boolean>>();

	/** Whether the work for this name is under way, or is done. */
	has(name: string): boolean {
		return this.results.has(name);
	}

	/**
	 * @returns whether it worked, now or before
	 * @throws what `work` throws
	 */
	async run(name: string, work: () => Promise<boolean>): Promise<boolean> {
		const known = this.results.get(name);
		if (known) {
			// An execution that is stopped at its work must not take another one along.
			const isDone = await known.catch(() => undefined);
			return isDone ?? (await this.run(name, work));
		}
		const result = work();
		this.results.set(name, result);
		const [oldest] = this.results.keys();
		if (this.results.size > MOST_NAMES && oldest !== undefined) this.results.delete(oldest);
		let isDone = false;
		try {
			return (isDone = await result);
		} finally {
			if (!isDone && this.results.get(name) === result) this.results.delete(name);
		}
	}
}
