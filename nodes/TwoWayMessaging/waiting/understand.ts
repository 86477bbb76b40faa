import { comparableText } from '../comparableText';
import { LANGUAGES, WORDS, type Language, type Meaning } from './words';

/** Which words mean a yes and a no: those of some languages, and a person's own. */
export type YesAndNo = {
	languages: readonly Language[];
	yesWords: readonly string[];
	noWords: readonly string[];
};

/** The entry of a list that a customer has chosen, and its place, counted from 0. */
export type Choice = { choice: string; index: number };

/** No answer, no word and no choice is longer. */
const MOST_CHARACTERS = 1_000;

/** Words of at least so many letters are understood with a letter too much, or with two exchanged. */
const LONG_WORD = 6;

/** What words mean; a meaning of several words has single spaces between them. */
type Lexicon = { meanings: ReadonlyMap<string, readonly Meaning[]>; words: ReadonlySet<string> };

/** A word, an emoji or a sign of a text, and whether a mark stands before it that ends a thought. */
type Token = { word: string; isBegin: boolean };

/** Some words of a text that belong together, and what they mean; `unknown` where they mean nothing that is known. */
type Part = { words: string; means: readonly Meaning[]; isUnknown: boolean; isBegin: boolean };

const QUESTION_MARK = '?';

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
	const own = lexiconOf({ yes: words.yesWords, no: words.noWords });
	const parts = partsOf(tokensOf(text), [own, ...words.languages.map((one) => LEXICONS[one])]);
	if (!parts.every(({ means }) => meansOneOf(means, ['yes', 'no', 'glad', 'sorry', 'plain'])))
		return undefined;
	const says = (...some: Meaning[]) => parts.some(({ means }) => meansOneOf(means, some));
	if (says('yes') && !says('no', 'sorry')) return true;
	return says('no') && !says('yes', 'glad') ? false : undefined;
}

/**
 * Understands which entry of a list a text chooses, by its whole name, its number or its letter, with politeness around it:
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
): Choice | undefined {
	if (text.length > MOST_CHARACTERS) return undefined;
	const lexicons = languages.map((one) => LEXICONS[one]);
	const tokens = tokensOf(text);
	const names = choices.map((choice) => plain(choice).split(' '));
	const known = [...lexicons, { meanings: new Map(), words: new Set(names.flat()) }];
	const words = tokens.map(({ word }) => knownWord(word, known));
	const chosen = new Set<number>();
	const around: Token[] = [];
	for (let at = 0; at < words.length;) {
		const index = longestAt(words, at, names);
		if (index === -1) {
			around.push({ word: words[at] ?? '', isBegin: tokens[at]?.isBegin === true });
			at += 1;
			continue;
		}
		chosen.add(index);
		at += names[index]?.length ?? 1;
		around.push({ word: '', isBegin: true });
	}
	const others = partsOf(
		around.filter(({ word }) => word !== ''),
		lexicons,
	);
	const isAround = ({ means }: Part) => meansOneOf(means, ['yes', 'glad', 'plain', 'pick']);
	const left = others.filter((part) => !isAround(part));
	if (chosen.size === 0 && left.length === 1) {
		const place = placeOf(left[0]?.words ?? '');
		if (place < choices.length) chosen.add(place);
		left.pop();
	}
	const [index = -1] = chosen;
	const choice = choices[index];
	if (chosen.size !== 1 || left.length > 0 || choice === undefined) return undefined;
	return { choice, index };
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

/** A text as it is compared, without punctuation and accents. */
export function plain(text: string): string {
	return tokensOf(text.slice(0, MOST_CHARACTERS))
		.map(({ word }) => word)
		.filter((word) => word !== QUESTION_MARK)
		.join(' ');
}

