type RunData = Record<
	string,
	Array<{ data?: { main: Array<Array<{ json: Record<string, unknown> }> | null> } }>
>;

/**
 * What each node of a run put out, by its name: the fields of its items.
 *
 * @param kept the run as n8n keeps it
 */
export function outputsOf(kept: string): Record<string, Array<Record<string, unknown>>> {
	const { resultData } = unflattened(kept) as { resultData: { runData: RunData } };
	return Object.fromEntries(
		Object.entries(resultData.runData).map(([name, runs]) => [
			name,
			(runs.at(-1)?.data?.main ?? []).flatMap((items) => (items ?? []).map(({ json }) => json)),
		]),
	);
}

/** A value that n8n wrote as a list, in which every text inside of another value is a place in the list. */
function unflattened(text: string): unknown {
	const list = JSON.parse(text) as unknown[];
	const made = new Map<number, unknown>();
	const at = (place: number): unknown => {
		if (made.has(place)) return made.get(place);
		const value = list[place];
		if (typeof value !== 'object' || value === null) return value;
		const whole: Record<string, unknown> | unknown[] = Array.isArray(value) ? [] : {};
		made.set(place, whole);
		for (const [key, inner] of Object.entries(value)) {
			(whole as Record<string, unknown>)[key] =
				typeof inner === 'string' ? at(Number(inner)) : inner;
		}
		return whole;
	};
	return at(0);
}
