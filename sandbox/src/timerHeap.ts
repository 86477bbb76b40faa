/** A timer. The one that is due first comes first; of two that are due at once, the one that was set first. */
export type Timer = {
	dueMs: number;
	readonly order: number;
	/** Whether a request has set it while time was being advanced. */
	readonly isFromOutside: boolean;
	/** Null when it is cancelled. */
	run: (() => void) | null;
};

const isEarlier = (a: Timer, b: Timer) =>
	a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order);

/** Timers by the time at which they are due. Adding and taking one costs the logarithm of their number. */
export class TimerHeap {
	#heap: Timer[] = [];
	#count = 0;

	/** The timer that is due first. */
	get first(): Timer | undefined {
		return this.#heap[0];
	}

	/** Adds a timer. */
	add(dueMs: number, isFromOutside: boolean, run: () => void): Timer {
		const timer: Timer = { dueMs, order: this.#count++, isFromOutside, run };
		this.#push(timer);
		return timer;
	}

	/** Takes the first timer out if it is due by `nowMs`. */
	take(nowMs: number): Timer | undefined {
		const { first } = this;
		if (!first || first.dueMs > nowMs) return undefined;
		this.#pop();
		return first;
	}

	/** Lets what was set from outside be due at `timeMs` at the earliest. */
	postponeFromOutside(timeMs: number): void {
		const timers = this.#heap;
		if (!timers.some(({ isFromOutside, dueMs }) => isFromOutside && dueMs < timeMs)) return;
		this.#heap = [];
		for (const timer of timers) {
			if (timer.isFromOutside) timer.dueMs = Math.max(timer.dueMs, timeMs);
			this.#push(timer);
		}
	}

	/** Removes every timer. */
	clear(): void {
		this.#heap = [];
	}

	#push(timer: Timer): void {
		const heap = this.#heap;
		let at = heap.length;
		while (at > 0) {
			const parent = (at - 1) >> 1;
			if (!isEarlier(timer, heap[parent]!)) break;
			heap[at] = heap[parent]!;
			at = parent;
		}
		heap[at] = timer;
	}

	#pop(): void {
		const heap = this.#heap;
		const last = heap.pop();
		if (!last || heap.length === 0) return;
		let at = 0;
		for (;;) {
			let child = 2 * at + 1;
			if (child >= heap.length) break;
			if (child + 1 < heap.length && isEarlier(heap[child + 1]!, heap[child]!)) child++;
			if (!isEarlier(heap[child]!, last)) break;
			heap[at] = heap[child]!;
			at = child;
		}
		heap[at] = last;
	}
}
