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
	else parts.push(...left(line.limits?.hourly, 'hour'), ...left(line.limits?.daily, 'day'));
	return parts.join(' · ');
}

function left(limit: LineLimit | undefined, span: string): string[] {
	if (typeof limit?.remaining !== 'number') return [];
	return [`${limit.remaining} of ${limit.limit} new this ${span}`];
}
