import fc from 'fast-check';
import type { INode, NodeOperationError } from 'n8n-workflow';
import { NUMBERING_PLANS, type NumberingPlan } from '../nodes/TwoWayMessaging/numberingPlans';
import { comparableNumber, phoneNumber, toE164 } from '../nodes/TwoWayMessaging/phoneNumber';

describe('§2.1 a phone number', () => {
	test.each([
		['+15551230001', '+15551230001'],
		['+1 (555) 123-0001', '+15551230001'],
		['001-555-123-0001', '+15551230001'],
		['+49.151.2345678', '+491512345678'],
		['+1.555.123.4567', '+15551234567'],
		['+49.89.1234.0', '+498912340'],
		['+1 5551230.001', '+15551230001'],
		['+15551230001.0', '+15551230001'],
		['0015551230001.00 ', '+15551230001'],
		['+44 (0)20 7946 0958', '+442079460958'],
		['0044 (0)20 7946 0958', '+442079460958'],
		['\u202a+1\u00a0555\u2011123\u20110001\u202c', '+15551230001'],
		['\u202a+15551230001.0\u202c', '+15551230001'],
		['(+44) (0)20 7946 0958', '+442079460958'],
		['+(353)[0]1 234 5678', '+35312345678'],
		['+49 30 1234 56', '+4930123456'],
		['+49 30 12345-67', '+49301234567'],
		['+49 (15112345678)', '+4915112345678'],
		['(+49 151 2345678)', '+491512345678'],
		['+33 6 12 34 56 78', '+33612345678'],
		['+47 22 12 34 56', '+4722123456'],
		['+1 (555) 123.0000', '+15551230000'],
		['00353 86 (123) 4567', '+353861234567'],
		['+15551230001\n', '+15551230001'],
	])('typed as “%s” is %s', (typed, number) => {
		expect(toE164(typed)).toBe(number);
	});

	test.each([
		['without a country code', '555 123 0001'],
		['with a country code that begins with zero', '+0155512300'],
		['that is too short', '+12345'],
		['that is too long', '+1234567890123456'],
		['with letters', '+1 555 CALL NOW'],
		['with two pluses', '++15551230001'],
		['that is two numbers', '+15551230001, +15551230002'],
		['in other digits', '+١٥٥٥١٢٣٠٠٠١'],
		['that is empty', ''],
		['with a slash, which may begin another number', '+49 30 1234567/68'],
		['with a slash behind the area code', '+49 30/1234567'],
		['with an extension', '+1 555 123 0001 ext. 5'],
		['with a short extension', '+15551230001x5'],
		['with an extension in brackets', '+1 555 123 0001 (12)'],
		['with an extension behind a dash', '+1 555 123 0001-12'],
		['with an extension behind a space', '+1 555 123 0001 12'],
		['with an extension behind a dot', '+15551230001.5'],
		['of another country with an extension in brackets', '+49 89 123456 (12)'],
		['with an extension in square brackets', '+49 89 123456 [1234]'],
		['with an extension in a bracket that is not closed', '+49 89 123456 (12'],
		['with separators and the end of a decimal number', '+49 89 1234.0'],
		['with separators and two decimals', '+49 89 12345.00'],
		['with separators and three decimals', '+49 89 12345.000'],
		['with dashes and a decimal', '+49-89-1234.0'],
		['that is two numbers with a space between', '+1234567 7654321'],
		['that is two numbers with a dash between', '+7654321 - 1234567'],
		['that is two numbers on two lines', '+49151\n2345678'],
		['that is two numbers on two lines of Windows', '+4715123\r\n4567'],
		['that stands in two cells', '+47\t22123456'],
		['with a zero in brackets among its digits', '+1 555 123 (0)001'],
		['with a zero in brackets behind the area code', '+49 151 (0)2345678'],
		['with a zero in brackets behind more than the country code', '+491(0)512345678'],
		['with a zero in square brackets among its digits', '+1 555 123 [ 0 ]001'],
		['of Italy with a zero in brackets, which is dialled there', '+39 (0)6 1234 5678'],
		['of one country behind a zero in brackets', '(0) 0151 2345678'],
		['with two zeros that stand apart', '0 0151 2345678'],
	])('%s is refused', (_what, typed) => {
		expect(toE164(typed)).toBeUndefined();
	});

	const someDigits = (minLength: number, maxLength: number) =>
		fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength });
	const separator = fc.constantFrom(' ', '-', '.', ' - ', '\u00a0', '\u2011');

	test('digits behind a complete number of +1 are never joined to it', () => {
		fc.assert(
			fc.property(
				someDigits(10, 10),
				separator,
				fc.constantFrom('', '('),
				someDigits(1, 3),
				(ten, between, bracket, more) => {
					// The decimals of a spreadsheet are the one thing that may be left out.
					fc.pre(!/^\.00?$/.test(between + bracket + more));
					expect(toE164(`+1${ten}${between}${bracket}${more}`)).toBeUndefined();
				},
			),
		);
	});

	test('a digit is left out in two places only: a zero in brackets behind the country code, and decimals', () => {
		fc.assert(
			fc.property(
				fc.array(
					fc.tuple(someDigits(1, 8), fc.constantFrom(' ', '.', '-', '(0)', ' (', ') ', '.0', '\n')),
					{
						minLength: 1,
						maxLength: 6,
					},
				),
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
			{ numRuns: 500 },
		);
	});

	test('in a text that is longer than anybody writes a number is refused', () => {
		expect(toE164(`+1 555 123${' '.repeat(20)}0001`)).toBe('+15551230001');
		expect(toE164(`+1 555 123${' '.repeat(100)}0001`)).toBeUndefined();
	});

	test('whatever is typed, only an international number comes out', () => {
		fc.assert(
			fc.property(
				fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[+0-9 ().-]{0,25}$/)),
				(typed) => {
					const number = toE164(typed);
					expect(number === undefined || /^\+[1-9]\d{6,14}$/.test(number)).toBe(true);
				},
			),
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

/** The plan of a country by its ISO code. */
const planOf = (country: string): NumberingPlan => {
	const plan = NUMBERING_PLANS.find((one) => one.country === country);
	if (!plan) throw new Error(`${country} has no plan`);
	return plan;
};

describe('a number without a plus, where its country is chosen', () => {
	test.each([
		['US', '(555) 123-0001', '+15551230001'],
		['US', '15551230001', '+15551230001'],
		['US', '5551230001.0', '+15551230001'],
		['DE', '0151 12345678', '+4915112345678'],
		['DE', '(0151) 12345678', '+4915112345678'],
		['DE', '15112345678', '+4915112345678'],
		['AT', '436641234567', '+436641234567'],
		['AT', '6641234567', '+436641234567'],
		['DE', '4915112345678', '+4915112345678'],
		['GB', '07700 900123', '+447700900123'],
		['GB', '7700900123', '+447700900123'],
		['GB', '447700900123', '+447700900123'],
		['FR', '06 12 34 56 78', '+33612345678'],
		['IT', '333 123 4567', '+393331234567'],
		['IT', '06 1234 5678', '+390612345678'],
		['ES', '612 345 678', '+34612345678'],
		['HU', '06 30 123 4567', '+36301234567'],
		['LT', '0 612 34567', '+37061234567'],
		['AU', '0412 345 678', '+61412345678'],
		['BR', '(11) 91234-5678', '+5511912345678'],
		['IN', '098765 43210', '+919876543210'],
		['NO', '91234567', '+4791234567'],
	])('is of %s: “%s” is %s', (country, typed, number) => {
		expect(toE164(typed, planOf(country))).toBe(number);
	});

	test('with a plus or 00 is never touched', () => {
		for (const plan of NUMBERING_PLANS) {
			expect(toE164('+442079460958', plan)).toBe('+442079460958');
			expect(toE164('0044 (0)20 7946 0958', plan)).toBe('+442079460958');
		}
	});

	test.each([
		['too short for it', 'US', '123 0001'],
		['too long for it', 'US', '555 123 00012'],
		['of an area that begins with 1', 'US', '155 123 0001'],
		['of another country without its plus', 'FR', '4915112345678'],
		[
			'that may begin with the country code or with an area that looks like it',
			'DE',
			'49301234567',
		],
		['of a neighbour without its plus', 'DE', '41791234567'],
		['of a neighbour without its plus, in a country of many lengths', 'AT', '4915112345678'],
		['that may be two numbers', 'DE', '0151 2345678 / 79'],
		['with an extension', 'DE', '0151 2345678 (12)'],
	])('is refused: %s', (_what, country, typed) => {
		expect(toE164(typed, planOf(country))).toBeUndefined();
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
			{ numRuns: 500 },
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
	const node = { name: 'Node' } as INode;

	test('comes out in international format', () => {
		expect(phoneNumber(node, '+1 (555) 123-0001', { itemIndex: 0 })).toBe('+15551230001');
	});

	test.each([
		[undefined, 'Phone Number is empty', 'for example +15551230001.'],
		['  ', 'Phone Number is empty', 'for example +15551230001.'],
		[
			'555 CALL NOW',
			'The phone number “555 CALL NOW” is not in international format',
			'for example +15551230001.',
		],
		[
			15551230001,
			'The phone number “15551230001” is not in international format',
			'choose their country in the option Country If + Is Missing.',
		],
	])('is refused and says what to do: %p', (typed, message, advice) => {
		expect(() => phoneNumber(node, typed, { itemIndex: 3 })).toThrow(
			expect.objectContaining({ message, description: expect.stringContaining(advice) as string }),
		);
	});

	test('that does not fit the chosen country is refused by its name', () => {
		expect(() => phoneNumber(node, '0151 23', { itemIndex: 3, plan: planOf('DE') })).toThrow(
			'The phone number “0151 23” does not fit the numbers of Germany',
		);
	});

	test.each([
		[
			'+44 07700 900123',
			'United Kingdom',
			'Behind +44 they have 10 digits, of which the first is not 0.',
		],
		[
			'0049 0151 12345678',
			'Germany',
			'Behind +49 they have 8 to 11 digits, of which the first is not 0.',
		],
		[
			'+1 155 123 0001',
			'United States, Canada',
			'Behind +1 they have 10 digits, of which the first is not 0 or 1.',
		],
		['+33 6 12 34 56 7', 'France', 'Behind +33 they have 9 digits'],
		['+49 151 123456789', 'Germany', 'have 8 to 11 digits'],
	])('with a plus is held to its country: %s', (typed, country, reason) => {
		const message = `The phone number “${typed}” does not fit the numbers of ${country}`;
		expect(() => phoneNumber(node, typed, { itemIndex: 3 })).toThrow(
			expect.objectContaining({ message, description: expect.stringContaining(reason) as string }),
		);
	});

	test.each([
		['of Italy begins with a zero', '+39 06 1234 5678', '+390612345678'],
		['has the 1 that numbers of Mexico had', '+52 1 55 1234 5678', '+5215512345678'],
		['is of a country whose plan is not known', '+54 9 11 1234 5678', '+5491112345678'],
	])('with a plus stays as it is where it %s', (_, typed, number) => {
		expect(phoneNumber(node, typed, { itemIndex: 3 })).toBe(number);
	});

	test('of a line is the operator’s, and is held to no country', () => {
		const line = { itemIndex: 3, isLine: true };
		expect(phoneNumber(node, '+44 123 4567', line)).toBe('+441234567');
	});

	test('is proposed by no refusal, as a wrong guess texts a stranger', () => {
		fc.assert(
			fc.property(fc.stringMatching(/^[0-9 ().-]{1,20}$/), (typed) => {
				try {
					phoneNumber(node, typed, { itemIndex: 3, field: '={{ $json.phone }}' });
				} catch (thrown) {
					const { description = '' } = thrown as NodeOperationError;
					expect((description ?? '').replace('+15551230001', '')).not.toMatch(/\d|\{\{/);
				}
			}),
		);
	});

	test('of which an expression gives nothing is refused with the advice to check it', () => {
		expect(() => phoneNumber(node, '', { itemIndex: 0, field: '={{ $json.nope }}' })).toThrow(
			expect.objectContaining({
				description: expect.stringContaining('Its expression gives nothing') as string,
			}),
		);
	});
});
