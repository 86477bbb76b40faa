/** What kind of thing has changed. */
export type Change = {
	type:
		| 'message'
		| 'refusal'
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

type Listener<Told> = (told: Told) => void;

/** Changes that come so shortly after the first one are told with it. */
const FIRST_MS = 20;
/** Between two times at which gathered changes are told. */
const BETWEEN_MS = 333;

/** Tells listeners that something has changed. It does not keep changes for later listeners. */
export class Changes {
	#listeners = new Set<Listener<Change>>();
	#gatheringListeners = new Set<Listener<Array<Change['type']>>>();
	#gathered = new Set<Change['type']>();
	#timer: NodeJS.Timeout | null = null;
	#toldMs = -Infinity;

	/** Tells every listener. */
	publish(change: Change): void {
		for (const listener of this.#listeners) listener(change);
		if (this.#gatheringListeners.size > 0) this.#gather(change);
	}

	/** Calls `listener` for every change, until the returned function is called. */
	subscribe(listener: Listener<Change>): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	/**
	 * Calls `listener` a few times a second, however many changes there are, with the kinds of what has changed since the
	 * last time; until the returned function is called.
	 */
	subscribeGathered(listener: Listener<Array<Change['type']>>): () => void {
		this.#gatheringListeners.add(listener);
		return () => this.#gatheringListeners.delete(listener);
	}

	#gather({ type }: Change): void {
		this.#gathered.add(type);
		if (this.#timer) return;
		const waitMs = Math.max(FIRST_MS, this.#toldMs + BETWEEN_MS - performance.now());
		this.#timer = setTimeout(() => this.#tell(), waitMs);
		this.#timer.unref();
	}

	#tell(): void {
		const types = [...this.#gathered];
		this.#gathered.clear();
		this.#timer = null;
		this.#toldMs = performance.now();
		for (const listener of this.#gatheringListeners) listener(types);
	}
}
