import fc from 'fast-check';
import { isQuoteOf, reactionIn } from '../../nodes/TwoWayMessaging/waiting/reaction';
import {
	unclearChoice,
	understandChoice,
	understandYesOrNo,
	wishIn,
} from '../../nodes/TwoWayMessaging/waiting/understand';
import { LANGUAGES, WORDS, type Language } from '../../nodes/TwoWayMessaging/waiting/words';
import { ABROAD, ANSWERS, ASKED, CHOSEN, WISHES } from './everydayAnswers';

const MEANS = { yes: true, no: false, unclear: undefined } as const;
const KINDS = ['yes', 'no', 'unclear'] as const;

const understand = (text: string, languages: readonly Language[] = ['en'], more: object = {}) =>
	understandYesOrNo(text, { languages, yesWords: [], noWords: [], ...more });

/** The texts of a list that mean something else to the node than to whoever wrote them. */
const misread = (texts: string[], means: boolean | undefined, languages: readonly Language[]) =>
	texts.filter((text) => understand(text, languages) !== means);

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

/** A text with a word before it, behind it and between any two of its words. */
function within(text: string, word: string): string[] {
	const words = text.split(' ');
	return [...words, ''].map((_, at) => words.toSpliced(at, 0, word).join(' '));
}

describe('a yes or a no', () => {
	test.each(KINDS)('is what everyday answers mean: %s', (kind) => {
		expect(misread(ANSWERS[kind], MEANS[kind], ['en'])).toEqual([]);
	});

	describe.each(Object.entries(ABROAD))('in “%s”', (language, lists) => {
		test.each(KINDS)('is what answers mean there: %s', (kind) => {
			expect(misread(lists[kind], MEANS[kind], ['en', language as Language])).toEqual([]);
		});
	});

	describe.each(Object.entries(ASKED))(
		'to a question that names a day, in “%s”',
		(language, asked) => {
			const languages = ['en', language as Language] as const;

			test.each(KINDS)('is what answers mean to that question: %s', (kind) => {
				const { question } = asked;
				const isOther = (text: string) => understand(text, languages, { question }) !== MEANS[kind];
				expect(asked[kind].filter(isOther)).toEqual([]);
			});

			test('is no more what it was with a doubt anywhere in it', () => {
				const { yes, no, question } = asked;
				for (const [texts, doubts, means] of [
					[yes, [...DOUBTS[language as Language], '?'], true],
					[no, [...AGREEMENT[language as Language], '?'], false],
				] as const) {
					const doubtful = texts.flatMap((text) => doubts.flatMap((doubt) => within(text, doubt)));
					const isKept = (text: string) => understand(text, languages, { question }) === means;
					expect(doubtful.filter(isKept)).toEqual([]);
				}
			});
		},
	);

	test('names a day or a time only as the question does', () => {
		const moved = {
			question: 'Your visit is moved from Friday at 10 to Monday at 11. Is that right?',
		};
		expect(
			['Yes, Friday', 'Yes, 10', 'ok Monday'].map((one) => understand(one, ['en'], moved)),
		).toEqual(Array(3).fill(undefined));
		const evening = { question: 'Will you come on Friday at 10 pm?' };
		expect(
			['Yes, 10', 'Yes, 10pm', 'Yes, 10 am', 'Yes, 10:30'].map((one) =>
				understand(one, ['en'], evening),
			),
		).toEqual([true, true, undefined, undefined]);
	});

	test('is never the opposite, whichever languages are chosen', () => {
		const lists = [ANSWERS, ...Object.values(ABROAD), ...Object.values(ASKED)];
		expect(lists.flatMap(({ no }) => no).filter((text) => understand(text, LANGUAGES))).toEqual([]);
		const isNo = (text: string) => understand(text, LANGUAGES) === false;
		expect(lists.flatMap(({ yes }) => yes).filter(isNo)).toEqual([]);
	});

	test('is not read from the beginning of a text, nor from any part of it', () => {
		const texts = [...ANSWERS.yes, ...ANSWERS.no];
		for (const more of ['but I am not sure', 'at 11', 'cancel it', 'anna', '?']) {
			for (const text of texts) expect(understand(`${text} ${more}`)).toBeUndefined();
		}
	});

	test('is never a yes with a denial before or behind it', () => {
		const denials = {
			...{
				en: ['not', 'never', "can't", "I don't", 'no longer', 'but no'],
				de: ['nicht', 'kein', 'nie'],
			},
			...{
				es: ['no', 'nunca'],
				fr: ['pas', 'ne', 'non'],
				it: ['non', 'mai'],
				nl: ['niet', 'geen'],
			},
			pt: ['não', 'nunca'],
		};
		for (const [language, { yes }] of Object.entries({ en: ANSWERS, ...ABROAD })) {
			const more = denials[language as Language];
			const denied = yes.flatMap((text) =>
				more.flatMap((no) => [`${no} ${text}`, `${text} ${no}`]),
			);
			expect(denied.filter((text) => understand(text, ['en', language as Language]))).toEqual([]);
		}
	});

	test('is nothing where a text says both', () => {
		for (const yes of ['yes', 'ok', 'sure', '👍']) {
			for (const no of ['no', 'nope', "I can't", '👎', 'sorry']) {
				expect([`${yes} ${no}`, `${no}, ${yes}`].map((text) => understand(text))).toEqual([
					undefined,
					undefined,
				]);
			}
		}
	});

	test('is nothing by a word that is a yes in one language and a no in another', () => {
		const own = { yesWords: ['hai'], noWords: ['nai'] };
		expect(understand('hai', [], own)).toBe(true);
		expect(understand('nope', ['en'], { yesWords: ['nope'] })).toBeUndefined();
		expect(understand('yes', ['en'], { noWords: ['Yes!'] })).toBeUndefined();
	});

	test('is understood by a person’s own words, in any script', () => {
		const own = { yesWords: ['はい', 'да', 'हाँ', '🚀'], noWords: ['いいえ', 'нет'] };
		expect(['はい。', 'Да!', 'हाँ', '🚀🚀'].map((text) => understand(text, [], own))).toEqual([
			...[true, true, true, true],
		]);
		expect(['いいえ', 'Нет.', 'да нет'].map((text) => understand(text, [], own))).toEqual([
			...[false, false, undefined],
		]);
	});

	test('is understood with a slip of the finger in a long word, and not in a short one', () => {
		expect(
			['Perfcet', 'absolutelly', 'definitley', 'yesss', 'okkkk', 'nooo!'].map((text) =>
				understand(text),
			),
		).toEqual([...[true, true, true, true, true, false]]);
		expect(['yed', 'on', 'surd', 'oky'].map((text) => understand(text))).toEqual(
			Array(4).fill(undefined),
		);
	});

	test.each([
		[
			'en',
			'Do you want to cancel your appointment on Tuesday at 2?',
			"I'll be there Tuesday at 2, definitely coming | see you then | I can't come | no problem | I'm sick | can't wait",
		],
		[
			'en',
			'Shall we give your place to somebody else?',
			"I'll be there | I won't be there | works for me | I'm coming",
		],
		[
			'en',
			'You asked us to move your visit. Is that right?',
			"I'll be there | see you Friday | I can't make it",
		],
		['en', 'Are you running late?', "I'll be there on time | be there then"],
		['en', 'Will you miss your lesson on Friday?', "see you Friday | I can't come"],
		[
			'de',
			'Möchten Sie den Termin absagen?',
			'ich komme | bis dann | ich kann nicht | nein, bis dann',
		],
		['es', '¿Quiere cancelar su cita?', 'ahí estaré | no puedo ir | nos vemos'],
		['fr', 'Voulez-vous annuler votre rendez-vous ?', 'je serai là | je ne peux pas | à vendredi'],
		['it', 'Vuole disdire l’appuntamento?', 'ci sarò | non posso venire | a venerdì'],
		['nl', 'Wilt u de afspraak afzeggen?', 'ik kom | ik kan niet | tot dan'],
		['pt', 'Quer cancelar a consulta?', 'estarei lá | não posso ir | até lá'],
	] as const)(
		'about calling off is only what plain words say, in “%s”: %s',
		(language, question, texts) => {
			const read = (text: string) => understand(text, [language], { question });
			expect(texts.split('|').filter((text) => read(text) !== undefined)).toEqual([]);
			const plainOnes = {
				de: ['ja', 'nein danke'],
				en: ['Yes please', 'no thanks'],
				es: ['sí', 'no gracias'],
			};
			const more = {
				fr: ['oui', 'non merci'],
				it: ['sì', 'no grazie'],
				nl: ['ja', 'nee bedankt'],
				pt: ['sim', 'não'],
			};
			expect({ ...plainOnes, ...more }[language].map(read)).toEqual([true, false]);
			expect(understand('sono', [], { question, yesWords: ['sono'] })).toBe(true);
		},
	);

	test.each([
		['Any problem with Friday?', 'en'],
		['Do you mind if we come at 3?', 'en'],
		['Haben Sie etwas dagegen?', 'de'],
		['Ça vous dérange ?', 'fr'],
	] as const)(
		'to whether anything is against it is a literal yes or no alone: %s',
		(question, language) => {
			const texts = [
				'no problem',
				'not at all',
				"I don't mind",
				'none',
				'sure',
				'ok',
				'go ahead',
				'👍',
				'kein Problem',
				'gerne',
				'pas du tout',
			];
			const read = (text: string) => understand(text, ['en', language], { question });
			expect(texts.filter((text) => read(text) !== undefined)).toEqual([]);
			expect(['yes', 'No'].map(read)).toEqual([true, false]);
		},
	);

	test('is about coming where another sentence says how to call off', () => {
		const question = 'Will you come to your lesson on Friday? Reply STOP to cancel.';
		expect(understand('see you Friday', ['en'], { question })).toBe(true);
		expect(understand("can't make it", ['en'], { question })).toBe(false);
	});

	test('is a no by calling off what the question asks, and by nothing that denies that', () => {
		const question = 'Will you come to your lesson on Friday?';
		const read = (text: string) => understand(text, LANGUAGES, { question });
		const off = [
			'I have to cancel',
			'please cancel it',
			'No, please cancel',
			'muss leider absagen',
			'je dois annuler',
		];
		expect(off.map(read)).toEqual(off.map(() => false));
		const kept = [
			"don't cancel",
			'never cancel',
			"I don't have to cancel",
			'no cancelen',
			'no tengo que cancelar',
			'n’annulez pas',
			'não cancele',
			'bitte nicht absagen',
			'Yes, please cancel',
			'can you cancel?',
			'cancel',
		];
		expect(kept.filter((text) => read(text) !== undefined)).toEqual([]);
		expect(understand('please cancel it')).toBeUndefined();
	});

	test('is what a clear no behind a “but” says, if the yes before it is about the message alone', () => {
		const no = [
			"Yes I got your message, but I won't be able to come",
			"Yes, I saw the reminder but I can't",
			'I have read your message, but no',
		];
		expect(no.map((text) => understand(text))).toEqual([false, false, false]);
		const unclear = [
			"Yes, but I can't",
			"I can't but",
			'Yes, I got your message',
			'but',
			'Yes but',
			"No but I'll be there",
			"Yes, I got your message. I'll be there",
		];
		expect(unclear.filter((text) => understand(text) !== undefined)).toEqual([]);
	});

	test('may be signed, and a last word with a capital is no name elsewhere', () => {
		const signed = [
			'Confirmed. Kind regards, Margaret Hill',
			'Yes, thanks, Tom',
			'No.\nBest wishes\nAnna Bell',
			'Ja, viele Grüße, Anna',
		];
		expect(signed.map((text) => understand(text, ['en', 'de']))).toEqual([true, true, false, true]);
		const unclear = [
			'Yes thanks. Reschedule',
			'Yes thanks\nPostponing',
			'Yes, thanks, Monday',
			'Yes, thanks, Cancel',
			'Yes, Mark',
			'Yes, thanks, Tom Bell is ill',
		];
		expect(unclear.filter((text) => understand(text, ['en', 'de']) !== undefined)).toEqual([]);
	});

	test('has no word in a language’s list of yes that its list of no has, too', () => {
		for (const language of LANGUAGES) {
			const { yes = '', no = '' } = WORDS[language];
			const isBoth = (text: string) => understand(text, [language]) === undefined;
			const words = [yes, no].flatMap((entries) => entries.split(','));
			const plainOnes = words.filter((entry) => !/[/~+@*]/.test(entry));
			expect(plainOnes.filter(isBoth)).toEqual([]);
		}
	});
});

