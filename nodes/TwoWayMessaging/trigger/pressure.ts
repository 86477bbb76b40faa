import type { Clock } from '../clock';

/** As many executions that have not begun are pressure: n8n makes requests wait for them. */
const MANY_STARTING = 2;

/** A process that is busy for this long at a time keeps everything waiting. */
const BUSY_DELAY_MS = 20;

/** Requests that have come within this time of each other come together. */
const MOMENT_MS = 150;

/** How long a measurement of the delay takes in a process that is idle. */
const MEASURED_MS = 1;

/** How hard requests press on this process of n8n, which answers them and runs executions with one processor. */
export class Pressure {
	private lastRequestAtMs = Number.NEGATIVE_INFINITY;

	private requests = 0;

	/** By how much the last pause took longer than it should: so long does everything wait for its turn. */
	private lastDelayMs = 0;

	private measuringSinceMs?: number;

	private measuring?: Promise<void>;

	constructor(private readonly clock: Clock) {}

	/** Says that a request has come. */
	markRequest(): void {
		this.lastRequestAtMs = this.clock.nowMs();
		this.requests += 1;
	}

	/**
	 * Whether the execution of an event should start later, so that answers come first. It takes a millisecond to find
	 * out: the first request of a burst looks like any other.
	 *
	 * @param starting how many executions have been handed over and have not begun
	 */
	async isHigh(starting: number): Promise<boolean> {
		if (starting >= MANY_STARTING) return true;
		const { requests } = this;
		await this.measure();
		return this.requests > requests || this.delayMs() >= BUSY_DELAY_MS;
	}

	/** Whether requests are waiting for their answers, as far as the last moments tell. */
	areAnswersDue(): boolean {
		const sinceRequestMs = this.clock.nowMs() - this.lastRequestAtMs;
		if (sinceRequestMs >= MOMENT_MS) return false;
		void this.measure();
		return this.delayMs() >= BUSY_DELAY_MS;
	}

	private delayMs(): number {
		const since = this.measuringSinceMs;
		const presentMs = since === undefined ? 0 : this.clock.nowMs() - since - MEASURED_MS;
		return Math.max(this.lastDelayMs, presentMs);
	}

	/** Measures how long everything waits, unless somebody does so already. */
	private async measure(): Promise<void> {
		this.measuring ??= this.pause().finally(() => (this.measuring = undefined));
		await this.measuring;
	}

	private async pause(): Promise<void> {
		const sinceMs = this.clock.nowMs();
		this.measuringSinceMs = sinceMs;
		await this.clock.sleep(MEASURED_MS);
		this.lastDelayMs = this.clock.nowMs() - sinceMs - MEASURED_MS;
		this.measuringSinceMs = undefined;
	}
}
