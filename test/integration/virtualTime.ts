import type { Clock } from '../../nodes/TwoWayMessaging/clock';
import { turns } from '../support/turns';

/** A shorter wait is over at once. */
const MOMENT_MS = 100;

/** A clock that stands still until a test lets time pass. */
export class VirtualTime implements Clock {
	constructor(private ms: number) {}

	nowMs(): number {
		return this.ms;
	}

	async sleep(durationMs: number): Promise<void> {
		if (durationMs < MOMENT_MS) return await turns(1);
		const untilMs = this.ms + durationMs;
		while (this.ms < untilMs) await turns(1);
	}

	/** Lets time pass, and whoever sleeps go on. */
	async pass(durationMs: number): Promise<void> {
		this.ms += durationMs;
		await turns();
	}
}
