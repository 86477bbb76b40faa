import type { Clock } from '../../clock';
import { readLines, type LineFields } from '../../transport/readLines';
import type { Connection } from '../../transport/request';

/** How long the lines are taken to have the same numbers. */
const KNOWN_FOR_MS = 10 * 60_000;

/** The lines of the organization, read at most once in ten minutes. */
export class KnownLines {
	private lines: Promise<LineFields[]> | undefined;

	private readAtMs = 0;

	constructor(private readonly clock: Clock) {}

	/**
	 * @param connect called only when the lines have to be read
	 * @throws NodeApiError when they cannot be read
	 */
	async read(connect: () => Promise<Connection>): Promise<LineFields[]> {
		if (!this.lines || this.clock.nowMs() - this.readAtMs > KNOWN_FOR_MS) {
			this.readAtMs = this.clock.nowMs();
			this.lines = connect().then(async (connection) => await readLines(connection));
			// What could not be read is tried again by the next one.
			this.lines.catch(() => {
				this.lines = undefined;
			});
		}
		return await this.lines;
	}
}
