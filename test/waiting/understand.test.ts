import fc from 'fast-check';
import { wishIn } from '../../nodes/TwoWayMessaging/waiting/consent';
import { isQuoteOf, reactionIn } from '../../nodes/TwoWayMessaging/waiting/reaction';
import {
	unclearChoice,
	understandChoice,
	understandYesOrNo,
	type YesAndNo,
} from '../../nodes/TwoWayMessaging/waiting/understand';
import { LANGUAGES, WORDS, type Language } from '../../nodes/TwoWayMessaging/waiting/words';
import { ANSWERS, CHOSEN, DOUBTS, REACTIONS, WISHES, type Meant } from './everydayTexts';

const MEANS = { yes: true, no: false, unclear: undefined };

/** What a text means, to who understands English unless said otherwise. */
const understand = (text: string, more: Partial<YesAndNo> = {}) =>
	understandYesOrNo(text, { languages: ['en'], yesWords: [], noWords: [], ...more });

/** The texts that mean something else to the node than to whoever wrote them. */
const misread = ({ yes, no, unclear }: Meant, more?: Partial<YesAndNo>) =>
	Object.entries({ yes, no, unclear }).flatMap(([kind, texts]) =>
		texts.filter((text) => understand(text, more) !== MEANS[kind as keyof Meant]),
	);

/** Texts with strokes between them. */
const list = (texts: string): string[] =>
	texts
		.split('|')
		.map((text) => text.trim())
		.filter((text) => text !== '');

const inLanguage = (language: Language) => ANSWERS.filter((one) => one.language === language);

/** A text with a word before it, behind it and between any two of its words. */
function within(text: string, word: string): string[] {
	const words = text.split(' ');
	return [...words, ''].map((_, at) => words.toSpliced(at, 0, word).join(' '));
}

const BOTH = ['yes', 'ok', 'sure', '👍'].flatMap((yes) =>
	['no', 'nope', "I can't", '👎', 'sorry'].flatMap((no) => [`${yes} ${no}`, `${no}, ${yes}`]),
);

type Rule = Partial<Record<keyof Meant, string>> & { rule: string; to?: Partial<YesAndNo> };

const RULES: Rule[] = [
	{ rule: 'a text that says both means neither', unclear: BOTH.join('|') },
	{
		rule: 'a word that is a yes in one list and a no in another is neither',
		to: { yesWords: ['nope'], noWords: ['Yes!'] },
		unclear: 'nope | yes',
	},
	{
		rule: 'a person’s own words count, in any script',
		to: { languages: [], yesWords: ['はい', 'да', 'हाँ', '🚀'], noWords: ['いいえ', 'нет'] },
		yes: 'はい。 | Да! | हाँ | 🚀🚀',
		no: 'いいえ | Нет.',
		unclear: 'да нет',
	},
	{
		rule: 'to call off what the question asks is a no, and to deny that is nothing',
		to: { question: 'Will you come to your lesson on Friday?', languages: LANGUAGES },
		no: 'I have to cancel | please cancel it | No, please cancel | muss leider absagen | je dois annuler',
		unclear: `
			don't cancel | never cancel | I don't have to cancel | no cancelen | no tengo que cancelar | n’annulez pas | não cancele |
			bitte nicht absagen | Yes, please cancel | can you cancel? | cancel
		`,
	},
	{
		rule: 'a text may be signed, and a last word with a capital is no name elsewhere',
		to: { languages: ['en', 'de'] },
		yes: 'Confirmed. Kind regards, Margaret Hill | Yes, thanks, Tom | Ja, viele Grüße, Anna',
		no: 'No.\nBest wishes\nAnna Bell',
		unclear: `
			Yes thanks. Reschedule | Yes thanks\nPostponing | Yes, thanks, Monday | Yes, thanks, Cancel | Yes, Mark |
			Yes, thanks, Tom Bell is ill
		`,
	},
];

