import type { INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

/** What people and address books put between digits: spaces, dots, dashes, brackets, invisible marks. */
const DECORATION =
	/[\s.()[\]/\u00ad\u2010-\u2015\u2212\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff-]/g;

/** International format (§2.1): a plus, a country code, at most 15 digits in all. */
const E164 = /^\+[1-9]\d{6,14}$/;

/**
 * The number as the service takes it.
 *
 * @returns undefined when it is no international number
 */
export function toE164(typed: string): string | undefined {
	// "+44 (0)20 …" shows a digit that is dialled only inside the country.
	const international = typed.trim().replace(/^(\+|00)([^(]*)\(0\)/, '$1$2');
	const number = international.replace(DECORATION, '').replace(/^00/, '+');
	return E164.test(number) ? number : undefined;
}

/**
 * The digits by which two numbers are compared, however each is written: those of the international number where it
 * is one, else all of them, as a carrier's short code has no country code.
 */
export function comparableNumber(typed: string): string {
	return (toE164(typed) ?? typed).replace(/\D/g, '');
}

/**
 * The number of an item as the service takes it.
 *
 * @throws NodeOperationError with the item's number, before anything is sent
 */
export function phoneNumber(node: INode, typed: unknown, itemIndex: number): string {
	const text = typed === undefined || typed === null ? '' : String(typed);
	const number = toE164(text);
	if (number) return number;
	const message =
		text.trim() === ''
			? `Phone Number is empty [item ${itemIndex}]`
			: `The phone number is not in international format [item ${itemIndex}]`;
	throw new NodeOperationError(node, message, {
		description: `Enter it with a plus and the country code, for example +15551230001${text.trim() === '' ? '' : `, instead of “${text.slice(0, 40)}”`}.`,
		itemIndex,
	});
}
