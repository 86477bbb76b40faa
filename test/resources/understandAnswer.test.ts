import fc from 'fast-check';
import {
	areNumbered,
	canBeSaid,
	isSameAnswer,
	understandChoice,
	understandYesOrNo,
} from '../../nodes/TwoWayMessaging/resources/message/question/understandAnswer';

const WORDS = {
	yesWords: ['yes', 'y', 'ok', 'sure', '👍'],
	noWords: ['no', 'n', '👎'],
};
const TIMES = ['Friday at 10:00', 'Friday', 'Monday at 2 pm'];

const MEGABYTE = 2 ** 20;

/** Texts of a megabyte in which a careless pattern goes back and forth. */
const HUGE = ['yes ', ' ', 'y', '.', '👍', '\u0301', "'", '-', '1', 'no-', '\ud83d', '\n'].map(
	(part) => part.repeat(Math.ceil(MEGABYTE / part.length)),
);

describe('yes or no', () => {
	test.each([
		'yes',
		'YES',
		' Yes! ',
		'yes please',
		'Yes, please.',
		'“Yes”',
		'¡yes!',
		'y',
		'Ok.',
		'OK\nsee you',
		'Sure thing',
		'ｙｅｓ',
		'👍',
		'👍🏽',
		'👍👍👍',
		'👍 great',
		'👍see you',
		'yes👍',
		'...yes',
		'yes/ok',
	])('%j is a yes', (text) => {
		expect(understandYesOrNo(text, WORDS)).toBe(true);
	});

	test.each(['no', 'No, sorry', 'NO!!!', 'n', 'N.', '👎', '👎🏿', 'no 👍', 'No\tway'])(
		'%j is a no',
		(text) => {
			expect(understandYesOrNo(text, WORDS)).toBe(false);
		},
	);

	test.each([
		'',
		' ',
		'?!',
		'yesterday',
		'not sure',
		'nobody',
		'no-one is here',
		"y'all come",
		'y’all come',
		'okay',
		'n2',
		'maybe yes',
		'yés',
		'1',
	])('%j is neither', (text) => {
		expect(understandYesOrNo(text, WORDS)).toBeUndefined();
	});

	test('the longest words count, so that “no problem” may mean yes', () => {
		const words = { yesWords: ['no problem'], noWords: ['no'] };
		expect(understandYesOrNo('No problem!', words)).toBe(true);
		expect(understandYesOrNo('No problems, but no', words)).toBe(false);
	});

	test('the longest words count in whatever order they stand, and words that mean both mean nothing', () => {
		for (const yesWords of [
			['sure', 'sure thing'],
			['sure thing', 'sure'],
		]) {
			expect(understandYesOrNo('sure thing', { yesWords, noWords: ['sure'] })).toBe(true);
			expect(understandYesOrNo('sure', { yesWords, noWords: ['sure'] })).toBeUndefined();
		}
	});

	test('an apostrophe is the same in every form, and after an emoji anything is another word', () => {
		const words = { yesWords: ["d'accord", 'ok👍'], noWords: [] };
		expect(understandYesOrNo('D’accord !', words)).toBe(true);
		expect(understandYesOrNo('ok👍see you', words)).toBe(true);
	});

	test('an emoji is the same in every colour, in the list too', () => {
		const words = { yesWords: ['👍🏿👍🏿', '❤️'], noWords: ['👎🏻'] };
		expect(understandYesOrNo('👍🏽👍🏽', words)).toBe(true);
		expect(understandYesOrNo('❤', words)).toBe(true);
		expect(understandYesOrNo('👎', words)).toBe(false);
	});

	test('is understood in other languages and scripts', () => {
		const words = { yesWords: ['Sí', 'да', 'はい', 'हाँ'], noWords: ['いいえ', 'нет'] };
		expect(understandYesOrNo('हाँ जी', words)).toBe(true);
		expect(understandYesOrNo('¡SÍ, claro!', words)).toBe(true);
		expect(understandYesOrNo('si\u0301', words)).toBe(true);
		expect(understandYesOrNo('Да.', words)).toBe(true);
		expect(understandYesOrNo('はい。', words)).toBe(true);
		expect(understandYesOrNo('НЕТ', words)).toBe(false);
	});

	test('case, punctuation and what follows the first word change nothing', () => {
		const marks = fc.stringMatching(/^[ .,!?"“”()…\n]{0,8}$/);
		const rest = fc.string();
		fc.assert(
			fc.property(
				fc.constantFrom(...WORDS.yesWords, ...WORDS.noWords),
				marks,
				marks,
				rest,
				fc.boolean(),
				(word, before, after, more, isUpper) => {
					const said = isUpper ? word.toUpperCase() : word;
					expect(understandYesOrNo(`${before}${said} ${after}${more}`, WORDS)).toBe(
						WORDS.yesWords.includes(word),
					);
				},
			),
		);
	});

	test('no text is understood where no word of the lists is in it', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), (text) => {
				const has = [...WORDS.yesWords, ...WORDS.noWords].some((word) =>
					text.normalize('NFKC').toLowerCase().includes(word),
				);
				fc.pre(!has);
				expect(understandYesOrNo(text, WORDS)).toBeUndefined();
			}),
		);
	});
});