/** Why who wrote a text wants to be left alone; undefined for every other text. */
export function wishIn(text: string): 'optedOut' | 'wrongNumber' | undefined {
	const thoughts: Part[][] = [];
	for (const part of partsOf(tokensOf(text.slice(0, MOST_CHARACTERS)), ALL)) {
		if (part.isBegin || thoughts.length === 0) thoughts.push([]);
		thoughts.at(-1)?.push(part);
	}
	for (const thought of thoughts) {
		const end = thought.findIndex(({ means }) => meansOneOf(means, ['stop', 'wrongNumber']));
		const found = thought[end];
		if (!found) continue;
		// Whoever asks whether the number is wrong, or says that it is not, wants something else.
		const isAsked = thought.some(({ words }) => words === QUESTION_MARK);
		const isTurned = thought.slice(0, end).some(({ means }) => means.includes('not'));
		if (isTurned || (isAsked && thought.some(({ isUnknown }) => isUnknown))) continue;
		return found.means.includes('stop') ? 'optedOut' : 'wrongNumber';
	}
	const all = thoughts.flat();
	const isAlone = all.every(({ means }) =>
		meansOneOf(means, ['stopAlone', 'no', 'sorry', 'plain', 'yes']),
	);
	return isAlone && all.some(({ means }) => means.includes('stopAlone')) ? 'optedOut' : undefined;
}

