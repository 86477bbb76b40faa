import type { Clock } from '../clock';
import { PATHS, type Line } from '../contract';
import { handleText, truth, type Fields } from '../message';
import { textValue } from '../parameterValues';
import { comparableNumber } from '../phoneNumber';
import { findRows } from './answers';
import { notUnderstood, readJson } from './readJson';
import { stopIfCancelled } from './pause';
import type { Connection } from './request';
import type { Run } from './run';

/** A line as the service shows it: the fields of §2.3, of which only `line_handle` is certain. */
export type LineFields = Fields & Pick<Line, 'line_handle'> & Partial<Line>;

/**
 * Reads every line of the organization (§4.3). A handle is a text and `is_active` a truth value, in whatever form they came.
 *
 * @throws NodeApiError with the item's number
 */
export async function readLines(connection: Connection, itemIndex?: number): Promise<LineFields[]> {
	const body = await readJson(connection, { path: PATHS.lines }, itemIndex);
	const lines = findRows(body, ({ line_handle: handle }) => handleText(handle) !== undefined);
	if (!lines) throw notUnderstood(connection, body, itemIndex);
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

/** The lines, read again only where what is known of them is too old. One reading serves all who wait for it. */
export class KnownLines {
	private reading?: Promise<LineFields[]>;

	private readAtMs = 0;

	constructor(private readonly clock: Clock) {}

	/**
	 * @param sinceMs from when on a reading counts
	 * @throws NodeApiError when they cannot be read; whoever comes next tries again
	 */
	async read(read: () => Promise<LineFields[]>, sinceMs: number): Promise<LineFields[]> {
		if (!this.reading || this.readAtMs < sinceMs) {
			this.readAtMs = this.clock.nowMs();
			const reading = (this.reading = read());
			reading.catch(() => (this.reading = undefined));
		}
		return await this.reading;
	}
}

/**
 * The lines, as a run of the node knows them: read once, unless a reading has to be from a certain time on.
 *
 * @throws NodeApiError with the item's number
 */
export async function linesOf(run: Run, itemIndex: number, sinceMs = 0): Promise<LineFields[]> {
	const known = await run.once('lines', async () => new KnownLines(run.clock));
	const connection = await run.connection();
	return await known.read(async () => await readLines(connection, itemIndex), sinceMs);
}

/**
 * The lines that the items of a list are compared with before the first message leaves.
 *
 * @returns undefined for a single item, and where the lines cannot be read: the service refuses a line itself, too, one
 * message at a time
 */
export async function linesOfList(run: Run, itemIndex: number): Promise<LineFields[] | undefined> {
	if (run.context.getInputData().length < 2) return undefined;
	return await run.once('listed lines', async () => {
		return await linesOf(run, itemIndex).catch(() => {
			stopIfCancelled(run.context);
			return undefined;
		});
	});
}
