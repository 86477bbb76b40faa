import fc from 'fast-check';
import { NUMBERING_PLANS, type NumberingPlan } from '../nodes/TwoWayMessaging/numberingPlans';
import { comparableNumber, phoneNumber, toE164 } from '../nodes/TwoWayMessaging/phoneNumber';

describe('§2.1 a phone number', () => {
	test.each([
		['+15551230001', ['+15551230001', '+1 (555) 123-0001', '001-555-123-0001', '+15551230001\n']],
		['+15551230001', ['\u202a+1\u00a0555\u2011123\u20110001\u202c', '\u202a+15551230001.0\u202c']],
		// The decimals that a spreadsheet writes behind a number, and dots that are none.
		['+15551230001', ['+1 5551230.001', '+15551230001.0', '0015551230001.00 ']],
		['+15551230000', ['+1 (555) 123.0000']],
		['+491512345678', ['+49.151.2345678', '(+49 151 2345678)']],
		['+498912340', ['+49.89.1234.0']],
		['+442079460958', ['+44 (0)20 7946 0958', '0044 (0)20 7946 0958', '(+44) (0)20 7946 0958']],
		['+35312345678', ['+(353)[0]1 234 5678']],
		['+353861234567', ['00353 86 (123) 4567']],
		['+49301234567', ['+49 30 12345-67']],
		['+4915112345678', ['+49 (15112345678)']],
		['+33612345678', ['+33 6 12 34 56 78']],
	])('is %s, however it is typed: %j', (number, typed) => {
		expect(typed.map((one) => toE164(one))).toEqual(typed.map(() => number));
	});

	test.each([
		['has no country code', ['555 123 0001', '+0155512300', '0 0151 2345678', '']],
		['is too short or long', ['+12345', '+1234567890123456', `+1 555${' '.repeat(100)}1230001`]],
		['has other characters', ['+1 555 CALL NOW', '++15551230001', '+١٥٥٥١٢٣٠٠٠١']],
		['may be two numbers', ['+15551230001, +15551230002', '+49 30 1234567/68', '+49 30/1234567']],
		['is two numbers', ['+1234567 7654321', '+7654321 - 1234567']],
		['stands in several lines or cells', ['+49151\n2345678', '+4715123\r\n4567', '+47\t22123456']],
		['has an extension', ['+1 555 123 0001 ext. 5', '+15551230001x5', '+1 555 123 0001 (12)']],
		['may have one', ['+1 555 123 0001-12', '+1 555 123 0001 12', '+15551230001.5']],
		['may have one in brackets', ['+49 89 123456 (12)', '+49 89 123456 [1234]']],
		['may have decimals', ['+49 89 1234.0', '+49 89 12345.000', '+49-89-1234.0']],
		['has a zero in brackets behind other digits', ['+1 555 123 (0)001', '+49 151 (0)2345678']],
		['has a zero in brackets that may be dialled', ['+39 (0)6 1234 5678', '(0) 0151 2345678']],
	])('is refused where it %s: %j', (_, typed) => {
		expect(typed.filter((one) => toE164(one) !== undefined)).toEqual([]);
	});

	const someDigits = (minLength: number, maxLength: number) =>
		fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength });
	const between = fc.constantFrom(' ', '.', '-', '(0)', ' (', ') ', '.0', '\n');

	test('a digit is left out in two places only: a zero in brackets behind the country code, and decimals', () => {
		fc.assert(
			fc.property(
				fc.array(fc.tuple(someDigits(1, 8), between), { minLength: 1, maxLength: 6 }),
				(groups) => {
					const typed = `+${groups.flat().join('')}`;
					const number = toE164(typed);
					fc.pre(number !== undefined);
					const mayLack = [
						typed,
						typed.replace(/^(\+\d{1,3}\D*)\(0\)/, '$1'),
						typed.replace(/^(\+\d+)\.00?\s*$/, '$1'),
					];
					expect(mayLack.map((text) => text.replace(/[^\d+]/g, ''))).toContain(number);
				},
			),
			{ numRuns: 200 },
		);
	});
});

describe('two phone numbers are the same', () => {
	test.each([
		['+1 555 123 0001', '0015551230001'],
		['+44 (0)20 7946 0958', '+442079460958'],
		['12345', '12 345'],
		['15551230001', '15551230001.0'],
		['+49 89 1234.0', '498912340'],
	])('“%s” and “%s”', (one, other) => {
		expect(comparableNumber(one)).toBe(comparableNumber(other));
	});

	test('but not when one digit differs', () => {
		expect(comparableNumber('+15551230001')).not.toBe(comparableNumber('+15551230002'));
	});
});

const planOf = (country: string): NumberingPlan => {
	const plan = NUMBERING_PLANS.find((one) => one.country === country);
	if (!plan) throw new Error(`${country} has no plan`);
	return plan;
};

