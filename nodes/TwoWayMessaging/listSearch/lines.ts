import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import type { LineLimit } from '../contract';
import { readLines, type LineFields } from '../transport/lines';
import { connect } from '../transport/request';

/**
 * The line picker: label, number, state, and how many new conversations each line may still start (§8.2).
 *
 * @param filter text a person typed; matches label, number and handle
 * @throws NodeApiError, which the picker shows
 */
export async function searchLines(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const lines = await readLines(await connect(this));
	const wanted = filter?.trim().toLowerCase() ?? '';
	return {
		results: lines
			.map((line) => ({ name: describe(line), value: line.line_handle }))
			.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted)),
	};
}

function describe(line: LineFields): string {
	const parts = [line.label, line.number].filter(Boolean);
	if (parts.length === 0) parts.push(line.line_handle);
	if (line.is_active === false) parts.push('inactive');
	else if (line.blocked_at)
		parts.push(`blocked${line.block_reason ? `: ${line.block_reason}` : ''}`);
	else {
		const { hourly, daily } = line.limits ?? {};
		const left = [...remaining(hourly, 'this hour'), ...remaining(daily, 'today')];
		if (left.length > 0) parts.push(`new: ${left.join(', ')}`);
	}
	return parts.join(' · ');
}

/** In few words: the picker cuts off what is longer than about sixty letters. */
function remaining(limit: LineLimit | undefined, span: string): string[] {
	return typeof limit?.remaining === 'number' ? [`${limit.remaining} ${span}`] : [];
}
