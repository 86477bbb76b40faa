import type { Clock } from '../../nodes/TwoWayMessaging/clock';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';

/** A clock that tells the real time, and on which every pause takes about no time. */
export const fastClock: Clock = {
	nowMs: () => Date.now(),
	sleep: async () => await new Promise<void>((resolve) => setImmediate(resolve)),
};

/** What a node remembers, for tests that do not wait for its pauses. */
export const fastMemory = (): ProcessMemory => new ProcessMemory(fastClock, 100);
