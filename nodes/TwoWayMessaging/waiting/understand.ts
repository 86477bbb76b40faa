import { asAsked, isAroundDays, withWholeNames } from './days';
import { lexiconIn, lexiconOf, listOf, literal, placesIn } from './lexicon';
import {
	isDigits,
	meansOneOf,
	MOST_CHARACTERS,
	partsOf,
	plain,
	QUESTION_MARK,
	tokensOf,
	type Part,
} from './parts';
import {
	DAYS,
	DOUBTING,
	OPEN_DENIAL,
	PLACES,
	POINTING,
	SAME_NAMES,
	TURNING,
	type Language,
	type Meaning,
} from './words';

/** Which words mean a yes and a no: those of some languages, and a person's own. */
export type YesAndNo = {
	languages: readonly Language[];
	yesWords: readonly string[];
	noWords: readonly string[];
	/** May name a day and a time, which an answer may name again. */
	question?: string;
};

/**
 * Understands a yes or a no if the whole text says it: nothing may be left that is not understood.
 *
 * ```ts
 * const english = { languages: ['en'], yesWords: [], noWords: [] } as const;
 * understandYesOrNo('Yes please, see you then!', english) === true;
 * understandYesOrNo('Yes, but not on Friday', english) === undefined;
 * ```
 *
 * @returns undefined for every text that is not clear, also where it says both
 */
export function understandYesOrNo(text: string, words: YesAndNo): boolean | undefined {
	if (text.length > MOST_CHARACTERS) return undefined;
	const ownAs = (meaning: Meaning, own: readonly string[]) =>
		own.map(plain).flatMap((one) => [literal(meaning, one), literal('bare', one)]);
	const own = lexiconOf([...ownAs('yes', words.yesWords), ...ownAs('no', words.noWords)]);
	const question = (words.question ?? '').slice(0, MOST_CHARACTERS);
	const tokens = asAsked(tokensOf(text), question);
	const parts = partsOf(tokens, [own, ...words.languages.map(lexiconIn)]);
	const counting = countingFor(question);
	const isClear = ({ means, isBegin }: Part, at: number) => {
		const isNo = (one: Part) => meansOneOf(one.means, ['no', 'off']);
		if (means.includes('but') && !parts.slice(at + 1).some(isNo)) return false;
		if (isBegin) return meansOneOf(means, counting);
		const before = parts[at - 1];
		if (meansOneOf(means, ['no']) && OPEN_DENIAL.test(before?.words ?? '')) return false;
		// “No cancelen” asks for the opposite of “cancelen”, and “no trabajo” is free.
		const isOff = meansOneOf(before?.means ?? [], ['plain', 'sorry']);
		const within = counting.filter((one) => one !== 'reason' && (one !== 'off' || isOff));
		return meansOneOf(means, within);
	};
	if (!parts.every(isClear)) return undefined;
	// “Yes, I got your message” says nothing but that.
	const left = parts.filter((_, at) => !parts[at + 1]?.means.includes('read'));
	const says = (...some: Meaning[]) => left.some(({ means }) => meansOneOf(means, some));
	if (says('yes') && !says('no', 'off', 'sorry', 'reason', 'read', 'but')) return true;
	const isNo = says('no') || (counting.includes('off') && says('off'));
	return isNo && !says('yes', 'glad') ? false : undefined;
}

/** What each part of an answer has to mean: in answer to a question that is turned around, plain words alone are clear. */
function countingFor(question: string): Meaning[] {
	const wordsOf = (text: string) => plain(text).split(' ');
	const sentences = question.split(/(?<=[.!?\n])/);
	const asking = wordsOf(sentences.filter((one) => one.endsWith(QUESTION_MARK)).join(' '));
	const isWhole = asking.length >= WHOLE_QUESTION && !asking.some((word) => POINTS.has(word));
	const words = isWhole ? asking : wordsOf(question);
	if (words.some((word) => DOUBTS.has(word))) return ['bare', 'plain'];
	if (words.some((word) => TURNS.has(word))) return ['bare', 'agreed', 'plain'];
	const off: Meaning[] = question === '' ? [] : ['off'];
	return ['yes', 'no', 'glad', 'sorry', 'reason', 'read', 'but', 'plain', ...off];
}

/**
 * Understands which entry of a list a text chooses, by its whole name, its number or its letter, with politeness around it. Of
 * choices that are days and times, a day that one of them alone has is enough:
 *
 * ```ts
 * understandChoice('friday, please', ['Thursday', 'Friday'], ['en']); // { choice: 'Friday', index: 1 }
 * understandChoice('option 2', ['Thursday', 'Friday'], ['en']); // the same
 * understandChoice('Friday?', ['Thursday', 'Friday'], ['en']) === undefined;
 * ```
 */
