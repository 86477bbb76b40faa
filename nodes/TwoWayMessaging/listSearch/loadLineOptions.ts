import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import type { ProcessMemory } from '../processMemory';
import { readLines } from '../transport/readLines';
import { connect } from '../transport/request';

/**
 * The lines to filter events by. A value contains the line's ID and its number: one form of events names only the number
 * (§6.3), and there is no time to ask the service when an event comes.
 *
 * @throws NodeApiError, which the list shows
 */
export async function loadLineOptions(
	context: ILoadOptionsFunctions,
	memory: ProcessMemory,
): Promise<INodePropertyOptions[]> {
	const lines = await readLines(await connect(context, memory));
	return lines.map((line) => ({
		name: [line.label, line.number].filter(Boolean).join(' · ') || line.line_handle,
		value: [line.line_handle, line.number].filter(Boolean).join(' '),
	}));
}
