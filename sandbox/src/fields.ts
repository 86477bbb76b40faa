import type { Call } from './http';
import { BadRequest } from './refusals';

/** A JSON object whose fields have not been checked. */
export type Fields = Record<string, unknown>;

const E164 = /^\+[1-9]\d{1,14}$/;

/** Whether a text is a phone number in the form of §2.1. */
export const isE164 = (text: string): boolean => E164.test(text);

/** Reads the body as a JSON object; throws `BadRequest` when it is something else. */
export const readFields = async (c: Call): Promise<Fields> => {
	const text = await c.req.text();
	c.set('bodyText', text);
	return parseFields(text);
};

/** Reads the body of a call of which no field is needed: a missing body has none. Throws as `readFields` does. */
export const readFieldsIfAny = async (c: Call): Promise<Fields> => {
	const text = await c.req.text();
	return text === '' ? {} : parseFields(text);
};

const parseFields = (text: string): Fields => {
	let body: unknown;
	try {
		body = JSON.parse(text);
	} catch {
		throw new BadRequest('The body is not valid JSON.', null, 400);
	}
	if (typeof body !== 'object' || body === null || Array.isArray(body)) {
		throw new BadRequest('The body must be a JSON object.', null, 400);
	}
	return body as Fields;
};

/** The text in a field; null when the field is absent or null. */
export const textIn = (fields: Fields, name: string): string | null => {
	const value = fields[name] ?? null;
	if (value !== null && typeof value !== 'string') {
		throw new BadRequest(`The ${name} field must be a string.`, name);
	}
	return value;
};

/** The http or https URL in a field; null when the field is absent, null or empty. */
export const urlIn = (fields: Fields, name: string): string | null => {
	const value = textIn(fields, name);
	if (!value) return null;
	if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) {
		throw new BadRequest(`The ${name} field must be an http or https URL.`, name);
	}
	return value;
};

/**
 * Checks a phone number.
 * assumption: a number that is not E.164 is refused with 422 (§7 does not show it).
 */
export const e164 = (value: string | null, name: string): string => {
	if (!value) throw new BadRequest(`The ${name} field is required.`, name);
	if (!isE164(value)) {
		throw new BadRequest(
			`The ${name} field must be a phone number in international format with a leading +.`,
			name,
		);
	}
	return value;
};

/** The boolean in a field; undefined when the field is absent. */
export const booleanIn = (fields: Fields, name: string): boolean | undefined => {
	const value = fields[name];
	if (value !== undefined && typeof value !== 'boolean') {
		throw new BadRequest(`The ${name} field must be true or false.`, name);
	}
	return value;
};

/** The whole number in a field, from `least` to `most`; undefined when the field is absent. */
export const wholeNumberIn = (
	fields: Fields,
	name: string,
	least: number,
	most = Number.MAX_SAFE_INTEGER,
): number | undefined => {
	const value = fields[name];
	if (value === undefined) return undefined;
	if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least || value > most) {
		const range =
			most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
		throw new BadRequest(`The ${name} field must be a whole number ${range}.`, name);
	}
	return value;
};

/** The value in a field, which must be one of `values`; undefined when the field is absent. */
export const choiceIn = <Value extends string>(
	fields: Fields,
	name: string,
	values: readonly Value[],
): Value | undefined => {
	const value = fields[name];
	if (value === undefined) return undefined;
	const chosen = values.find((known) => known === value);
	if (chosen === undefined) {
		throw new BadRequest(`The ${name} field must be one of: ${values.join(', ')}.`, name);
	}
	return chosen;
};

/** Reads the page size from the query's `limit`: at least 1, at most `most`. */
export const readPageSize = (c: Call, usual: number, most: number): number => {
	const text = c.req.query('limit');
	if (text === undefined) return usual;
	if (!/^\d{1,9}$/.test(text) || Number(text) < 1) {
		throw new BadRequest('The limit must be a whole number of at least 1.', 'limit');
	}
	return Math.min(Number(text), most);
};
