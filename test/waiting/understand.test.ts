import fc from 'fast-check';
import { isQuoteOf, reactionIn } from '../../nodes/TwoWayMessaging/waiting/reaction';
import {
	unclearChoice,
	understandChoice,
	understandYesOrNo,
	wishIn,
	type YesAndNo,
} from '../../nodes/TwoWayMessaging/waiting/understand';
import { LANGUAGES, WORDS, type Language } from '../../nodes/TwoWayMessaging/waiting/words';
import { ANSWERS, ASKED, CHOSEN, list, WISHES, type Meant } from './everydayAnswers';

const MEANS = { yes: true, no: false, unclear: undefined };

/** What a text means, to who understands English unless said otherwise. */
const understand = (text: string, more: Partial<YesAndNo> = {}) =>
	understandYesOrNo(text, { languages: ['en'], yesWords: [], noWords: [], ...more });

/** The texts that mean something else to the node than to whoever wrote them. */
const misread = ({ yes, no, unclear }: Meant, more?: Partial<YesAndNo>) =>
	Object.entries({ yes, no, unclear }).flatMap(([kind, texts]) =>
		texts.filter((text) => understand(text, more) !== MEANS[kind as keyof Meant]),
	);

/** What makes a yes doubtful, wherever it stands in it, and what a no. */
const DOUBTS: Record<Language, string[]> = {
	de: ['nicht', 'nein', 'Montag', 'wenn'],
	en: ['not', 'but', 'never', 'maybe', 'unless', 'Monday', 'cancel'],
	es: ['nunca', 'pero', 'lunes', 'quizás'],
	fr: ['pas', 'jamais', 'lundi', 'peut-être'],
	it: ['non', 'mai', 'lunedì', 'se'],
	nl: ['niet', 'nee', 'nooit', 'maandag', 'als'],
	pt: ['não', 'nunca', 'mas', 'talvez', 'se'],
};
const AGREEMENT: Record<Language, string[]> = {
	de: ['ja', 'gerne', 'Montag', 'wenn'],
	en: ['yes', 'sure', 'unless', 'Monday', 'wait'],
	es: ['sí', 'claro', 'lunes', 'quizás'],
	fr: ['oui', 'lundi', 'si'],
	it: ['sì', 'certo', 'lunedì', 'se'],
	nl: ['ja', 'graag', 'maandag', 'als'],
	pt: ['sim', 'claro', 'talvez', 'se'],
};

/** What denies a yes before or behind it. */
const DENIALS: Record<Language, string[]> = {
	de: ['nicht', 'kein', 'nie'],
	en: ['not', 'never', "can't", "I don't", 'no longer', 'but no'],
	es: ['no', 'nunca'],
	fr: ['pas', 'ne', 'non'],
	it: ['non', 'mai'],
	nl: ['niet', 'geen'],
	pt: ['não', 'nunca'],
};

/** A text with a word before it, behind it and between any two of its words. */
function within(text: string, word: string): string[] {
	const words = text.split(' ');
	return [...words, ''].map((_, at) => words.toSpliced(at, 0, word).join(' '));
}

/** Texts that say a yes and a no. */
const BOTH = ['yes', 'ok', 'sure', '👍'].flatMap((yes) =>
	['no', 'nope', "I can't", '👎', 'sorry'].flatMap((no) => [`${yes} ${no}`, `${no}, ${yes}`]),
);

type Rule = Partial<Record<keyof Meant, string>> & { rule: string; to?: Partial<YesAndNo> };

