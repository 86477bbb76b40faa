import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';
import type { ProcessMemory } from '../processMemory';
import { readLines, type LineFields } from '../service/lines';
import { connect } from '../service/request';

/**
 * The lines to pick from: label, number, and what keeps a line from sending now. n8n keeps the name of the line that a person
 * picks for good, so that it names no count (§8.2), which would be wrong an hour later.
 *
 * @param filter what a person has typed; it may stand in the label, the number or the ID
 * @throws NodeApiError, which the list shows
 */
export async function searchLines(
	context: ILoadOptionsFunctions,
	memory: ProcessMemory,
	filter?: string,
): Promise<INodeListSearchResult> {
	const lines = await readLines(await connect(context, memory));
	const wanted = filter?.trim().toLowerCase() ?? '';
	const results = lines.map((line) => ({
		name: [nameOf(line), stateOf(line)].filter(Boolean).join(' · '),
		value: line.line_handle,
	}));
	return {
		results: results.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted)),
	};
}

/** The first entry of the list where any active line may send (§2.1). */
export const ANY_LINE = 'Any active line';

/**
 * The lines to send from, behind the entry for any of them.
 *
 * @throws NodeApiError, which the list shows
 */
export async function searchLinesToSend(
	context: ILoadOptionsFunctions,
	memory: ProcessMemory,
	filter?: string,
): Promise<INodeListSearchResult> {
	const { results } = await searchLines(context, memory, filter);
	return { results: filter ? results : [{ name: ANY_LINE, value: '' }, ...results] };
}

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
		name: nameOf(line),
		value: [line.line_handle, line.number].filter(Boolean).join(' '),
	}));
}

const nameOf = (line: LineFields): string =>
	[line.label, line.number].filter(Boolean).join(' · ') || line.line_handle;

function stateOf(line: LineFields): string | undefined {
	if (line.is_active === false) return 'inactive';
	if (!line.blocked_at) return undefined;
	return `blocked${line.block_reason ? `: ${line.block_reason}` : ''}`;
}
