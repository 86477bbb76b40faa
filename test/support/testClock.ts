import type { Clock } from '../../nodes/TwoWayMessaging/clock';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';

/** A clock that tells the time that a test gives it, and on which every wait takes about no time. */
export class TestClock implements Clock {
	/** @param nowMs gives the Unix time in ms; the machine's own unless given */
	constructor(readonly nowMs: () => number = () => Date.now()) {}

	async sleep(_durationMs?: number): Promise<void> {
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
