import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import type { LineLimit } from '../contract';
import type { ProcessMemory } from '../processMemory';
import { readLines, type LineFields } from '../transport/readLines';
import { connect } from '../transport/request';

/**
 * The lines to pick from: label, number, state, and how many new conversations each line may still start (§8.2).
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
	const { hourly, daily } = line.limits ?? {};
	const left = [...describeLimit(hourly, 'this hour'), ...describeLimit(daily, 'today')];
	return left.length > 0 ? `new: ${left.join(', ')}` : undefined;
}

/** In few words, as the list cuts off what is longer than about sixty letters. */
function describeLimit(limit: LineLimit | undefined, span: string): string[] {
	return typeof limit?.remaining === 'number' ? [`${limit.remaining} ${span}`] : [];
}
