/** A timer. The one that is due first comes first; of two that are due at once, the one that was set first. */
type Timer = { dueMs: number; order: number; run: (() => void) | null };

const isEarlier = (a: Timer, b: Timer) =>
	a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order);

/** The longest wait of Node's own timers (2^31 - 1 ms). A longer wait is split into several. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/**
 * The sandbox's clock. Everything that waits or needs the time uses it, so that tests can let twelve hours pass at
 * once (DESIGN.md §9). A running clock follows the machine's clock; a stopped one moves only when it is advanced.
 */
export class Clock {
	#heap: Timer[] = [];
	#offsetMs = 0;
	#order = 0;
	#wakeUp: NodeJS.Timeout | null = null;
	#wakeUpMs = Infinity;
	#advancing: Promise<void> = Promise.resolve();

	private constructor(
		private readonly source: () => number,
		private readonly runs: boolean,
	) {}

	/** A clock that follows the machine's clock. */
	static running(): Clock {
		return new Clock(Date.now, true);
	}

	/** A clock that stands at `startMs` (Unix milliseconds) until it is advanced. */
	static stopped(startMs: number): Clock {
		return new Clock(() => startMs, false);
	}

	/** Sandbox time in Unix milliseconds. */
	now(): number {
		return this.source() + this.#offsetMs;
	}

	/**
	 * The time of those who receive events, in Unix milliseconds. A receiver checks a signature with its own clock
	 * (§6.4), which does not move when a running clock is advanced.
	 */
	receiverNow(): number {
		return this.runs ? this.source() : this.now();
	}

	/** Calls `run` after `delayMs` of sandbox time; returns a function that cancels it. */
	after(delayMs: number, run: () => void): () => void {
		const timer: Timer = { dueMs: this.now() + delayMs, order: this.#order++, run };
		this.#push(timer);
		this.#wake();
		return () => {
			timer.run = null;
		};
	}

	/**
	 * Moves the clock forward by `ms` and runs the timers that become due on the way, in order and at their own time.
	 * After each of them it waits for `settled`, so that what has started (a delivery, say) can end and set its next timer.
	 */
	advance(ms: number, settled: () => Promise<void> = async () => {}): Promise<void> {
		const turn = this.#advancing.then(async () => await this.#advanceNow(ms, settled));
		this.#advancing = turn.catch(() => {});
		return turn;
	}

	/** Removes every timer and undoes every advance. */
	reset(): void {
		this.#heap = [];
		this.#offsetMs = 0;
		this.stop();
	}

	/** Stops following the machine's clock, until a timer is set again. */
	stop(): void {
		if (this.#wakeUp) clearTimeout(this.#wakeUp);
		this.#wakeUp = null;
		this.#wakeUpMs = Infinity;
	}

	async #advanceNow(ms: number, settled: () => Promise<void>): Promise<void> {
		const targetMs = this.now() + ms;
		await settled();
		for (;;) {
			const next = this.#heap[0];
			if (!next || next.dueMs > targetMs) break;
			this.#moveTo(next.dueMs);
			this.#runDue();
			await settled();
		}
		this.#moveTo(targetMs);
		this.#wake();
	}

	#moveTo(timeMs: number): void {
		this.#offsetMs += Math.max(0, timeMs - this.now());
	}

	#runDue(): void {
		const nowMs = this.now();
		for (let first = this.#heap[0]; first && first.dueMs <= nowMs; first = this.#heap[0]) {
			this.#pop();
			first.run?.();
		}
	}

	#wake(): void {
		const first = this.#heap[0];
		if (!this.runs || !first || first.dueMs >= this.#wakeUpMs) return;
		this.stop();
		this.#wakeUpMs = first.dueMs;
		const waitMs = Math.min(Math.max(0, first.dueMs - this.now()), LONGEST_WAIT_MS);
		this.#wakeUp = setTimeout(() => {
			this.stop();
			try {
				this.#runDue();
			} finally {
				this.#wake();
			}
		}, waitMs);
		this.#wakeUp.unref();
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
