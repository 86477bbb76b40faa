import { handleText, isFields, statusIn, truth, type Fields } from '../message';

/** Tells a record by the fields that the document names (§2). */
type RecordTest = (fields: Fields) => boolean;

/** So many names at most stand above what was asked for: `{ "data": { "messages": { "items": [...] } } }`. */
const DEEPEST = 3;

/** A message (§2.2), in whatever envelope. */
export const isMessage: RecordTest = (fields) => handleText(fields.message_handle) !== undefined;

/** Whether a record says how far a message has come (§3.1); an `ok` of the answer itself does not. */
export const hasStatus: RecordTest = (fields) => statusIn(fields) !== undefined;

/** The objects and lists of an answer, the outer ones first. What stands in a list is no envelope. */
function partsOf(answer: unknown): unknown[] {
	const parts: unknown[] = [];
	let level = [answer];
	for (let depth = 0; depth <= DEEPEST; depth += 1) {
		parts.push(...level);
		level = level.flatMap((part) => (isFields(part) ? Object.values(part) : []));
	}
	return parts;
}

/** The values in an answer whose names match, not within lists, such as its rows. */
export function saidAs(answer: unknown, name: RegExp): unknown[] {
	const said: unknown[] = [];
	for (const part of partsOf(answer).filter(isFields)) {
		for (const key in part) if (name.test(key)) said.push(part[key]);
	}
	return said;
}

/**
 * The one record that an answer is about, under whatever names: the document does not show most bodies (§4).
 *
 * ```ts
 * findRecord({ status: 'ok', result: { item: { status: 'SENT' } } }, hasStatus); // { status: 'SENT' }
 * ```
 *
 * @param tests what tells the record; of several, the first that any record passes
 */
export function findRecord(answer: unknown, ...tests: RecordTest[]): Fields | undefined {
	for (const test of tests) {
		for (const part of partsOf(answer)) {
			const record: unknown = Array.isArray(part) && part.length === 1 ? part[0] : part;
			if (isFields(record) && test(record)) return record;
		}
	}
	return undefined;
}

/** The fields of the message that an answer is about. */
export const findMessage = (answer: unknown): Fields | undefined => findRecord(answer, isMessage);

/**
 * The rows that an answer lists, under whatever names.
 *
 * @returns undefined where it lists none, and is not an empty list either, such as `{ "messages": null }`: rows that cannot be
 * read are not no rows
 */
export function findRows(answer: unknown, isRow: RecordTest): Fields[] | undefined {
	const parts = partsOf(answer);
	const lists = parts.filter(Array.isArray);
	for (const list of lists) {
		const rows = list.filter((one): one is Fields => isFields(one) && isRow(one));
		if (rows.length > 0) return rows;
	}
	const isTrouble = saidAs(answer, /^(success|ok)$/i).some((value) => truth(value) === false);
	const isEmpty = lists.some((list) => list.length === 0);
	const saysNothing = parts.every(
		(part) => isFields(part) || !part || part === true || typeof part === 'number',
	);
	return !isTrouble && (isEmpty || saysNothing) ? [] : undefined;
}