describe('one of a list', () => {
	test.each([
		['Friday at 10:00', 0],
		['friday at 10:00, please', 0],
		['FRIDAY', 1],
		['Friday please', 1],
		['“Monday at 2 pm”.', 2],
		['1', 0],
		['2.', 1],
		['#3', 2],
		['(3)', 2],
		['2️⃣', 1],
		['２', 1],
		['Friday  at \t 10:00', 0],
		['2 please', 1],
		['2 pls', 1],
		['3 thx', 2],
		['2, thanks!', 1],
		['a', 0],
		['B)', 1],
		['c, thank you', 2],
	])('%j chooses the entry at %d', (text, index) => {
		expect(understandChoice(text, TIMES)).toEqual({ choice: TIMES[index], index });
	});

	test.each([
		'',
		'?',
		'0',
		'4',
		'-',
		'd',
		'2 of us are coming',
		'A good day is Friday',
		'I',
		'Fridays',
		'Friday-ish',
		'Mon',
		'999999999999999999999',
		'{',
		'ä',
		'bye',
		'1.5',
		'1e0',
		'0x1',
	])('%j chooses nothing', (text) => {
		expect(understandChoice(text, TIMES)).toBeUndefined();
	});

	test('a name counts before a number or a letter', () => {
		expect(understandChoice('1', ['2', '1'])).toEqual({ choice: '1', index: 1 });
		expect(understandChoice('a', ['B', 'A'])).toEqual({ choice: 'A', index: 1 });
	});

	test('a time is not the number at its beginning', () => {
		expect(understandChoice('1:30', ['1', '2'])).toBeUndefined();
		expect(understandChoice('1', ['10:00', '11:00'])).toEqual({ choice: '10:00', index: 0 });
		expect(understandChoice('00', ['10:00', '11:00'])).toBeUndefined();
	});

	test.each([
		['Monday', ['Friday at 10', 'Monday at 2'], 1],
		['Monday, please!', ['Friday at 10', 'Monday at 2'], 1],
		['Monday at 10', ['Tuesday at 9:00', 'Monday at 10:00'], 1],
		['10', ['10:00', '11:00'], 0],
		['10', ['Friday at 10', 'Monday at 2'], 0],
		['morning', ['Friday morning', 'Monday afternoon'], 0],
		['Not today', ['Today', 'Not today'], 1],
		['Monday', ['Monday at 2', 'Tuesday, as on Monday'], 0],
	])('%j is understood, as one name of %j has these words', (text, choices, index) => {
		expect(understandChoice(text, choices)).toEqual({ choice: choices[index], index });
	});

	test.each([
		['Monday', ['Monday at 2', 'Monday at 4']],
		['Monday at 10', ['Monday at 10:00', 'Monday at 10:30']],
		['at', ['Friday at 10', 'Monday at 2']],
		['Mon', ['Friday', 'Monday']],
		['day', ['Friday', 'Monday']],
		['30', ['Friday at 10:30', 'Monday at 11:00']],
		['now', ["Don't-now", 'Later']],
		['Monday works for me', ['Friday at 10', 'Monday at 2']],
	])('%j chooses nothing of %j', (text, choices) => {
		expect(understandChoice(text, choices)).toBeUndefined();
	});

	const DAYS = ['Monday', 'Friday at 2', 'Saturday'];

	test.each([
		['Monday or Saturday', DAYS],
		['Monday/Saturday', DAYS],
		['Monday? No, Saturday', DAYS],
		['Monday works, but Saturday is better', DAYS],
		['Friday at 2 or Saturday', DAYS],
		['Friday at 2/Saturday', DAYS],
		['Saturday, or friday  at 2 (“best”)', DAYS],
		['Monday\nSaturday', DAYS],
		['Friday at 10:00, see you Friday', TIMES],
		['Saturday evening, or Saturday', ['Saturday', 'Saturday evening']],
		['Friday at 2 people', ['Friday at 2', '2 people']],
		['2, 4', ['2', '4', '6']],
		['👍👎', ['👍', '👎']],
		['yes👎', ['yes', '👎']],
	])('%j names two entries of %j, and chooses nothing', (text, choices) => {
		expect(understandChoice(text, choices)).toBeUndefined();
	});

	test.each([
		['Monday or Friday', DAYS],
		['Monday? No, Friday please', DAYS],
		['Monday or friday', ['Monday', 'Friday at 2', 'Friday at 4']],
	])('%j ends with the beginning of another entry of %j, and chooses nothing', (text, choices) => {
		expect(understandChoice(text, choices)).toBeUndefined();
	});

	test.each([
		['Saturday evening', ['Saturday', 'Saturday evening'], 1],
		['Saturday evening, please', ['Saturday', 'Saturday evening'], 1],
		['Saturday', ['Saturday', 'Saturday evening'], 0],
		['Saturday Saturday!', DAYS, 2],
		['Monday or Saturday', ['Monday', 'Saturday', 'Monday or Saturday'], 2],
		['Monday, on Saturdays I work', DAYS, 0],
		['Monday, we are 2', DAYS, 0],
		['Monday at 10:30', ['Monday', '10 people'], 0],
		['Monday at 2', DAYS, 0],
		["No, don't book it", ['Yes, book it', 'No'], 1],
		['Friday at 2, on Friday', DAYS, 1],
		['No, thanks', ['Yes, thanks', 'No'], 1],
		['No, please', ['Yes please', 'No'], 1],
	])('%j names one entry of %j', (text, choices, index) => {
		expect(understandChoice(text, choices)).toEqual({ choice: choices[index], index });
	});

	test('of two entries that a text names, none is chosen, whatever stands around them', () => {
		const name = fc.stringMatching(/^[a-zäø]{3,8}( [a-zäø]{3,8})?$/);
		const list = fc
			.uniqueArray(name, { minLength: 2, maxLength: 6, comparator: isSameAnswer })
			.filter(
				(choices) =>
					!choices.some((one, at) => choices.some((other, of) => at !== of && other.includes(one))),
			);
		const between = fc.constantFrom(' ', ' or ', '/', ', ', '? No, ', '\n', ' & ', ' (');
		const after = fc.constantFrom('', '!', ' is better', ', 2 of us', ' 👍');
		fc.assert(
			fc.property(list, between, after, (choices, link, end) => {
				const [one, other] = choices;
				expect(understandChoice(`${one}${link}${other}${end}`, choices)).toBeUndefined();
			}),
		);
	});

	test('what could be the number or the letter of one entry and the beginning of another chooses nothing', () => {
		expect(understandChoice('2', ['2 pm', '4 pm'])).toBeUndefined();
		expect(understandChoice('a', ['Friday', 'A day off'])).toBeUndefined();
		expect(understandChoice('2', ['1 pm', '2 pm'])).toEqual({ choice: '2 pm', index: 1 });
		expect(understandChoice('2', ['Friday at 2', 'Monday at 10'])?.index).toBe(1);
	});

	test('entries that are numbers or letters themselves have no others', () => {
		for (const choices of [
			['2', '4', '6'],
			['B', 'Other'],
		]) {
			expect(areNumbered(choices)).toBe(false);
			for (const [index, choice] of choices.entries()) {
				expect(understandChoice(`${choice}, please`, choices)).toEqual({ choice, index });
			}
		}
		expect(understandChoice('3', ['2', '4', '6'])).toBeUndefined();
		expect(understandChoice('a', ['B', 'Other'])).toBeUndefined();
		expect(areNumbered(['2 pm', 'Option A', '2026'])).toBe(true);
	});

	test('every entry is understood by its name, its number and its letter', () => {
		// A name that begins with a letter or a number alone could be mistaken for that of another entry.
		const entry = fc
			.tuple(fc.stringMatching(/^[a-zäø]{3}$/), fc.string({ unit: 'grapheme', maxLength: 40 }))
			.map(([word, more]) => word + more);
		const list = fc.uniqueArray(entry, {
			minLength: 2,
			maxLength: 26,
			comparator: isSameAnswer,
		});
		fc.assert(
			fc.property(list, fc.nat(), (choices, at) => {
				const index = at % choices.length;
				const chosen = { choice: choices[index], index };
				expect(understandChoice(choices[index]!, choices)).toEqual(chosen);
				expect(understandChoice(`${index + 1}.`, choices)).toEqual(chosen);
				const letter = String.fromCharCode('A'.charCodeAt(0) + index);
				expect(understandChoice(letter, choices)).toEqual(chosen);
			}),
		);
	});

	test('what is chosen is always an entry of the list', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), fc.array(fc.string()), (text, choices) => {
				const chosen = understandChoice(text, choices);
				if (chosen) expect(choices[chosen.index]).toBe(chosen.choice);
			}),
		);
	});
});

test('a text of a megabyte is read no further than its beginning', () => {
	for (const text of HUGE) {
		const read = jest.spyOn(String.prototype, 'normalize');
		understandYesOrNo(text, WORDS);
		understandChoice(text, TIMES);
		const lengths = read.mock.contexts.map((context) => String(context).length);
		read.mockRestore();
		expect(lengths.length).toBeGreaterThan(0);
		expect(Math.max(...lengths)).toBeLessThanOrEqual(1_000);
	}
	expect(understandYesOrNo(`yes ${'x'.repeat(MEGABYTE)}`, WORDS)).toBe(true);
});

test('words that differ in case or punctuation only are the same answer, and marks alone cannot be said', () => {
	expect(isSameAnswer('Yes!', 'yes')).toBe(true);
	expect(isSameAnswer('Yes', 'yet')).toBe(false);
	expect(canBeSaid('👍')).toBe(true);
	expect(canBeSaid('?!')).toBe(false);
	expect(canBeSaid('x'.repeat(1_000))).toBe(true);
	expect(canBeSaid('x'.repeat(1_001))).toBe(false);
});
