import { PATHS, type Line } from '../contract';
import { isFields, type Fields } from '../message';
import { notUnderstood, readJson } from './readJson';
import type { Connection } from './request';

/** A line as the service shows it: the fields of §2.3, of which only `line_handle` is certain. */
export type LineFields = Fields & Pick<Line, 'line_handle'> & Partial<Line>;

/**
 * Reads every line of the organization (§4.3).
 *
 * @throws NodeApiError with the item's number
 */
export async function readLines(connection: Connection, itemIndex?: number): Promise<LineFields[]> {
	const body = await readJson(connection, { path: PATHS.lines }, itemIndex);
	const lines = isFields(body) ? body.lines : undefined;
	if (!Array.isArray(lines)) throw notUnderstood(connection, body, itemIndex);
	return lines.filter(
		(line): line is LineFields => isFields(line) && typeof line.line_handle === 'string',
	);
}