const RULES: Rule[] = [
	{
		rule: 'a day or a time counts only as the question names it',
		to: { question: 'Your visit is moved from Friday at 10 to Monday at 11. Is that right?' },
		unclear: 'Yes, Friday | Yes, 10 | ok Monday',
	},
	{
		rule: 'a time may leave out its half of the day, and not have another',
		to: { question: 'Will you come on Friday at 10 pm?' },
		yes: 'Yes, 10 | Yes, 10pm',
		unclear: 'Yes, 10 am | Yes, 10:30',
	},
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
		rule: 'a slip of the finger is forgiven in a long word, and not in a short one',
		yes: 'Perfcet | absolutelly | definitley | yesss | okkkk',
		no: 'nooo!',
		unclear: 'yed | on | surd | oky',
	},
	{
		rule: 'a sentence about coming counts where another one says how to call off',
		to: { question: 'Will you come to your lesson on Friday? Reply STOP to cancel.' },
		yes: 'see you Friday',
		no: "can't make it",
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
	{ rule: 'to call off is nothing where nobody was asked', unclear: 'please cancel it' },
	{
		rule: 'a clear no behind a “but” counts, if the yes before it is about the message alone',
		no: `
			Yes I got your message, but I won't be able to come | Yes, I saw the reminder but I can't | I have read your message, but no
		`,
		unclear: `
			Yes, but I can't | I can't but | Yes, I got your message | but | Yes but | No but I'll be there |
			Yes, I got your message. I'll be there
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

/** Questions about calling off, and what is no answer to them: “I'll be there” is no yes. */
const TURNED: Record<Language, Record<string, string>> = {
	de: {
		'Möchten Sie den Termin absagen?': 'ich komme | bis dann | ich kann nicht | nein, bis dann',
	},
	en: {
		'Do you want to cancel your appointment on Tuesday at 2?':
			"I'll be there Tuesday at 2, definitely coming | see you then | I can't come | no problem | I'm sick | can't wait",
		'Shall we give your place to somebody else?':
			"I'll be there | I won't be there | works for me | I'm coming",
		'You asked us to move your visit. Is that right?':
			"I'll be there | see you Friday | I can't make it",
		'Are you running late?': "I'll be there on time | be there then",
		'Will you miss your lesson on Friday?': "see you Friday | I can't come",
	},
	es: { '¿Quiere cancelar su cita?': 'ahí estaré | no puedo ir | nos vemos' },
	fr: {
		'Voulez-vous annuler votre rendez-vous ?': 'je serai là | je ne peux pas | à vendredi',
	},
	it: { 'Vuole disdire l’appuntamento?': 'ci sarò | non posso venire | a venerdì' },
	nl: { 'Wilt u de afspraak afzeggen?': 'ik kom | ik kan niet | tot dan' },
	pt: { 'Quer cancelar a consulta?': 'estarei lá | não posso ir | até lá' },
};
const PLAIN: Record<Language, { yes: string; no: string }> = {
	de: { yes: 'ja', no: 'nein danke' },
	en: { yes: 'Yes please', no: 'no thanks' },
	es: { yes: 'sí', no: 'no gracias' },
	fr: { yes: 'oui', no: 'non merci' },
	it: { yes: 'sì', no: 'no grazie' },
	nl: { yes: 'ja', no: 'nee bedankt' },
	pt: { yes: 'sim', no: 'não' },
};

describe('a yes or a no', () => {
	test.each(LANGUAGES)('is what everyday answers mean, in “%s”', (language) => {
		const languages = [...new Set(['en', language] as const)];
		expect(misread(ANSWERS[language], { languages })).toEqual([]);
	});

	describe.each(LANGUAGES)('to a question that names a day, in “%s”', (language) => {
		const { question, ...asked } = ASKED[language];
		const to = { languages: ['en', language] as const, question };

		test('is what answers mean to that question', () => {
			expect(misread(asked, to)).toEqual([]);
		});

		test('is no more what it was with a doubt anywhere in it', () => {
			for (const [texts, doubts, means] of [
				[asked.yes, DOUBTS[language], true],
				[asked.no, AGREEMENT[language], false],
			] as const) {
				const doubtful = texts.flatMap((text, at) =>
					[doubts[at % doubts.length]!, '?'].flatMap((doubt) => within(text, doubt)),
				);
				expect(doubtful.filter((text) => understand(text, to) === means)).toEqual([]);
			}
		});
	});

	test('is never the opposite, whichever languages are chosen', () => {
		const lists = [...Object.values(ANSWERS), ...Object.values(ASKED)];
		const means = (text: string) => understand(text, { languages: LANGUAGES });
		expect(lists.flatMap(({ no }) => no).filter((text) => means(text) === true)).toEqual([]);
		expect(lists.flatMap(({ yes }) => yes).filter((text) => means(text) === false)).toEqual([]);
	});

	test('is not read from the beginning of a text, nor from any part of it', () => {
		const more = ['but I am not sure', 'at 11', 'cancel it', 'anna', '?'];
		const texts = [...ANSWERS.en.yes, ...ANSWERS.en.no];
		const longer = texts.flatMap((text) => more.map((one) => `${text} ${one}`));
		expect(longer.filter((text) => understand(text) !== undefined)).toEqual([]);
	});

	test.each(LANGUAGES)('is never a yes with a denial before or behind it, in “%s”', (language) => {
		const denials = DENIALS[language];
		const denied = ANSWERS[language].yes.flatMap((text, at) => {
			const no = denials[at % denials.length]!;
			return [`${no} ${text}`, `${text} ${no}`];
		});
		const to = { languages: ['en', language] as const };
		expect(denied.filter((text) => understand(text, to))).toEqual([]);
	});

	test.each(RULES)(
		'is told from what is none: $rule',
		({ to, yes = '', no = '', unclear = '' }) => {
			const meant = { yes: list(yes), no: list(no), unclear: list(unclear) };
			expect(misread(meant, to)).toEqual([]);
		},
	);

	test.each(LANGUAGES)('about calling off is only what plain words say, in “%s”', (language) => {
		const { yes, no } = PLAIN[language];
		for (const [question, unclear] of Object.entries(TURNED[language])) {
			const meant = { yes: [yes], no: [no], unclear: list(unclear) };
			expect(misread(meant, { languages: [language], question })).toEqual([]);
			expect(understand('sono', { languages: [], question, yesWords: ['sono'] })).toBe(true);
		}
	});

	test.each([
		['Any problem with Friday?', 'en'],
		['Do you mind if we come at 3?', 'en'],
		['Haben Sie etwas dagegen?', 'de'],
		['Ça vous dérange ?', 'fr'],
	] as const)(
		'to whether anything is against it is a literal yes or no alone: %s',
		(question, language) => {
			const unclear = list(`
				no problem | not at all | I don't mind | none | sure | ok | go ahead | 👍 | kein Problem | gerne | pas du tout
			`);
			const to = { languages: ['en', language] as const, question };
			expect(misread({ yes: ['yes'], no: ['No'], unclear }, to)).toEqual([]);
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

const REACTIONS = {
	'👍': `
		Liked “Will you come?” | Loved “Will you come?” | 👍 to “Will you come?” | ❤️ to "Will you come?" |
		Gefällt mir: „Will you come?“ | Mag ich: „Will you come?“ | Hat mit 👍🏽 auf „Will you come?“ reagiert |
		Le gusta “Will you come?” | Me encanta “Will you come?” | Reaccionó con ❤️ a “Will you come?” | A aimé « Will you come? » |
		A adoré «\u00a0Will you come?\u00a0» | Mi piace: “Will you come?” | Ha reagito con 👍 a “Will you come?” |
		Gostou de “Will you come?” | Vond “Will you come?” leuk
	`,
	'👎': `
		Disliked “Will you come?” | Reacted 👎 to “Will you come?” | „Will you come?“ gefällt mir nicht | No le gustó «Will you come?» |
		N’a pas aimé « Will you come? » | A réagi avec 👎 à « Will you come? » | Não gostou de “Will you come?” |
		Vond “Will you come?” niet leuk
	`,
	'😂': '😂 to “Will you come?”',
	'?': `
		Laughed at “Will you come?” | Emphasized “Will you come?” | Questioned “Will you come?” |
		Removed a like from “Will you come?” | Removed 👍 from “Will you come?” | Lachte über „Will you come?“
	`,
};

describe('the reaction of a phone', () => {
	test.each(Object.entries(REACTIONS))('says what it quotes, and means %s', (emoji, texts) => {
		for (const text of list(texts)) {
			expect([text, reactionIn(text)]).toEqual([text, { quoted: 'Will you come?', emoji }]);
		}
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
	test.each(['optedOut', 'wrongNumber', 'none'] as const)('is understood: %s', (kind) => {
		const expected = kind === 'none' ? undefined : kind;
		expect(WISHES[kind].filter((text) => wishIn(text) !== expected)).toEqual([]);
	});

	test('is nobody who answers a question', () => {
		const answers = Object.values(ANSWERS).flatMap((meant) => Object.values(meant));
		expect(answers.flat().filter((text) => wishIn(text) !== undefined)).toEqual([]);
	});
});

describe('hostile texts', () => {
	const MEGABYTE = 2 ** 20;
	const IN_ALL = { languages: LANGUAGES };
	const PARTS = [
		...[
			'yes ',
			' ',
			'y',
			'.',
			'👍',
			'\u0301',
			"'",
			'-',
			'1',
			'no-',
			'\ud83d',
			'\n',
			':',
			'x“',
			'”  ',
		],
	];
	const HUGE = PARTS.map((part) => part.repeat(Math.ceil(MEGABYTE / part.length)));

	test.each(HUGE.map((text) => [JSON.stringify(text.slice(0, 4)), text]))(
		'a megabyte of %s means nothing, and takes no time',
		(_, text) => {
			const startedAt = performance.now();
			expect(understand(text, IN_ALL)).toBeUndefined();
			expect(understandChoice(text, ['one', 'two'], LANGUAGES)).toBeUndefined();
			expect(wishIn(text)).toBeUndefined();
			expect(reactionIn(text)).toBeUndefined();
			expect(performance.now() - startedAt).toBeLessThan(2_000);
		},
	);

	test.each([
		...['yes ', 'no way ', 'abcdefghijklmnop ', 'aa', '👍', 'stop texting ', 'i will not be '],
	])('of the longest text that is read, no part is read again and again: %j', (part) => {
		const text = part.repeat(1_000).slice(0, 1_000);
		const startedAt = performance.now();
		for (let count = 0; count < 3; count += 1) {
			understand(text, IN_ALL);
			understandChoice(text, [text.slice(1), text.slice(2)], LANGUAGES);
			wishIn(text);
		}
		expect(performance.now() - startedAt).toBeLessThan(2_500);
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
