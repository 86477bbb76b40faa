import { stopIfCancelled } from '../../nodes/TwoWayMessaging/transport/pause';
import type { Caller } from '../../nodes/TwoWayMessaging/transport/request';

const turn = async () => await new Promise<void>((resolve) => setImmediate(resolve));

/** The time in which nodes wait, which passes only when a test lets it. */
export class VirtualTime {
	private paused = 0;

	private readonly running = new Set<Promise<unknown>>();

	constructor(public nowMs: number) {}

	/** Takes the place of the nodes' own pause. */
	async pause(caller: Caller, durationMs: number): Promise<void> {
		const untilMs = this.nowMs + durationMs;
		this.paused += 1;
		try {
			for (;;) {
				stopIfCancelled(caller);
				if (this.nowMs >= untilMs) return;
				await turn();
			}
		} finally {
			this.paused -= 1;
		}
	}

	/** Watches over something that may pause. */
	watch<Result>(work: Promise<Result>): Promise<Result> {
		const watched = work.finally(() => this.running.delete(watched));
		this.running.add(watched);
		return watched;
	}

	/** Lets time pass, and everything watched go on until it has ended or pauses for longer. */
	async pass(durationMs: number): Promise<void> {
		this.nowMs += durationMs;
		await this.settle();
	}

	/** Resolves when everything watched has ended or pauses. */
	async settle(): Promise<void> {
		// What a pause lets go is not paused any more one turn later.
		await turn();
		await turn();
		while (this.running.size > this.paused) await turn();
	}
}
