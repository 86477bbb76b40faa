import type { IDataObject } from 'n8n-workflow';
import type { Execution, N8nRest } from '../../../playground/rest';
import { waitUntil } from '../waitUntil';

/** The runs of each node by its name. Each run has the items of each output. */
type RunData = Record<
	string,
	Array<{ data?: { main?: Array<Array<{ json: IDataObject }> | null> } }>
>;

/**
 * The items that a node of an execution has put out at its first output.
 *
 * @param stored the execution as n8n stores it
 */
export const itemsOf = (stored: string, nodeName: string): IDataObject[] => {
	const runs = readRunData(stored)[nodeName] ?? [];
	return runs.flatMap(({ data }) => data?.main?.[0] ?? []).map(({ json }) => json);
};

/**
 * The items that each node of an execution has put out in its last run, at all of its outputs.
 *
 * @param stored the execution as n8n stores it
 */
export const outputsOf = (stored: string): Record<string, IDataObject[]> =>
	Object.fromEntries(
		Object.entries(readRunData(stored)).map(([name, runs]) => [
			name,
			(runs.at(-1)?.data?.main ?? []).flatMap((items) => (items ?? []).map(({ json }) => json)),
		]),
	);

const readRunData = (stored: string): RunData =>
	(unflatten(stored) as { resultData: { runData: RunData } }).resultData.runData;

/**
 * Reads a value that n8n has stored as a list. Inside an object or a list of it, a text is the index of the value
 * that belongs there: `[{"a":"1"},"b"]` is `{"a":"b"}`.
 */
const unflatten = (stored: string): unknown => {
	const list = JSON.parse(stored) as unknown[];
	const read = new Map<number, unknown>();
	const valueAt = (index: number): unknown => {
		if (read.has(index)) return read.get(index);
		const value = list[index];
		if (typeof value !== 'object' || value === null) return value;
		const whole: Record<string, unknown> | unknown[] = Array.isArray(value) ? [] : {};
		// Kept before its content is read, because a value may contain itself.
		read.set(index, whole);
		for (const [key, inner] of Object.entries(value)) {
			(whole as Record<string, unknown>)[key] =
				typeof inner === 'string' ? valueAt(Number(inner)) : inner;
		}
		return whole;
	};
	return valueAt(0);
};

/** Waits until a workflow has so many executions and none of them is under way any more; returns them, newest first. */
export const endedExecutions = async (
	n8n: N8nRest,
	workflowId: string,
	least = 0,
	withinMs?: number,
): Promise<Execution[]> => {
	const look = async () => {
		const all = await n8n.executions(workflowId);
		const areOver = all.every(({ status }) => !['new', 'running', 'waiting'].includes(status));
		return areOver && all.length >= least ? all : undefined;
	};
	return await waitUntil(`the end of ${least} executions of ${workflowId}`, look, withinMs);
};