describe('a yes or a no', () => {
	describe.each(LANGUAGES)('in “%s”', (language) => {
		const languages = [...new Set(['en', language] as const)];
		const doubts = DOUBTS[language];

		test.each(inLanguage(language))('is what answers mean to $to', (answers) => {
			const { question } = answers;
			expect(misread(answers, { languages, question })).toEqual([]);
			const own = { languages: [], yesWords: ['sono'] };
			expect(understand('sono', { ...own, question })).toBe(true);
		});

		test.each(inLanguage(language).filter(({ question }) => question))(
			'is no more what it was with a doubt anywhere in it, to $to',
			({ question, yes, no }) => {
				for (const [texts, of, means] of [
					[yes, doubts('of yes'), true],
					[no, doubts('of no'), false],
				] as const) {
					const doubtful = texts.flatMap((text, at) =>
						[of[at % of.length]!, '?'].flatMap((doubt) => within(text, doubt)),
					);
					const to = { languages, question };
					expect(doubtful.filter((text) => understand(text, to) === means)).toEqual([]);
				}
			},
		);

		test('is never a yes with a denial before or behind it', () => {
			const denials = doubts('denies');
			const [{ yes = [] } = {}] = inLanguage(language);
			const denied = yes.flatMap((text, at) => {
				const no = denials[at % denials.length]!;
				return [`${no} ${text}`, `${text} ${no}`];
			});
			expect(denied.filter((text) => understand(text, { languages }))).toEqual([]);
		});
	});

	test('is never the opposite, whichever languages are chosen', () => {
		const means = (text: string) => understand(text, { languages: LANGUAGES });
		expect(ANSWERS.flatMap(({ no }) => no).filter((text) => means(text) === true)).toEqual([]);
		expect(ANSWERS.flatMap(({ yes }) => yes).filter((text) => means(text) === false)).toEqual([]);
	});

	test('is not read from the beginning of a text, nor from any part of it', () => {
		const more = ['but I am not sure', 'at 11', 'cancel it', 'anna', '?'];
		const [{ yes, no } = { yes: [], no: [] }] = inLanguage('en');
		const texts = [...yes, ...no];
		const longer = texts.flatMap((text) => more.map((one) => `${text} ${one}`));
		expect(longer.filter((text) => understand(text) !== undefined)).toEqual([]);
	});

	test.each(RULES)(
		'is told from what is none: $rule',
		({ to, yes = '', no = '', unclear = '' }) => {
			const meant = { yes: list(yes), no: list(no), unclear: list(unclear) };
			expect(misread(meant, to)).toEqual([]);
		},
	);

	test('has no word in a language’s list of yes that its list of no has, too', () => {
		for (const language of LANGUAGES) {
			const { yes = '', no = '' } = WORDS[language];
			const plainOnes = `${yes},${no}`.split(',').filter((entry) => !/[/~+@*]/.test(entry));
			const isBoth = (text: string) => understand(text, { languages: [language] }) === undefined;
			expect(plainOnes.filter(isBoth)).toEqual([]);
		}
	});
});

describe('one of a list', () => {
	test.each(CHOSEN)('is what people mean who choose from $choices', ({ choices, texts }) => {
		const chosen = texts.map(([text = '']) => [
			text,
			understandChoice(text, choices, ['en'])?.choice ?? '',
		]);
		expect(chosen).toEqual(texts);
	});

	test('is every entry by its name, its number and its letter, with politeness around it', () => {
		const name = fc.stringMatching(/^[a-z]{7,12}( [a-z]{7,12})?$/);
		fc.assert(
			fc.property(fc.uniqueArray(name, { minLength: 2, maxLength: 9 }), (choices) => {
				fc.pre(unclearChoice(choices) === undefined);
				for (const [index, choice] of choices.entries()) {
					const letter = String.fromCharCode('a'.charCodeAt(0) + index);
					for (const said of [choice, choice.toUpperCase(), `${index + 1}`, `${letter})`]) {
						for (const text of [said, `Hi, ${said} please!`, `${said}. Thank you`]) {
							expect(understandChoice(text, choices, ['en'])).toEqual({ choice, index });
						}
					}
				}
			}),
			{ numRuns: 20 },
		);
	});

	test.each([
		[['2', '1'], '2'],
		[['B', 'A'], 'B'],
		[['Friday', 'friday!'], 'friday!'],
		[['Friday', '?!'], '?!'],
		[['1', '2'], undefined],
		[['4', '6'], undefined],
	])('has no entry of which the name is another’s, or its number: %j', (choices, unclear) => {
		expect(unclearChoice(choices)).toBe(unclear);
	});
});

