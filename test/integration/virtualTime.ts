import type { Clock } from '../../nodes/TwoWayMessaging/clock';
import { turns } from '../support/turns';

/** A shorter wait is over at once. */
const MOMENT_MS = 100;

/** A clock that shows the time of a world, and on which a wait is over once a test has let as much time pass. */
export class VirtualTime implements Clock {
	constructor(private readonly world: { nowMs: number }) {}

	nowMs(): number {
		return this.world.nowMs;
	}

	async sleep(durationMs: number): Promise<void> {
		const untilMs = this.nowMs() + durationMs;
		do await turns(1);
		while (durationMs >= MOMENT_MS && this.nowMs() < untilMs);
	}
}
