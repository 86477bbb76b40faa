import { setTimeout as pause } from 'node:timers/promises';
import type { N8nRest } from '../../../playground/rest';
import { Trouble } from '../../../playground/trouble';
import { until } from '../until';
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

/** What n8n keeps of the runs it calls crashed; asked for again while n8n has too much to do to tell. */
const crashedData = async (n8n: N8nRest, workflowId: string): Promise<string[]> =>
	await until('the list of crashed executions', async () => {
		try {
			const crashed: string[] = [];
			for (const { id } of await n8n.crashedExecutions(workflowId)) {
				crashed.push(await n8n.executionData(id));
			}
			return crashed;
		} catch (error) {
			if (error instanceof Trouble) return undefined;
			throw error;
		}
	});

/**
 * Waits until every event has had an effect, or until nothing has happened for longer than any check needs, and
 * tells what became of each.
 *
 * @param events their names, as `Effects.counts` gives them
 * @param quietMs how long nothing may happen
 */
export const reckon = async (
	{ effects, n8n }: Station,
	workflowId: string,
	events: string[],
	quietMs = QUIET_MS,
): Promise<Reckoning> => {
	let seen = -1;
	let quietSince = Date.now();
	for (;;) {
		const counts = effects.counts();
		if (events.every((name) => counts.has(name))) break;
		if (effects.all.length !== seen) quietSince = Date.now();
		seen = effects.all.length;
		if (Date.now() - quietSince > quietMs) break;
		await pause(LOOK_EVERY_MS);
	}
	const counts = effects.counts();
	const without = events.filter((name) => !counts.has(name));
	const crashed = without.length > 0 ? await crashedData(n8n, workflowId) : [];
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
