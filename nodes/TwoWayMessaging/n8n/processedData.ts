import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * Adds names to the list that n8n keeps for the node in its table of processed data, the newest `maxEntries` of them.
 * n8n reads the node's row, changes it and writes it back without a lock, so that of two at once one is lost: the
 * caller has to let one write at a time. Should n8n lose the function, events begin all the same, and may begin again
 * after a restart; a message that is sent only once is then not sent at all.
 *
 * @returns the names that were not in the list
 */
export async function addProcessedNames(
	execution: IExecuteFunctions,
	names: string[],
	maxEntries: number,
): Promise<string[]> {
	const options = { mode: 'entries', maxEntries } as const;
	const result = await execution.helpers.checkProcessedAndRecord(names, 'node', options);
	return result.new.map(String);
}

/** Removes names from the same list; here, too, one write at a time. */
export async function removeProcessedNames(
	execution: IExecuteFunctions,
	names: string[],
): Promise<void> {
	await execution.helpers.removeProcessed(names, 'node', { mode: 'entries' });
}
