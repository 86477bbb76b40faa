import { setTimeout as pause } from 'node:timers/promises';
import type { Effects } from './effects';

/** What has become of a list of events, by their names. */
export type Reckoning = {
	once: number;
	/** The events that have had several effects, and how many. */
	moreThanOnce: Array<[event: string, times: number]>;
	/** The events without an effect whose execution had begun: n8n was killed before the next node ran. */
	cutOff: string[];
	/** The events without an effect whose execution had not begun. */
	lost: string[];
	unknown: string[];
};

/** The reckoning when every event has had exactly one effect, without their number. */
export const EXACTLY_ONCE: Omit<Reckoning, 'once'> = {
	moreThanOnce: [],
	cutOff: [],
	lost: [],
	unknown: [],
};

/** Longer than a check waits for an event that may still come by webhook, plus the minute until the next check. */
const QUIET_MS = 105_000;

/** Where executions that n8n has cut off are all that is missing, nothing else is waited for after this time. */
const CUT_OFF_QUIET_MS = 20_000;

const LOOK_EVERY_MS = 250;

/**
 * Waits until every event has had an effect or was cut off, or nothing has happened for longer than any check needs; returns
 * what has become of each event.
 *
 * @param events their names, as in `Effects.counts`
 * @param findBegun finds those events whose execution has begun
 */
export const reckon = async (
	effects: Effects,
	events: string[],
	findBegun: (events: string[]) => Promise<Set<string>>,
	quietMs = QUIET_MS,
): Promise<Reckoning> => {
	const findWithout = () => {
		const counts = effects.counts();
		return events.filter((event) => !counts.has(event));
	};
	let [seen, quietSince, nextLookMs] = [-1, Date.now(), CUT_OFF_QUIET_MS];
	while (findWithout().length > 0 && Date.now() - quietSince <= quietMs) {
		if (effects.all.length !== seen) {
			[seen, quietSince, nextLookMs] = [effects.all.length, Date.now(), CUT_OFF_QUIET_MS];
		}
		if (Date.now() - quietSince > nextLookMs) {
			const left = findWithout();
			if ((await findBegun(left)).size === left.length) break;
			nextLookMs *= 2;
		}
		await pause(LOOK_EVERY_MS);
	}
	const counts = effects.counts();
	const without = findWithout();
	const begun = without.length > 0 ? await findBegun(without) : new Set();
	const known = new Set(events);
	return {
		once: events.filter((event) => counts.get(event) === 1).length,
		moreThanOnce: [...counts].filter(([, times]) => times > 1),
		cutOff: without.filter((event) => begun.has(event)),
		lost: without.filter((event) => !begun.has(event)),
		unknown: [...counts.keys()].filter((event) => !known.has(event)),
	};
};