describe('one of a list', () => {
	test.each(CHOSEN)('is what people mean who choose from $choices', ({ choices, texts }) => {
		const chosen = texts.map(([text]) => [
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
	test.each([
		['Liked “Will you come?”', '👍'],
		['Loved “Will you come?”', '👍'],
		['Disliked “Will you come?”', '👎'],
		['👍 to “Will you come?”', '👍'],
		['Reacted 👎 to “Will you come?”', '👎'],
		['❤️ to "Will you come?"', '👍'],
		['😂 to “Will you come?”', '😂'],
		['Laughed at “Will you come?”', '?'],
		['Emphasized “Will you come?”', '?'],
		['Questioned “Will you come?”', '?'],
		['Removed a like from “Will you come?”', '?'],
		['Removed 👍 from “Will you come?”', '?'],
		['Gefällt mir: „Will you come?“', '👍'],
		['„Will you come?“ gefällt mir nicht', '👎'],
		['Mag ich: „Will you come?“', '👍'],
		['Lachte über „Will you come?“', '?'],
		['Hat mit 👍🏽 auf „Will you come?“ reagiert', '👍'],
		['Le gusta “Will you come?”', '👍'],
		['Me encanta “Will you come?”', '👍'],
		['No le gustó «Will you come?»', '👎'],
		['Reaccionó con ❤️ a “Will you come?”', '👍'],
		['A aimé « Will you come? »', '👍'],
		['A adoré «\u00a0Will you come?\u00a0»', '👍'],
		['N’a pas aimé « Will you come? »', '👎'],
		['A réagi avec 👎 à « Will you come? »', '👎'],
		['Mi piace: “Will you come?”', '👍'],
		['Ha reagito con 👍 a “Will you come?”', '👍'],
		['Gostou de “Will you come?”', '👍'],
		['Não gostou de “Will you come?”', '👎'],
		['Vond “Will you come?” leuk', '👍'],
		['Vond “Will you come?” niet leuk', '👎'],
	])('%s says what it quotes, and what it means', (text, emoji) => {
		const reaction = reactionIn(text);
		expect(reaction).toEqual({ quoted: 'Will you come?', emoji });
		expect(isQuoteOf(reaction?.quoted ?? '', 'Will you come?')).toBe(true);
		expect(isQuoteOf(reaction?.quoted ?? '', 'Will you come on Friday?')).toBe(false);
	});

	test('quotes a long text with its end cut off', () => {
		const text = 'Hi Anna, your appointment is on Friday at 10. Will you come?';
		expect(isQuoteOf('Hi Anna, your appointment is…', text)).toBe(true);
		expect(isQuoteOf('Hi Anna, your appointment is', text)).toBe(false);
		expect(isQuoteOf('…', text)).toBe(false);
	});

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
		const answers = [ANSWERS, ...Object.values(ABROAD)].flatMap((lists) => Object.values(lists));
		expect(answers.flat().filter((text) => wishIn(text) !== undefined)).toEqual([]);
	});
});

describe('hostile texts', () => {
	const MEGABYTE = 2 ** 20;
	const PARTS = [
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
	];
	const HUGE = PARTS.map((part) => part.repeat(Math.ceil(MEGABYTE / part.length)));

	test.each(HUGE.map((text) => [JSON.stringify(text.slice(0, 4)), text]))(
		'a megabyte of %s means nothing, and takes no time',
		(_, text) => {
			const startedAt = performance.now();
			expect(understand(text, LANGUAGES)).toBeUndefined();
			expect(understandChoice(text, ['one', 'two'], LANGUAGES)).toBeUndefined();
			expect(wishIn(text)).toBeUndefined();
			expect(reactionIn(text)).toBeUndefined();
			expect(performance.now() - startedAt).toBeLessThan(2_000);
		},
	);

	test.each([
		'yes ',
		'no way ',
		'abcdefghijklmnop ',
		'aa',
		'👍',
		'stop texting ',
		'i will not be ',
	])('of the longest text that is read, no part is read again and again: %j', (part) => {
		const text = part.repeat(1_000).slice(0, 1_000);
		const startedAt = performance.now();
		for (let count = 0; count < 10; count += 1) {
			understand(text, LANGUAGES);
			understandChoice(text, [text.slice(1), text.slice(2)], LANGUAGES);
			wishIn(text);
		}
		expect(performance.now() - startedAt).toBeLessThan(5_000);
	});

	test('no text breaks the reading, and of a list nothing is chosen but its entries', () => {
		const piece = fc.constantFrom('yes', 'no', ' ', "'", '“', '”', 'to ', '👍', '2', '.', '?', 'a');
		const text = fc.oneof(
			fc.string({ unit: 'binary' }),
			fc.array(piece).map((all) => all.join('')),
		);
		fc.assert(
			fc.property(text, fc.array(fc.string(), { maxLength: 30 }), (said, choices) => {
				expect([true, false, undefined]).toContain(understand(said, LANGUAGES));
				const chosen = understandChoice(said, choices, LANGUAGES);
				if (chosen) expect(choices[chosen.index]).toBe(chosen.choice);
				expect(typeof (wishIn(said) ?? '')).toBe('string');
				expect(typeof (reactionIn(said)?.emoji ?? '')).toBe('string');
			}),
		);
	});
});
