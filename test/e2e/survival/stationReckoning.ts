import type { N8nRest } from '../../../playground/rest';
import { Trouble } from '../../../playground/trouble';
import { reckon, type Reckoning } from '../../support/playground/reckoning';
import { waitUntil } from '../../support/waitUntil';
import type { Station } from './station';

/** The event's key in the trigger's items. */
const eventKey = (name: string) => name.replace(' ', ':');

/** Reads what n8n has stored of crashed executions; tries again while n8n is too busy to answer. */
const readCrashedData = async (n8n: N8nRest, workflowId: string): Promise<string[]> =>
	await waitUntil('the list of crashed executions', async () => {
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
 * Waits until every event has had an effect, or nothing happens any more; returns what has become of each event. An
 * event's execution had begun if n8n has stored the event in an execution that it calls crashed.
 *
 * @param events their names, as in `Effects.counts`
 */
export const reckonAt = async (
	{ effects, n8n }: Station,
	workflowId: string,
	events: string[],
	quietMs?: number,
): Promise<Reckoning> => {
	const findBegun = async (without: string[]) => {
		const crashed = await readCrashedData(n8n, workflowId);
		return new Set(without.filter((name) => crashed.some((data) => data.includes(eventKey(name)))));
	};
	return await reckon(effects, events, findBegun, quietMs);
};
