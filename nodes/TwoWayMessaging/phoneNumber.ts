import { inCountry, NUMBERING_PLANS, type NumberingPlan } from './numberingPlans';
import { shownValue } from './parameterValues';

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
 * toE164('0151 12345678', germany) === '+4915112345678';
 * ```
 *
 * @param plan of the country of a number without a plus; without it, such a number is none
 * @returns undefined when the text is not an international number, or not clearly one
 */
export function toE164(typed: string, plan?: NumberingPlan): string | undefined {
	const written = typed.replace(INVISIBLE, '').trim();
	if (written.length > MOST_CHARACTERS) return undefined;
	const international = written
		.replace(DECIMALS, '$1')
		.replace(/^([^\d+]*)00/, '$1+')
		.replace(ZERO_BEHIND_COUNTRY_CODE, '$1');
	for (const sign of UNCLEAR) if (sign.test(international)) return undefined;
	const digits = international.replace(DECORATION, '');
	const number = plan && /^\d+$/.test(digits) ? inCountry(digits, plan) : digits;
	return number !== undefined && E164.test(number) ? number : undefined;
}

/** The text without what may stand between digits, so that a number that is not clear has all of its digits. */
function withoutDecoration(text: string): string {
	return text.replace(INVISIBLE, '').replace(DECIMALS, '$1').replace(DECORATION, '');
}

/**
 * The digits by which two numbers are compared, however each number is written. A number that is not international
 * counts with all of its digits, as a carrier's short code has no country code.
 */
export function comparableNumber(typed: string): string {
	return (toE164(typed) ?? withoutDecoration(typed)).replace(/\D/g, '');
}

/** Whether two numbers are the same, however each is written; a missing number equals no other. */
export function isSameNumber(one: string | undefined, other: string | undefined): boolean {
	if (one === undefined || other === undefined) return false;
	return comparableNumber(one) === comparableNumber(other);
}

/** A mobile of Mexico as it was written until 2019, with a 1 that is no part of it. */
const FORMER_FORM = /^\+521(?=[2-9]\d{9}$)/;

/** The plan that an international number should fit, and does not; undefined where no plan is known for it. */
function planNotFitting(number: string): NumberingPlan | undefined {
	for (const plan of NUMBERING_PLANS) {
		if (!number.startsWith(`+${plan.code}`)) continue;
		const isFitting = plan.national.test(number.slice(1 + plan.code.length));
		return isFitting || FORMER_FORM.test(number) ? undefined : plan;
	}
	return undefined;
}

/** The phone number that a person means, in the format that the service accepts, or why it cannot be used. */
export function phoneNumber(
	typed: string,
	plan?: NumberingPlan,
): string | { message: string; description: string } {
	const number = toE164(typed, plan);
	if (number && !planNotFitting(number)) return number;
	if (typed.trim() === '') {
		const description = `${WITH_PLUS} In an expression, check the name of the field that it asks for.`;
		return { message: 'Phone Number is empty', description };
	}
	const digits = number ?? withoutDecoration(typed);
	const isNational = /^\d+$/.test(digits);
	// A number that is too short or too long begins with its country all the same.
	const unfit = isNational ? plan : /^\+\d+$/.test(digits) && planNotFitting(digits);
	const said = `The phone number “${shownValue(typed)}”`;
	return unfit
		? {
				message: `${said} does not fit the numbers behind +${unfit.code} (${unfit.name})`,
				description: `Behind +${unfit.code} they have ${unfit.form}. Check the digits.`,
			}
		: {
				message: typed.includes('{{')
					? `${said} is an expression that was not evaluated`
					: `${said} is not in international format`,
				description: adviceFor(typed, isNational),
			};
}

function adviceFor(typed: string, isNational: boolean): string {
	if (typed.includes('{{')) return "Switch the field from 'Fixed' to 'Expression'.";
	if (/\p{L}/u.test(typed)) return WITH_PLUS.replace(' it ', ' it in digits, ');
	return isNational ? `${WITH_PLUS} ${OR_COUNTRY}` : WITH_PLUS;
}

const WITH_PLUS = 'Enter it with a plus and the country code, for example +15551230001.';
const OR_COUNTRY =
	'Or choose the country of numbers without a plus in the option Country If + Is Missing.';
