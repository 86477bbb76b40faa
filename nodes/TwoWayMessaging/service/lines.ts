import { PATHS, type Line } from '../contract';
import { handleText, truth, type Fields } from '../message';
import { textValue } from '../parameterValues';
import { comparableNumber } from '../phoneNumber';
import { findRows } from './answers';
import { toNodeError } from './errors';
import { askUntilReadable, isSuccess } from './ask';
import type { Connection, Run } from './request';

/** A line as the service shows it: the fields of §2.3, of which only `line_handle` is certain. */
export type LineFields = Fields & Pick<Line, 'line_handle'> & Partial<Line>;

/**
 * Reads every line of the organization (§4.3). A handle is a text and `is_active` a truth value, in whatever form they came.
 *
 * @throws NodeApiError
 */
export async function readLines(connection: Connection): Promise<LineFields[]> {
	const outcome = await askUntilReadable(connection, { method: 'GET', path: PATHS.lines });
	const isLine = (fields: Fields) => handleText(fields.line_handle) !== undefined;
	const lines = isSuccess(outcome) ? findRows(outcome.body, isLine) : undefined;
	if (!lines) throw toNodeError(connection, outcome);
	const numbers = lines.map(({ number }) => comparableNumber(textValue(number)));
	connection.account.lineNumbers = new Set(numbers.filter(Boolean));
	return lines.map((line) => {
		const isActive = truth(line.is_active);
		return {
			...line,
			line_handle: handleText(line.line_handle)!,
			...(isActive !== undefined && { is_active: isActive }),
		};
	});
}

/**
 * The lines, as a run of the node knows them: read once.
 *
 * @throws NodeApiError
 */
export async function linesOf(run: Run): Promise<LineFields[]> {
	return await run.once('lines', async () => await readLines(run));
}

/** The lines as a run of the node knows them; none where they cannot be read. */
export async function knownLines(run: Run): Promise<LineFields[]> {
	return await linesOf(run).catch(() => []);
}