describe('a number without a plus, where its country is chosen', () => {
	test.each([
		['US', '+15551230001', ['(555) 123-0001', '15551230001', '5551230001.0']],
		['DE', '+4915112345678', ['0151 12345678', '(0151) 12345678', '15112345678', '4915112345678']],
		['AT', '+436641234567', ['436641234567', '6641234567']],
		['GB', '+447700900123', ['07700 900123', '7700900123', '447700900123']],
		['FR', '+33612345678', ['06 12 34 56 78']],
		['IT', '+393331234567', ['333 123 4567']],
		['IT', '+390612345678', ['06 1234 5678']],
		['ES', '+34612345678', ['612 345 678']],
		['HU', '+36301234567', ['06 30 123 4567']],
		['LT', '+37061234567', ['0 612 34567']],
		['AU', '+61412345678', ['0412 345 678']],
		['BR', '+5511912345678', ['(11) 91234-5678']],
		['IN', '+919876543210', ['098765 43210']],
		['NO', '+4791234567', ['91234567']],
	])('is of %s: %s, however it is typed: %j', (country, number, typed) => {
		expect(typed.map((one) => toE164(one, planOf(country)))).toEqual(typed.map(() => number));
	});

	test('with a plus or 00 is never touched', () => {
		for (const plan of NUMBERING_PLANS) {
			expect(toE164('+442079460958', plan)).toBe('+442079460958');
			expect(toE164('0044 (0)20 7946 0958', plan)).toBe('+442079460958');
		}
	});

	test.each([
		['US', 'has another length', ['123 0001', '555 123 00012']],
		['US', 'has an area that begins with 1', ['155 123 0001']],
		['FR', 'may be of another country', ['4915112345678']],
		['DE', 'may begin with the country code or with an area that looks like it', ['49301234567']],
		['DE', 'may be of a neighbour', ['41791234567']],
		['AT', 'may be of a neighbour', ['4915112345678']],
		['DE', 'may be two numbers, or have an extension', ['0151 2345678 / 79', '0151 2345678 (12)']],
	])('is refused in %s where it %s: %j', (country, _, typed) => {
		expect(typed.filter((one) => toE164(one, planOf(country)) !== undefined)).toEqual([]);
	});

	test('whatever is typed, what comes out has the country code and a length of that country', () => {
		fc.assert(
			fc.property(
				fc.constantFrom(...NUMBERING_PLANS),
				fc.stringMatching(/^[0-9]{4,17}$/),
				(plan, digits) => {
					fc.pre(!digits.startsWith('00'));
					const number = toE164(digits, plan);
					if (number === undefined) return;
					expect(number.startsWith(`+${plan.code}`)).toBe(true);
					const national = number.slice(1 + plan.code.length);
					expect(national).toMatch(plan.national);
					// No digit is invented, and none but the trunk prefix or the country code is left out.
					expect([national, plan.trunk + national, plan.code + national]).toContain(digits);
				},
			),
			{ numRuns: 200 },
		);
	});

	test('no country stands in the list twice, and each has a code that no other begins with', () => {
		const codes = NUMBERING_PLANS.map(({ code }) => code);
		for (const code of codes) {
			expect(codes.filter((other) => other.startsWith(code))).toEqual([code]);
		}
		expect(new Set(NUMBERING_PLANS.map(({ country }) => country)).size).toBe(codes.length);
		expect(codes.length).toBeGreaterThan(50);
	});
});

describe('the phone number of an item', () => {
	test.each([
		['is of Italy and begins with a zero', '+39 06 1234 5678', '+390612345678'],
		['has the 1 that numbers of Mexico had', '+52 1 55 1234 5678', '+5215512345678'],
		['is of a country whose plan is not known', '+54 9 11 1234 5678', '+5491112345678'],
	])('comes out in international format where it %s', (_, typed, number) => {
		expect(phoneNumber(typed)).toBe(number);
	});

	const OF = (country: string) => `does not fit the numbers behind ${country}`;

	test.each<[string, string, string, NumberingPlan?]>([
		['  ', 'Phone Number is empty', 'for example +15551230001.'],
		['', 'Phone Number is empty', 'In an expression, check the name of the field'],
		['+1 555 12', OF('+1 (United States, Canada)'), 'Behind +1 they have 10 digits'],
		['+1 555 CALL', 'is not in international format', 'Enter it in digits, with a plus'],
		['{{ $json.phone }}', 'is an expression that was not', "Switch the field from 'Fixed' to"],
		['15551230001', 'is not in international format', 'in the option Country If + Is Missing.'],
		['0151 23', OF('+49 (Germany)'), '', planOf('DE')],
		['+44 07700 900123', OF('+44 (United Kingdom)'), '10 digits, of which the first is not 0.'],
		['0049 0151 12345678', OF('+49 (Germany)'), '+49 they have 8 to 11 digits, of which the first'],
		['+1 155 123 0001', OF('+1 (United States, Canada)'), 'of which the first is not 0 or 1.'],
		['+33 6 12 34 56 7', OF('+33 (France)'), 'Behind +33 they have 9 digits'],
	])('is refused and says what to do: %p %s', (...[typed, words, advice, plan]) => {
		const shown = words.includes('empty') ? words : `The phone number “${typed}” ${words}`;
		expect(phoneNumber(typed, plan)).toEqual({
			message: expect.stringContaining(shown) as string,
			description: expect.stringContaining(advice) as string,
		});
	});

	test('is proposed by no refusal, as a wrong guess texts a stranger', () => {
		fc.assert(
			fc.property(fc.stringMatching(/^[0-9 ().-]{1,20}$/), (typed) => {
				const refusal = phoneNumber(typed);
				const advice = typeof refusal === 'string' ? '' : refusal.description;
				expect(advice.replace('+15551230001', '')).not.toMatch(/\d|\{\{/);
			}),
		);
	});
});
