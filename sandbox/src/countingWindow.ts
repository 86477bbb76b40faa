/**
 * Counts how often something happens within a window of time.
 * assumption: a window has a fixed length and starts with the first thing counted in it (§8.1 and §8.2 name the
 * limits, and not when a minute, an hour or a day starts).
 */
export class CountingWindow {
	#startedMs = -Infinity;
	#used = 0;

	constructor(
		public limit: number,
		private readonly lengthMs: number,
	) {}

	/** How many more the limit allows at `nowMs`. */
	remaining(nowMs: number): number {
		return Math.max(0, this.limit - (this.#isOver(nowMs) ? 0 : this.#used));
	}

	/** Counts one more at `nowMs`. The caller checks `remaining` first. */
	take(nowMs: number): void {
		if (this.#isOver(nowMs)) {
			this.#startedMs = nowMs;
			this.#used = 0;
		}
		this.#used++;
	}

	/** Milliseconds from `nowMs` until the window ends; 0 when none is open. */
	msUntilReset(nowMs: number): number {
		return this.#isOver(nowMs) ? 0 : this.#startedMs + this.lengthMs - nowMs;
	}

	#isOver(nowMs: number): boolean {
		return nowMs >= this.#startedMs + this.lengthMs;
	}
}
