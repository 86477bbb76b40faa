import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import type { ProcessMemory } from '../processMemory';
import { readLines, type LineFields } from '../transport/readLines';
import { connect } from '../transport/request';

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
	return {
		results: lines
			.map((line) => ({ name: describeLine(line), value: line.line_handle }))
			.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted)),
	};
}

function describeLine(line: LineFields): string {
	const parts = [line.label, line.number].filter(Boolean);
	if (parts.length === 0) parts.push(line.line_handle);
	const state = describeState(line);
	if (state !== undefined) parts.push(state);
	return parts.join(' · ');
}

function describeState(line: LineFields): string | undefined {
	if (line.is_active === false) return 'inactive';
	if (line.blocked_at) return `blocked${line.block_reason ? `: ${line.block_reason}` : ''}`;
	return undefined;
}
