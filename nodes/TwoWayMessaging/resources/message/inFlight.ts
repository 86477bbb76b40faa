/**
 * What is under way at the moment, by key:
 *
 * ```ts
 * const end = inFlight.begin(key); // the request goes out
 * end(); // its answer has come, or was lost
 * ```
 */
export class InFlight {
	private readonly underWay = new Map<string, Set<Promise<void>>>();

	/** @returns what to call when this has ended and what there is to know of it is remembered */
	begin(key: string): () => void {
		let end = () => {};
		const ended = new Promise<void>((resolve) => {
			end = resolve;
		});
		const others = this.underWay.get(key) ?? new Set();
		this.underWay.set(key, others.add(ended));
		return () => {
			others.delete(ended);
			if (others.size === 0 && this.underWay.get(key) === others) this.underWay.delete(key);
			end();
		};
	}

	/** Resolves when all have ended that are under way now; undefined when there are none. */
	ended(key: string): Promise<void> | undefined {
		const underWay = this.underWay.get(key);
		return underWay && Promise.all(underWay).then(() => undefined);
	}
}