export function understandChoice(
	text: string,
	choices: readonly string[],
	languages: readonly Language[],
): { choice: string; index: number } | undefined {
	if (text.length > MOST_CHARACTERS) return undefined;
	const names = choices.map(plain);
	const called = calledBy(names);
	const own = lexiconOf([...called.keys()].map((name) => literal('choice', name)));
	const tokens = withWholeNames(tokensOf(text), names);
	const parts = partsOf(tokens, [own, ...languages.map(lexiconIn)]);
	const chosen = new Set(parts.filter(isChoice).map(({ words }) => called.get(words)));
	const around: Meaning[] = ['yes', 'glad', 'plain', 'pick'];
	const left = parts.filter((part) => !isChoice(part) && !meansOneOf(part.means, around));
	const [said, ...more] = left.length > 0 ? left : parts.filter(isPlace);
	if (chosen.size === 0 && said && more.length === 0) {
		for (const place of placesMeant(said, choices)) chosen.add(place);
		left.pop();
	}
	const [index = -1] = chosen;
	const choice = choices[index];
	const isClear = chosen.size === 1 && left.length === 0 && choice !== undefined;
	return isClear ? { choice, index } : undefined;
}

/** The place of each name in a list, and of the other forms of a name of a day, a month or a size that mean it alone. */
function calledBy(names: readonly string[]): Map<string, number> {
	const called = new Map<string, number>();
	for (const [at, name] of names.entries()) {
		for (const form of SAME.filter((forms) => forms.includes(name)).flat()) {
			const place = PLACE_OF.get(form) ?? placeOf(form);
			const isOther = (called.get(form) ?? at) !== at || (place >= 0 && place < names.length);
			called.set(form, isOther ? -1 : at);
		}
	}
	names.forEach((name, at) => called.set(name, at));
	return new Map([...called].filter(([, at]) => at >= 0));
}

const isChoice = ({ means }: Part) => means.includes('choice');
const isPlace = ({ means }: Part) => means.includes('place');

/**
 * The places in a list that a number, a letter or words for a place may mean. Of “2 people, 4 people”, “4” and “four” are part of
 * a name; “the third” of “2nd June, 3rd June, 4th June” may be either, and “the third one” is not.
 */
function placesMeant(said: Part, choices: readonly string[]): number[] {
	const { words } = said;
	const place = (isPlace(said) ? PLACE_OF.get(words) : undefined) ?? placeOf(words);
	const isLetter = /^[a-z]$/.test(words);
	if (!isLetter && !isDigits(words) && !isPlace(said)) return [];
	const isOneOf = PLACE_OF.has(words.split(' ').slice(0, -1).join(' '));
	if (isOneOf || (isLetter && !canBeNumbered(choices))) return [place];
	const sign = isPlace(said) ? String(place + 1) : words;
	const named = signsOf(choices).flatMap((signs, at) => (signs.includes(sign) ? at : []));
	if (isPlace(said) && (words.includes(' ') || !NUMBERS.has(words))) {
		return [...named, place].filter((one) => one < choices.length);
	}
	if (named.length > 0) return named;
	return isLetter || canBeNumbered(choices) ? [place] : [];
}

/** The words of each name, with digits for words that are numbers, but not for what all names have: that is an article. */
function signsOf(choices: readonly string[]): string[][] {
	const names = choices.map((choice) => plain(choice).split(' '));
	const isArticle = (word: string) =>
		isAroundDays(word) || names.every((name) => name.includes(word));
	return names.map((name) => name.map((word) => (isArticle(word) ? word : signOf(word))));
}

/** A word for a number, or its digits, as digits; any other word as it is. */
function signOf(word: string): string {
	const place = PLACE_OF.get(word);
	return place === undefined ? word : String(place + 1);
}

/** Whether no name has the number that is the place of another one, as “2 people” does where it is the first. */
export function canBeNumbered(choices: readonly string[]): boolean {
	return signsOf(choices).every((signs, at) => {
		const others = choices.flatMap((_, place) => (place === at ? [] : String(place + 1)));
		return !signs.some((sign) => others.includes(sign));
	});
}

/** The names and the places of a list that a text cannot choose, as they mean another entry, too. */
export function unclearChoice(choices: readonly string[]): string | undefined {
	const names = choices.map(plain);
	return choices.find((_, at) => {
		const name = names[at] ?? '';
		const place = placeOf(name);
		const isOther = place !== -1 && place !== at && place < choices.length;
		return isOther || name === '' || names.indexOf(name) !== at;
	});
}

/** The place that a number or a letter alone means, counted from 0; -1 for every other text. */
function placeOf(said: string): number {
	if (/^\d{1,3}$/.test(said)) return Number(said) - 1;
	return /^[a-z]$/.test(said) ? said.charCodeAt(0) - 'a'.charCodeAt(0) : -1;
}

/** A question of so many words says itself what it asks. */
const WHOLE_QUESTION = 5;

/** The place in a list that words mean, counted from 0, in any language. */
const PLACE_OF = new Map(Object.values(PLACES).flatMap((entries) => [...placesIn(entries)]));

/** The same of words that are a number, as “two” is, and “second” is not. */
const NUMBERS = new Map(
	Object.values(PLACES).flatMap((entries) => [...placesIn(entries.replace(/\|[^,]*/g, ''))]),
);
const SAME = [...listOf(DAYS).slice(0, 7), ...listOf(SAME_NAMES)];

const TURNS = placesIn(Object.values(TURNING).join());
const DOUBTS = placesIn(Object.values(DOUBTING).join());
const POINTS = placesIn(POINTING);
