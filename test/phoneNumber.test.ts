import fc from 'fast-check';
import { runInNewContext } from 'node:vm';
import type { INode, NodeOperationError } from 'n8n-workflow';
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
			{ numRuns: 2_000 },
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

describe('the phone number of an item', () => {
	const node = { name: 'Node' } as INode;

	test('comes out in international format', () => {
		expect(phoneNumber(node, '+1 (555) 123-0001', 0)).toBe('+15551230001');
	});

	test.each([
		[undefined, 'Phone Number is empty [item 3]', 'for example +15551230001.'],
		['  ', 'Phone Number is empty [item 3]', 'for example +15551230001.'],
		[
			'0151 234',
			'The phone number “0151 234” is not in international format [item 3]',
			'for example +15551230001.',
		],
		[
			15551230001,
			'The phone number “15551230001” is not in international format [item 3]',
			'Enter: +15551230001',
		],
	])('is refused with its item: %p', (typed, message, advice) => {
		expect(() => phoneNumber(node, typed, 3)).toThrow(
			expect.objectContaining({ message, description: expect.stringContaining(advice) as string }),
		);
	});

	/** The expression that the refusal of a number offers for a field; undefined where it offers none. */
	const offer = (typed: unknown, field = '={{ $json.phone }}'): string | undefined => {
		try {
			phoneNumber(node, typed, 3, field);
		} catch (thrown) {
			const { description } = thrown as NodeOperationError;
			return /\{\{.*\}\}$/.exec(description ?? '')?.[0];
		}
		throw new Error('The number was not refused');
	};

	/** What an expression makes of an item's number. */
	const evaluated = (expression: string, phone: unknown): string =>
		String(runInNewContext(expression.replace(/^\{\{|\}\}$/g, ''), { $json: { phone } }));

	const offered = (typed: unknown): ((phone: unknown) => string) => {
		const expression = offer(typed);
		if (expression === undefined) throw new Error('No expression was offered');
		return (phone) => evaluated(expression, phone);
	};

	test('that lacks only its plus is refused with an expression that adds it where it is missing', () => {
		const mended = offered(15551230001);
		expect([15551230001, '15551230002', '+15551230003', '0151 2345678'].map(mended)).toEqual([
			'+15551230001',
			'+15551230002',
			'+15551230003',
			'0151 2345678',
		]);
	});

	test('of ten digits, as the US and Canada write it, is never offered a plus alone', () => {
		const american = offered('(555) 123-0001');
		const plus = offered('15551230001');
		for (const phone of ['(475) 555-0123', '4755550123', '475.555.0123', '5551230001.0']) {
			expect(offer(phone)).toContain('"+1"');
			expect(plus(phone)).toBe(phone);
			expect(toE164(american(phone))).toMatch(/^\+1(4755550123|5551230001)$/);
		}
		for (const other of ['15551230001', '+15551230001', '0151 2345678', '491511234567']) {
			expect(american(other)).toBe(other);
		}
		expect(() => phoneNumber(node, '5551230001', 0, '5551230001')).toThrow(
			expect.objectContaining({
				description: expect.stringMatching(/US or Canada, enter: \+15551230001$/) as string,
			}),
		);
	});

	test('of which an expression gives nothing is refused with the advice to check it', () => {
		expect(() => phoneNumber(node, '', 0, '={{ $json.nope }}')).toThrow(
			expect.objectContaining({
				description: expect.stringContaining('Its expression gives nothing') as string,
			}),
		);
	});

	test('of one country is refused with an expression that leaves the others as they are', () => {
		const mended = offered('0151 2345678');
		expect(['0151 2345678', '+15551230003', '15551230002'].map(mended)).toEqual([
			'+49151 2345678',
			'+15551230003',
			'15551230002',
		]);
	});

	test('that begins with 00 is left as it is by the expression for another', () => {
		const mended = offered('0151 2345678');
		for (const good of ['0044 20 7946 0958', '(0049) 151 1234567', ' 0 049 151 1234567']) {
			expect(mended(good)).toBe(good);
		}
	});

	test.each([
		[' 15551230001', '+15551230001'],
		['(49) 151 1234567', '+491511234567'],
		['15551230001.0', '+15551230001'],
		['\u202a15551230001\u202c', '+15551230001'],
		['(0151) 1234567', '+491511234567'],
		['(0)151 1234567', '+491511234567'],
		[' [0151] 1234567', '+491511234567'],
	])('as “%s” is mended by the expression that is offered for it', (typed, number) => {
		expect(toE164(offered(typed)(typed))).toBe(number);
	});

	test('is refused without an expression where none would mend it', () => {
		for (const typed of [
			'+1 555 CALL NOW',
			'Tel. 0151 2345678',
			'15551230001/2',
			'15551230001 12',
			'1 555 123 (0)001',
			'0151 2345678 (12)',
			'0151 2345678.0',
			'(0) 0151 2345678',
			'/0151 2345678',
		]) {
			expect(offer(typed)).toBeUndefined();
		}
	});

	test('in a field that has an offered expression gets the next one behind it, not around it', () => {
		const first = offer('15551230001') ?? '';
		const both = offer('0151 2345678', `=${first}`) ?? '';
		expect(both.match(/String\(/g)).toHaveLength(1);
		const numbers = ['15551230001', '0151 2345678', '0044 20 7946 0958', '+15551230003'];
		expect(numbers.map((phone) => toE164(evaluated(both, phone)))).toEqual([
			'+15551230001',
			'+491512345678',
			'+442079460958',
			'+15551230003',
		]);
	});

	const marks = fc.stringMatching(/^[ ()[\].\-\u00a0\u2011\u202a]{0,2}$/);
	const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 4, maxLength: 16 });
	const listed = fc.oneof(
		{
			weight: 5,
			arbitrary: fc
				.tuple(marks, fc.constantFrom('', '+', '00', '0', '(0', '+44 (0)'), marks, digits, marks)
				.chain(([before, start, between, number, after]) =>
					fc
						.tuple(
							fc.nat({ max: number.length }),
							marks,
							fc.constantFrom('', '', '.0', '.00', '/1', 'x'),
						)
						.map(
							([at, inside, end]) =>
								`${before}${start}${between}${number.slice(0, at)}${inside}${number.slice(at)}${after}${end}`,
						),
				),
		},
		{ weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
	);

	test('of any list is mended by the offered expression exactly where this is offered for it', () => {
		fc.assert(
			fc.property(fc.array(listed, { minLength: 1, maxLength: 8 }), (list) => {
				const refused = list.filter((phone) => toE164(phone) === undefined && phone.trim() !== '');
				for (const expression of new Set(refused.map((phone) => offer(phone)))) {
					if (expression === undefined) continue;
					for (const phone of list) {
						const mended = toE164(evaluated(expression, phone));
						const isOffered = refused.includes(phone) && offer(phone) === expression;
						if (isOffered) expect(mended).toBeDefined();
						else expect(mended).toBe(toE164(phone));
					}
				}
			}),
			{ numRuns: 300 },
		);
	});

	test('in a field of more than one expression is refused with the number that it should be', () => {
		expect(() => phoneNumber(node, '15551230001', 3, '={{ $json.code }}{{ $json.rest }}')).toThrow(
			expect.objectContaining({
				description: expect.stringContaining('Enter: +15551230001') as string,
			}),
		);
	});
});
