import type { BoundedLog } from '../boundedLog';
import { readPageSize } from '../fields';
import type { Call } from '../http';
import { BadRequest } from '../refusals';

const USUAL_ENTRIES = 50;

/** Reads the page of a log that the query's `limit` and `before` ask for, newest entry first. */
export const readLogPage = <Entry extends { readonly id: string }>(
	c: Call,
	log: BoundedLog<Entry>,
	mostEntries: number,
): Entry[] => {
	const limit = readPageSize(c, USUAL_ENTRIES, mostEntries);
	const id = c.req.query('before');
	const before = id ? log.get(id) : undefined;
	if (id && !before) throw new BadRequest('The before cursor is not known here.', 'before');
	return log.latest(limit, before);
};
