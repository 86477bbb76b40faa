import { setTimeout as pause } from 'node:timers/promises';
import type { N8nRest } from '../../playground/rest';
import type { Effects } from './effects';

/** What became of the messages that there were. */
export type Reckoning = {
	/** Messages about which exactly one thing was done. */
	once: number;
	/** Messages about which more was done, and how much. */
	moreThanOnce: Array<[handle: string, times: number]>;
	/**
	 * Messages about which nothing was done, and that n8n has in an execution which it says did not end well:
	 * the event had begun, and its worker was gone before the next step.
	 */
	cutOff: string[];
	/** Messages about which nothing was done, and of which n8n knows nothing more. */
	lost: string[];
};

/** Longer than a check waits for an event that may still come by webhook, and the next check after it. */
const QUIET_MS = 50_000;

const LOOK_EVERY_MS = 250;

/** Waits until something was done about every message, or nothing happens any more, and tells what became of each. */
export const reckon = async (
	effects: Effects,
	n8n: N8nRest,
	workflowId: string,
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
	const broken =
		without.length > 0
			? await Promise.all(
					(await n8n.brokenExecutions(workflowId)).map(
						async ({ id }) => await n8n.executionData(id),
					),
				)
			: [];
	const cutOff = without.filter((handle) => broken.some((data) => data.includes(handle)));
	return {
		once: handles.filter((handle) => counts.get(handle) === 1).length,
		moreThanOnce: [...counts].filter(([, times]) => times > 1),
		cutOff,
		lost: without.filter((handle) => !cutOff.includes(handle)),
	};
};
