import { setTimeout as pause } from 'node:timers/promises';
import type { Station } from './station';

/** What became of the events that there were. */
export type Reckoning = {
	/** Events that had exactly one effect. */
	once: number;
	/** Names of events that had more than one. */
	twice: string[];
	/**
	 * Names of events that had none, and that n8n has in an execution which it calls crashed: the event had begun,
	 * and n8n was cut off before the next step.
	 */
	cutOff: string[];
	/** Names of events that had none, and that n8n knows nothing of. */
	lost: string[];
	/** Names of effects that belong to no event. */
	unknown: string[];
};

/** As the trigger's items name the event. */
const keyOf = (name: string) => name.replace(' ', ':');

/** Longer than a check waits for an event that may still come by webhook, and the next check after it. */
const QUIET_MS = 45_000;

const LOOK_EVERY_MS = 250;

/**
 * Waits until every event has had an effect, or until nothing has happened for longer than any check needs, and
 * tells what became of each.
 *
 * @param events their names, as `Effects.counts` gives them
 */
export const reckon = async (
	{ effects, n8n }: Station,
	workflowId: string,
	events: string[],
	withinMs = 180_000,
): Promise<Reckoning> => {
	const giveUpAt = Date.now() + withinMs;
	let seen = -1;
	let quietSince = Date.now();
	for (;;) {
		const counts = effects.counts();
		if (events.every((name) => counts.has(name)) || Date.now() > giveUpAt) break;
		if (effects.all.length !== seen) quietSince = Date.now();
		seen = effects.all.length;
		if (Date.now() - quietSince > QUIET_MS) break;
		await pause(LOOK_EVERY_MS);
	}
	const counts = effects.counts();
	const without = events.filter((name) => !counts.has(name));
	const crashed: string[] = [];
	if (without.length > 0) {
		for (const { id } of await n8n.crashedExecutions(workflowId)) {
			crashed.push(await n8n.executionData(id));
		}
	}
	const cutOff = without.filter((name) => crashed.some((data) => data.includes(keyOf(name))));
	const known = new Set(events);
	return {
		once: events.filter((name) => counts.get(name) === 1).length,
		twice: [...counts].filter(([, count]) => count > 1).map(([name]) => name),
		cutOff,
		lost: without.filter((name) => !cutOff.includes(name)),
		unknown: [...counts.keys()].filter((name) => !known.has(name)),
	};
};
