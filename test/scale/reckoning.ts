import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../playground/queue/postgres';
import { begunAmong } from './begun';
import type { Effects } from './effects';

/** What became of the messages that there were. */
export type Reckoning = {
	/** Messages about which exactly one thing was done. */
	once: number;
	/** Messages about which more was done, and how much. */
	moreThanOnce: Array<[handle: string, times: number]>;
	/** Messages that have begun and about which nothing was done: their worker was gone before the next step. */
	cutOff: string[];
	/** Messages that have not even begun. */
	lost: string[];
};

/** Longer than a check waits for an event that may still come by webhook, and the next check after it. */
const QUIET_MS = 50_000;

const LOOK_EVERY_MS = 250;

/** Waits until something was done about every message, or nothing happens any more, and tells what became of each. */
export const reckon = async (
	effects: Effects,
	database: Database,
	handles: string[],
): Promise<Reckoning> => {
	let seen = -1;
	let quietSince = Date.now();
	while (Date.now() - quietSince < QUIET_MS) {
		if (effects.all.length !== seen) quietSince = Date.now();
		seen = effects.all.length;
		const counts = effects.counts();
		if (handles.every((handle) => counts.has(handle))) break;
		await pause(LOOK_EVERY_MS);
	}
	const counts = effects.counts();
	const without = handles.filter((handle) => !counts.has(handle));
	const begun = await begunAmong(database, without);
	return {
		once: handles.filter((handle) => counts.get(handle) === 1).length,
		moreThanOnce: [...counts].filter(([, times]) => times > 1),
		cutOff: without.filter((handle) => begun.has(handle)),
		lost: without.filter((handle) => !begun.has(handle)),
	};
};