/** The words, emojis and signs of a text, in lower case, without accents, apostrophes and marks. */
function tokensOf(text: string): Token[] {
	const said = comparableText(
		text
			.replace(/[\r\n]+/g, ' . ')
			.replace(/[:;]'?-?[)dp](?![\p{L}\p{N}])/giu, ' 🙂 ')
			.replace(/[:;]'?-?[(\\/|](?![\p{L}\p{N}/])/gu, ' 🙁 ')
			.replace(/<3(?![\p{L}\p{N}])/gu, ' ❤ '),
	)
		.replace(/'/g, '')
		.normalize('NFD')
		.replace(/[\u0300-\u036f]/g, '')
		.replace(/ß/g, 'ss')
		.normalize('NFC')
		.replace(/(?<![\p{L}\p{N}])(\p{L})\.(?=\p{L}(?![\p{L}\p{N}]))/gu, '$1');
	const tokens: Token[] = [];
	let isBegin = true;
	for (const [found] of said.matchAll(/[\p{L}\p{N}\p{M}]+|[.!,;:…()]| [-–—] |[^\s\p{P}]|\?/gu)) {
		if (/^( |[.!,;:…()])/u.test(found)) isBegin = true;
		else {
			tokens.push({ word: found, isBegin });
			isBegin = found === QUESTION_MARK;
		}
	}
	return tokens;
}

/** The parts of a text: as few as can be, of which as few as can be are unknown. None goes on behind a mark that ends a thought. */
function partsOf(tokens: Token[], lexicons: readonly Lexicon[]): Part[] {
	const words = tokens.map(({ word }) => knownWord(word, lexicons));
	const best: Array<{ part?: Part; length: number; cost: number }> = [{ length: 0, cost: 0 }];
	// From the last word to the first, so that the best way on from each word is known.
	for (let at = tokens.length - 1; at >= 0; at -= 1) {
		let found: (typeof best)[number] | undefined;
		for (let length = 1; length === 1 || tokens[at + length - 1]?.isBegin === false; length += 1) {
			if (length > MOST_WORDS) break;
			const said = words.slice(at, at + length).join(' ');
			const means = lexicons.flatMap(({ meanings }) => meanings.get(said) ?? []);
			if (means.length === 0 && length > 1) continue;
			const isUnknown = means.length === 0 && said !== QUESTION_MARK;
			const cost = (best[best.length - length]?.cost ?? 0) + (isUnknown ? UNKNOWN_COST : 1);
			if (found && cost > found.cost) continue;
			const part = { words: said, means, isUnknown, isBegin: tokens[at]?.isBegin === true };
			found = { part, length, cost };
		}
		if (found) best.push(found);
	}
	const parts: Part[] = [];
	for (let left = best.length - 1; left > 0;) {
		const { part, length = 1 } = best[left] ?? {};
		if (part) parts.push(part);
		left -= length;
	}
	return parts;
}

/** The word that is meant: itself, with repeated letters taken off, or, of a long one, without a slip of the finger. */
function knownWord(word: string, lexicons: readonly Lexicon[]): string {
	const isKnown = (one: string) => lexicons.some(({ words }) => words.has(one));
	if (isKnown(word) || !/^\p{L}{2,40}$/u.test(word)) return word;
	let end = word.length;
	while (end > 1 && word[end - 2] === word[end - 1]) end -= 1;
	const shorter = [
		word.replace(/(.)\1{2,}/gu, '$1$1'),
		word.replace(/(.)\1{2,}/gu, '$1'),
		word.slice(0, end),
	].find(isKnown);
	if (shorter !== undefined) return shorter;
	const meant = new Set<string>();
	for (let at = 0; at < word.length; at += 1) {
		const [before, one, other, behind] = [0, at, at + 1, at + 2].map((from, place, all) =>
			word.slice(from, all[place + 1]),
		) as [string, string, string, string];
		const without = before + other + behind;
		if (without.length >= LONG_WORD) meant.add(without);
		if (word.length >= LONG_WORD) meant.add(before + other + one + behind);
	}
	const [found, ...more] = [...meant].filter(isKnown);
	return found !== undefined && more.length === 0 ? found : word;
}

/** The entry with the longest name that stands at a place of a text; -1 where none does. */
function longestAt(words: string[], at: number, names: string[][]): number {
	let longest = -1;
	for (const [index, name] of names.entries()) {
		const isHere = name.length > 0 && name.every((word, place) => word === words[at + place]);
		if (isHere && name.length > (names[longest]?.length ?? 0)) longest = index;
	}
	return longest;
}

/** The place that a number or a letter alone means, counted from 0; -1 for every other text. */
function placeOf(said: string): number {
	if (/^\d{1,3}$/.test(said)) return Number(said) - 1;
	return /^[a-z]$/.test(said) ? said.charCodeAt(0) - 'a'.charCodeAt(0) : -1;
}

/** Whether words mean one of these things. What is a yes in one language and a no in another means neither. */
function meansOneOf(means: readonly Meaning[], some: readonly Meaning[]): boolean {
	const isFor = means.includes('yes') || means.includes('glad');
	const isAgainst = means.includes('no') || means.includes('sorry');
	return !(isFor && isAgainst) && means.some((one) => some.includes(one));
}

/** Reads lists of words, each in all of its forms. */
function lexiconOf(lists: Partial<Record<Meaning, readonly string[]>>): Lexicon {
	const meanings = new Map<string, Meaning[]>();
	for (const [meaning, entries] of Object.entries(lists) as Array<[Meaning, string[]]>) {
		for (const entry of entries.map(plain)) {
			if (entry !== '') meanings.set(entry, [...(meanings.get(entry) ?? []), meaning]);
		}
	}
	return { meanings, words: new Set([...meanings.keys()].flatMap((entry) => entry.split(' '))) };
}

/** All forms of an entry in which `/` stands between words of which one is said, `+` in one of several words, and `~` for none. */
export function formsOf(entry: string): string[] {
	return entry
		.trim()
		.split(/\s+/)
		.reduce<string[]>(
			(begun, word) =>
				word
					.split('/')
					.flatMap((one) =>
						begun.map((form) => (one === '~' ? form : `${form} ${one.replaceAll('+', ' ')}`)),
					),
			[''],
		);
}

/** No part has more words. */
const MOST_WORDS = 8;

/** More than a text has parts. */
const UNKNOWN_COST = MOST_CHARACTERS;

const LEXICONS = Object.fromEntries(
	LANGUAGES.map((language) => {
		const lists = Object.entries(WORDS[language]).map(([meaning, entries]) => [
			meaning,
			entries.split(',').flatMap(formsOf),
		]);
		return [language, lexiconOf(Object.fromEntries(lists))];
	}),
) as Record<Language, Lexicon>;

const ALL = Object.values(LEXICONS);
