/** What changed, for pages that look on: an event's name and its data. */
export type Change = {
	type:
		'message' | 'line' | 'contact' | 'endpoint' | 'call' | 'delivery' | 'fault' | 'reset' | 'clock';
};

/** Tells those who look on that something changed; nothing is kept for those who do not. */
export class Changes {
	#listeners = new Set<(change: Change) => void>();

	/** Tells every listener. */
	publish(change: Change): void {
		for (const listener of this.#listeners) listener(change);
	}

	/** Calls `listener` for every change until the function it gives is called. */
	subscribe(listener: (change: Change) => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}
}
