import type { Clock } from '../../nodes/TwoWayMessaging/clock';

/** A clock whose time passes at once: whenever everything sleeps, it is set to the moment at which the next one wakes up. */
export class SimulatedTime implements Clock {
	private ms = 0;

	private readonly sleepers: Array<{ atMs: number; wake: () => void }> = [];

	nowMs(): number {
		return this.ms;
	}

	async sleep(durationMs: number): Promise<void> {
		await new Promise<void>((wake) => {
			this.sleepers.push({ atMs: this.ms + durationMs, wake });
		});
	}

	/** Lets time pass until the work has ended. */
	async run<Result>(work: Promise<Result>): Promise<Result> {
		let isDone = false;
		const done = work.finally(() => (isDone = true));
		while (!isDone) {
			await new Promise<void>((resolve) => setImmediate(resolve));
			const next = this.sleepers.reduce<number>(
				(first, { atMs }, at) => (atMs < (this.sleepers[first]?.atMs ?? Infinity) ? at : first),
				-1,
			);
			const [sleeper] = next === -1 ? [] : this.sleepers.splice(next, 1);
			if (!sleeper) continue;
			this.ms = Math.max(this.ms, sleeper.atMs);
			sleeper.wake();
		}
		return await done;
	}
}
