import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { readLines } from '../transport/lines';
import type { ProcessMemory } from '../processMemory';
import { connect } from '../transport/request';

/**
 * The lines to filter by. A value holds the handle and the number, since one form of events names only the
 * number (§6.3) and there is no time to ask when an event comes.
 */
export async function loadLineOptions(
	caller: ILoadOptionsFunctions,
	memory: ProcessMemory,
): Promise<INodePropertyOptions[]> {
	const lines = await readLines(await connect(caller, memory));
	return lines.map((line) => ({
		name: [line.label, line.number].filter(Boolean).join(' · ') || line.line_handle,
		value: [line.line_handle, line.number].filter(Boolean).join(' '),
	}));
}
