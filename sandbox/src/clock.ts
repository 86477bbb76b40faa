/** Sandbox time ends with the last year that every program can read; then it stands still. */
export const END_OF_TIME_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * The sandbox's clock: it tells the time, and a world's timeline moves it forward. A running clock follows
 * the machine's clock; a stopped one moves only when it is advanced.
 */
export class Clock {
	#offsetMs = 0;

	private constructor(
		private readonly source: () => number,
		/** Whether it follows the machine's clock. */
		readonly runs: boolean,
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
		return Math.min(END_OF_TIME_MS, this.source() + this.#offsetMs);
	}

	/**
	 * The time of those who receive events, in Unix milliseconds. A receiver checks a signature with its own clock
	 * (§6.4), which does not move when a running clock is advanced.
	 */
	receiverNow(): number {
		return this.runs ? this.source() : this.now();
	}

	/** Moves forward to a time; one that is over changes nothing. */
	moveTo(timeMs: number): void {
		this.#offsetMs += Math.max(0, timeMs - this.now());
	}

	/** Undoes every move. */
	reset(): void {
		this.#offsetMs = 0;
	}
}