describe('the reaction of a phone', () => {
	test.each(REACTIONS)('means %s, and says what it quotes: %s', (emoji, text) => {
		expect(reactionIn(text)).toEqual({ quoted: 'Will you come?', emoji });
	});

	test.each([
		['Will you come?', 'Will you come?', true],
		['Will you come?', 'Will you come on Friday?', false],
		['Hi Anna, your appointment is…', 'Hi Anna, your appointment is on Friday.', true],
		['Hi Anna, your appointment is', 'Hi Anna, your appointment is on Friday.', false],
		['…', 'Hi Anna, your appointment is on Friday.', false],
	])(
		'quotes a text whole, or a long one with its end cut off: “%s” of “%s”',
		(quoted, text, isQuoted) => {
			expect(isQuoteOf(quoted, text)).toBe(isQuoted);
		},
	);

	test.each([
		...['Yes', 'I said “yes”', 'to “whom”', 'Liked it', '“Will you come?”', ''],
		...['👍 but not “Friday”', 'Would have liked “more”', 'Gefällt mir', 'a “b” c'],
	])('is not what a person has typed: %j', (text) => {
		expect(reactionIn(text)).toBeUndefined();
	});
});

describe('who wants to be left alone', () => {
	test('is understood, and nobody else, though their texts look alike', () => {
		expect(WISHES.filter(([means, text]) => (wishIn(text) ?? 'none') !== means)).toEqual([]);
	});

	test('is nobody who answers a question', () => {
		const answers = ANSWERS.flatMap(({ yes, no, unclear }) => [...yes, ...no, ...unclear]);
		expect(answers.filter((text) => wishIn(text) !== undefined)).toEqual([]);
	});
});

describe('hostile texts', () => {
	const MEGABYTE = 2 ** 20;
	const IN_ALL = { languages: LANGUAGES };
	const PARTS = [
		...['yes ', ' ', 'y', '.', '👍', '\u0301', "'", '-'],
		...['1', 'no-', '\ud83d', '\n', ':', 'x“', '”  '],
	];
	const HUGE = PARTS.map((part) => part.repeat(Math.ceil(MEGABYTE / part.length)));

	test.each(HUGE.map((text) => [JSON.stringify(text.slice(0, 4)), text]))(
		'a megabyte of %s means nothing, and takes no time',
		(_, text) => {
			const startedAt = process.cpuUsage().user;
			expect(understand(text, IN_ALL)).toBeUndefined();
			expect(understandChoice(text, ['one', 'two'], LANGUAGES)).toBeUndefined();
			expect(wishIn(text)).toBeUndefined();
			expect(reactionIn(text)).toBeUndefined();
			expect((process.cpuUsage().user - startedAt) / 1_000).toBeLessThan(2_000);
		},
	);

	test.each([
		...['yes ', 'no way ', 'abcdefghijklmnop ', 'aa', '👍', 'stop texting ', 'i will not be '],
	])('of the longest text that is read, no part is read again and again: %j', (part) => {
		const text = part.repeat(1_000).slice(0, 1_000);
		const startedAt = process.cpuUsage().user;
		for (let count = 0; count < 3; count += 1) {
			understand(text, IN_ALL);
			understandChoice(text, [text.slice(1), text.slice(2)], LANGUAGES);
			wishIn(text);
		}
		expect((process.cpuUsage().user - startedAt) / 1_000).toBeLessThan(2_500);
	});

	test('no text breaks the reading, and of a list nothing is chosen but its entries', () => {
		const piece = fc.constantFrom('yes', 'no', ' ', "'", '“', '”', 'to ', '👍', '2', '.', '?', 'a');
		const text = fc.oneof(
			fc.string({ unit: 'binary' }),
			fc.array(piece).map((all) => all.join('')),
		);
		fc.assert(
			fc.property(text, fc.array(fc.string(), { maxLength: 30 }), (said, choices) => {
				expect([true, false, undefined]).toContain(understand(said, IN_ALL));
				const chosen = understandChoice(said, choices, LANGUAGES);
				if (chosen) expect(choices[chosen.index]).toBe(chosen.choice);
				expect(typeof (wishIn(said) ?? '')).toBe('string');
				expect(typeof (reactionIn(said)?.emoji ?? '')).toBe('string');
			}),
		);
	});
});
