/** What kind of thing has changed. */
export type Change = {
	type:
		| 'message'
		| 'line'
		| 'contact'
		| 'endpoint'
		| 'call'
		| 'delivery'
		| 'fault'
		| 'reset'
		| 'clock'
		| 'character';
};

/** Tells listeners that something has changed. It does not keep changes for later listeners. */
export class Changes {
	#listeners = new Set<(change: Change) => void>();

	/** Tells every listener. */
	publish(change: Change): void {
		for (const listener of this.#listeners) listener(change);
	}

	/** Calls `listener` for every change, until the returned function is called. */
	subscribe(listener: (change: Change) => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}
}
