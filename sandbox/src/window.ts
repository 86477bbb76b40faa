/**
 * Counts how often something happened within a window of time.
 * assumption: windows are fixed and begin with the first thing counted in them (§8.1 and §8.2 name the caps,
 * not how the minute, the hour and the day are cut).
 */
export class CountingWindow {
	#startedMs = -Infinity;
	#used = 0;

	constructor(
		public limit: number,
		private readonly lengthMs: number,
	) {}

	/** How many more fit at `nowMs`. */
	remaining(nowMs: number): number {
		return Math.max(0, this.limit - (this.#isOver(nowMs) ? 0 : this.#used));
	}

	/** Counts one at `nowMs`; look at `remaining` first. */
	take(nowMs: number): void {
		if (this.#isOver(nowMs)) {
			this.#startedMs = nowMs;
			this.#used = 0;
		}
		this.#used++;
	}

	/** Milliseconds until the window of `nowMs` ends; 0 when none is open. */
	msUntilReset(nowMs: number): number {
		return this.#isOver(nowMs) ? 0 : this.#startedMs + this.lengthMs - nowMs;
	}

	#isOver(nowMs: number): boolean {
		return nowMs >= this.#startedMs + this.lengthMs;
	}
}
