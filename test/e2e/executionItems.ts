import type { IDataObject } from 'n8n-workflow';

type RunData = {
	resultData: {
		runData: Record<
			string,
			Array<{ data?: { main?: Array<Array<{ json: IDataObject }> | null> } }>
		>;
	};
};

/**
 * The items that a node of a run handed on by one of its outputs, out of what n8n keeps of the run.
 *
 * n8n keeps a list in which every text stands once: a text inside an object or a list is the number of
 * its place.
 */
export const itemsOf = (executionData: string, nodeName: string, output = 0): IDataObject[] => {
	const places = JSON.parse(executionData) as unknown[];
	const read = (value: unknown): unknown => {
		if (typeof value === 'string') return at(Number(value));
		if (Array.isArray(value)) return value.map(read);
		if (typeof value !== 'object' || value === null) return value;
		return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, read(inner)]));
	};
	const at = (place: number): unknown => {
		const value = places[place];
		return typeof value === 'string' ? value : read(value);
	};
	// Only this part: the whole may hold itself.
	const { resultData } = places[0] as { resultData: string };
	const { runData } = places[Number(resultData)] as { runData: string };
	const ofNode = (places[Number(runData)] as Record<string, string>)[nodeName];
	if (ofNode === undefined) return [];
	const runs = at(Number(ofNode)) as RunData['resultData']['runData'][string];
	return runs.flatMap(({ data }) => data?.main?.[output] ?? []).map(({ json }) => json);
};
