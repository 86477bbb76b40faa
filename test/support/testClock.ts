import type { Clock } from '../../nodes/TwoWayMessaging/clock';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { turns } from './turns';

/** A clock that tells the time that a test gives it, and on which every wait takes about no time. */
export class TestClock implements Clock {
	/** @param nowMs gives the Unix time in ms; the machine's own unless given */
	constructor(readonly nowMs: () => number = () => Date.now()) {}

	async sleep(_durationMs?: number): Promise<void> {
		await new Promise<void>((resolve) => setImmediate(resolve));
	}
}

/** A clock on which a wait is over at once and has taken its time. No other time passes but what a test adds to `ms`. */
export class SkippingClock implements Clock {
	/** @param ms Unix time in ms */
	constructor(public ms = 0) {}

	nowMs(): number {
		return this.ms;
	}

	async sleep(durationMs: number): Promise<void> {
		this.ms += durationMs;
		await new Promise<void>((resolve) => setImmediate(resolve));
	}
}

/**
 * What a node remembers, for tests that do not wait for its pauses.
 *
 * @param answerTimeoutMs how long the service may take to answer; the nodes' own time unless given
 */
export const fastMemory = (answerTimeoutMs?: number): ProcessMemory =>
	new ProcessMemory(new TestClock(), answerTimeoutMs);

/**
 * The machine's time, in which a wait is over as soon as everything has gone on that needs no time: the first that waits goes
 * on first, and what goes along (the service's time) has passed as much.
 */
export class SkippedTime implements Clock {
	private skippedMs = 0;

	private readonly sleepers: Array<{ wakeMs: number; wake: () => void }> = [];

	/**
	 * @param goAlong lets so many ms pass elsewhere
	 * @param machineMs the machine's time, unless given
	 */
	constructor(
		private readonly goAlong: (ms: number) => unknown = () => {},
		private readonly machineMs = () => Date.now(),
	) {}

	nowMs(): number {
		return this.machineMs() + this.skippedMs;
	}

	async sleep(durationMs: number): Promise<void> {
		await new Promise<void>((wake) => {
			this.sleepers.push({ wakeMs: this.nowMs() + durationMs, wake });
			if (this.sleepers.length === 1) void this.pass();
		});
	}

	/** Lets time pass until nobody waits. */
	private async pass(): Promise<void> {
		while (this.sleepers.length > 0) {
			await turns();
			const [next] = this.sleepers.sort((one, other) => one.wakeMs - other.wakeMs);
			const leftMs = next!.wakeMs - this.nowMs();
			if (leftMs > 0) {
				this.skippedMs += leftMs;
				void this.goAlong(leftMs);
			}
			next!.wake();
			this.sleepers.shift();
		}
	}
}
