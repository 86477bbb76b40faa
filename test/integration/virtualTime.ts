import type { Clock } from '../../nodes/TwoWayMessaging/clock';

const turn = async () => await new Promise<void>((resolve) => setImmediate(resolve));

/** A shorter wait is over at once. */
const MOMENT_MS = 100;

/** A clock that stands still until a test lets time pass. */
export class VirtualTime implements Clock {
	private asleep = 0;

	private readonly running = new Set<Promise<unknown>>();

	constructor(private ms: number) {}

	nowMs(): number {
		return this.ms;
	}

	async sleep(durationMs: number): Promise<void> {
		if (durationMs < MOMENT_MS) return await turn();
		const untilMs = this.ms + durationMs;
		this.asleep += 1;
		while (this.ms < untilMs) await turn();
		this.asleep -= 1;
	}

	/** Watches over something that may sleep. */
	watch<Result>(work: Promise<Result>): Promise<Result> {
		const watched = work.finally(() => this.running.delete(watched));
		this.running.add(watched);
		return watched;
	}

	/** Lets time pass, and everything watched go on until it has ended or sleeps for longer. */
	async pass(durationMs: number): Promise<void> {
		this.ms += durationMs;
		await this.settle();
	}

	/** Resolves when everything watched has ended or sleeps. */
	async settle(): Promise<void> {
		// What wakes up is not asleep any more one turn later.
		await turn();
		await turn();
		while (this.running.size > this.asleep) await turn();
	}
}
