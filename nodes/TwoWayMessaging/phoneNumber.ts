import type { INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { textValue } from './parameterValues';

/** Marks that show nothing, which come along when a number is copied. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/**
 * What people and contact lists put between digits: spaces, dots, dashes, brackets. A slash separates two numbers as often as
 * it joins the parts of one, so it is not among them.
 */
const DECORATION = /[\s.()[\]\u2010-\u2015\u2212-]/g;

/** A whole number that a spreadsheet holds as a decimal one. With separators, nobody can tell decimals from digits. */
const DECIMALS = /^([\s+]*\d+)\.00?(?=\s*$)/;

/**
 * "+44 (0)20 …" shows a digit that is dialled only inside the country. Every country code is listed, as none begins with
 * another, but for Italy's: a zero behind it is dialled from everywhere.
 */
const ZERO_BEHIND_COUNTRY_CODE =
	/^([^\d+]*\+\D*(?:[17]|2[07]|3[0-46]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|(?:2[1-689]|3[578]|42|5[09]|6[7-9]|8[0357-9]|9[679])\d)\D*?)[([]\s*0\s*[)\]]/;

/** What may be two numbers, or a number and something else. To guess would be to text a stranger. */
const UNCLEAR = [
	// Two lines of a field, or two cells of a sheet.
	/[\t-\r\u2028\u2029]/,
	// Two groups that are each as long as a number.
	/\d{7}\D(?:.*\D)?\d{7}/,
	// An extension in brackets behind a number.
	/(?:\d\D*){6}\d[^\d([]*[([]\D*\d/,
	// A zero in brackets that does not stand behind the country code.
	/[([]\s*0\s*[)\]]/,
	// The decimals of a number with separators. Where dots separate digits, there are several.
	/^[^.]*\.0{1,3}\D*$/,
];

/** International format (§2.1): a plus, a country code, at most 15 digits in all; ten digits behind the code 1. */
const E164 = /^\+(?:1\d{6,10}|[2-9]\d{6,14})$/;

/** Nobody writes a number with so many characters between its digits. */
const MOST_CHARACTERS = 100;

/**
 * The number in the format that the service accepts:
 *
 * ```ts
 * toE164('+1 (555) 123-0001') === '+15551230001';
 * toE164('+15551230001.0') === '+15551230001';
 * toE164('+1 555 123 0001 (12)') === undefined;
 * ```
 *
 * @returns undefined when the text is not an international number, or not clearly one
 */
export function toE164(typed: string): string | undefined {
	const written = typed.replace(INVISIBLE, '').trim();
	if (written.length > MOST_CHARACTERS) return undefined;
	const international = written
		.replace(DECIMALS, '$1')
		.replace(/^([^\d+]*)00/, '$1+')
		.replace(ZERO_BEHIND_COUNTRY_CODE, '$1');
	if (UNCLEAR.some((sign) => sign.test(international))) return undefined;
	const number = international.replace(DECORATION, '');
	return E164.test(number) ? number : undefined;
}

/** The text without what may stand between digits, so that a number that is not clear has all of its digits. */
function withoutDecoration(text: string): string {
	return text.replace(INVISIBLE, '').replace(DECIMALS, '$1').replace(DECORATION, '');
}

/** The longest number with the two zeros that may stand for its plus. */
const DIGITS_OF_NUMBER = /^\+?\d{7,17}$/;

/**
 * Whether a text is written as a number, in any form that `toE164` takes, international or not. No ID of a line is.
 *
 * ```ts
 * isWrittenAsNumber('[555] 010\u20110001') === true;
 * ```
 */
export function isWrittenAsNumber(text: string): boolean {
	return DIGITS_OF_NUMBER.test(withoutDecoration(text));
}

/**
 * The digits by which two numbers are compared, however each number is written. A number that is not international
 * counts with all of its digits, as a carrier's short code has no country code.
 *
 * ```ts
 * comparableNumber('0044 (0)20 7946 0958') === comparableNumber('+442079460958');
 * ```
 */
export function comparableNumber(typed: string): string {
	return (toE164(typed) ?? withoutDecoration(typed)).replace(/\D/g, '');
}

/** A change to the beginning of a number, which the code and the expression in a message make alike. */
type Mending = { beginning: RegExp; by: string };

/**
 * Ten digits, as the US and Canada write a number. They may as well begin with a country code, so a plus alone is never
 * offered for them: it would text another country.
 */
const ADD_ONE: Mending = {
	beginning: /^(?=[^\d+]*[2-9](\D*\d){9}(\.00?)?\D*$)/,
	by: '+1',
};

/** Spreadsheets keep no plus in front of a number. Fewer digits are rather a number that lacks its country code. */
const ADD_PLUS: Mending = { beginning: /^(?=[^\d+]*[1-9](\D*\d){9}[^\d.]*\d)/, by: '+' };

/** A number as it is dialled inside its country: the zero of 00 belongs to an international number, and stays. */
const REPLACE_ZERO: Mending = { beginning: /^([^\d+]*)0(?=\D*[1-9])/, by: '+49$1' };

/** A field that holds an expression and nothing else. */
const SINGLE_EXPRESSION = /^=\s*\{\{((?:(?!\{\{|\}\}).)+)\}\}\s*$/s;

/** An expression that has a mending already, with any country's code: one more follows it. */
const MENDED_EXPRESSION = /^String\(.+\)\.replace\(\/[^/]+\/, "\+\d*(?:\$1)?"\)$/s;

/**
 * The phone number that an item names, in the format that the service accepts.
 *
 * @param field what the field holds in the workflow, which may be an expression
 * @param isLine whether the field is Line, and the number one of the organization's own
 * @throws NodeOperationError with the item's number, before anything is sent
 */
export function phoneNumber(
	node: INode,
	typed: unknown,
	itemIndex: number,
	field?: unknown,
	isLine = false,
): string {
	const text = textValue(typed);
	const number = toE164(text);
	if (number) return number;
	if (text.trim() === '') {
		throw new NodeOperationError(node, `Phone Number is empty [item ${itemIndex}]`, {
			description: adviceForNone(field),
			itemIndex,
		});
	}
	const shown = text.slice(0, 40);
	const message = isLine
		? `The number in Line, “${shown}”, is not in international format`
		: `The phone number “${shown}” is not in international format`;
	throw new NodeOperationError(node, `${message} [item ${itemIndex}]`, {
		description: adviceFor(text, field),
		itemIndex,
	});
}

function adviceForNone(field: unknown): string {
	if (typeof field === 'string' && field.startsWith('=')) {
		return 'Its expression gives nothing for this item. Check the name of the field that it asks for.';
	}
	return 'Enter it with a plus and the country code, for example +15551230001.';
}

/** How to mend a number: by itself, or by an expression that leaves the good numbers of the same list as they are. */
function adviceFor(text: string, field: unknown): string {
	const inAmerica = mendedNumber(text, ADD_ONE);
	if (inAmerica) {
		const mended = inExpression(field, ADD_ONE) ?? inAmerica;
		return `Enter it with a plus and the country code. For a number of the US or Canada, enter: ${mended}`;
	}
	const withPlus = mendedNumber(text, ADD_PLUS);
	if (withPlus) {
		const mended = inExpression(field, ADD_PLUS) ?? withPlus;
		return `If the number begins with the country code, only the plus is missing. Enter: ${mended}`;
	}
	const inGermany = mendedNumber(text, REPLACE_ZERO) && inExpression(field, REPLACE_ZERO);
	return inGermany
		? `Enter it with a plus and the country code in place of the first 0. For numbers of Germany, for example: ${inGermany}`
		: 'Enter it with a plus and the country code, for example +15551230001.';
}

/** The international number that a mending makes of a text, if it makes one. */
function mendedNumber(text: string, { beginning, by }: Mending): string | undefined {
	return toE164(text.replace(beginning, by));
}

/** The expression that a field holds, with a mending behind it. */
function inExpression(field: unknown, { beginning, by }: Mending): string | undefined {
	const [, inner] = (typeof field === 'string' && SINGLE_EXPRESSION.exec(field)) || [];
	if (!inner) return undefined;
	const expression = inner.trim();
	const text = MENDED_EXPRESSION.test(expression) ? expression : `String(${expression})`;
	return `{{ ${text}.replace(${beginning}, "${by}") }}`;
}
