import type { Clock } from '../../nodes/TwoWayMessaging/clock';

/** A clock that tells the time that a test gives it, and on which every wait takes a thousandth of its time. */
export class TestClock implements Clock {
	/** @param nowMs gives the Unix time in ms; the machine's own unless given */
	constructor(readonly nowMs: () => number = () => Date.now()) {}

	async sleep(durationMs: number): Promise<void> {
		await new Promise((resolve) => setTimeout(resolve, durationMs / 1_000));
	}
}
