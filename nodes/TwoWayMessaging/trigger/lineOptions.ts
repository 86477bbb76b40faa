import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { readLines } from '../transport/lines';
import { connect } from '../transport/request';

/**
 * The lines to filter by. A value holds the handle and the number, since one form of events names only the
 * number (§6.3) and there is no time to ask when an event comes.
 */
export async function lineOptions(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const lines = await readLines(await connect(this));
	return lines.map((line) => ({
		name: [line.label, line.number].filter(Boolean).join(' · ') || line.line_handle,
		value: [line.line_handle, line.number].filter(Boolean).join(' '),
	}));
}
