import { listOf, meaningsAt, placesIn, simplified, type Lexicon } from './lexicon';
import { BEFORE_NAMES, DAYS, SAME_NAMES, type Meaning } from './words';

/** A longer text is no answer; of a question and of a word no more is read. */
export const MOST_CHARACTERS = 1_000;

/** Words of at least so many letters are understood with a letter too much, or with two exchanged. */
const LONG_WORD = 6;

/** A word, an emoji or a sign of a text, whether a mark stands before it that ends a thought, and whether it may be a name. */
export type Token = { word: string; isBegin: boolean; isName?: boolean };

/** Some words of a text that belong together, and what they mean; `unknown` where they mean nothing that is known. */
export type Part = {
	words: string;
	means: readonly Meaning[];
	isUnknown: boolean;
	isBegin: boolean;
};

export const QUESTION_MARK = '?';

/** What stands for a person's name. No text has it as a word. */
const NAME = '*';

/** A text as it is compared, without punctuation and accents. */
export function plain(text: string): string {
	return tokensOf(text.slice(0, MOST_CHARACTERS))
		.map(({ word }) => word)
		.filter((word) => word !== QUESTION_MARK)
		.join(' ');
}

/** The words, emojis and signs of a text, without marks. */
export function tokensOf(text: string): Token[] {
	const said = simplified(
		text
			.replace(BEFORE_NAMES, ' ')
			.replace(/[\r\n]+/g, ' . ')
			.replace(/[:;]'?-?[)dp](?![\p{L}\p{N}])/giu, ' 🙂 ')
			.replace(/[:;]'?-?[(\\/|](?![\p{L}\p{N}/])/gu, ' 🙁 ')
			.replace(/<3(?![\p{L}\p{N}])/gu, ' ❤ '),
	)
		.replace(/(?<![\p{L}\p{N}])(\p{L})\.(?=\p{L}(?![\p{L}\p{N}]))/gu, '$1')
		.replace(/(?<![\p{L}\p{N}])(dr|dra|mr|mrs|ms|prof|sr|sra|mme|dott)\./gu, '$1 ')
		.replace(/(?<![\p{L}\p{N}])(\d{1,2})(am|pm|h|uhr)(?=\d{0,2}(?![\p{L}\p{N}]))/gu, '$1 $2 ');
	const capitals = text.match(/(?<!\p{L})\p{Lu}[\p{Ll}'’]+/gu) ?? [];
	const names = new Set(simplified(capitals.join(' ')).split(' '));
	const tokens: Token[] = [];
	let isBegin = true;
	for (const [found] of said.matchAll(/[\p{L}\p{N}\p{M}]+|[.!,;:…()]| [-–—] |[^\s\p{P}]|\?/gu)) {
		if (/^( |[.!,;:…()])/u.test(found)) isBegin = true;
		else {
			tokens.push({ word: found, isBegin, isName: names.has(found) });
			isBegin = found === QUESTION_MARK;
		}
	}
	return tokens;
}

/** The parts of a text: as few as can be, of which as few as can be are unknown. Only a choice goes on behind the end of a thought. */
export function partsOf(tokens: Token[], lexicons: readonly Lexicon[]): Part[] {
	const words = tokens.map((token) => knownWord(token, lexicons));
	// The best way on from each word, from the last word to the first.
	const best: Array<{ parts: Part[]; cost: number }> = [];
	best[tokens.length] = { parts: [], cost: 0 };
	for (let at = tokens.length - 1; at >= 0; at -= 1) {
		for (const [length, all] of meaningsAt(at, words, lexicons)) {
			const isOneThought = !tokens.slice(at + 1, at + length).some(({ isBegin }) => isBegin);
			const means = isOneThought ? all : all.filter((one) => one === 'choice');
			if (means.length === 0 && length > 1) continue;
			const said = words.slice(at, at + length).join(' ');
			const isUnknown = means.length === 0 && said !== QUESTION_MARK;
			const own = isUnknown ? UNKNOWN_COST : means.includes('choice') ? 0 : 1;
			const rest = best[at + length]!;
			const cost = rest.cost + own;
			if (cost > (best[at]?.cost ?? Infinity)) continue;
			const part = { words: said, means, isUnknown, isBegin: tokens[at]?.isBegin === true };
			best[at] = { parts: [part, ...rest.parts], cost };
		}
	}
	return best[0]!.parts;
}

/** The word that is meant: itself, with repeated letters taken off, or, of a long one, without a slip of the finger; or any name. */
export function knownWord({ word, isName }: Token, lexicons: readonly Lexicon[]): string {
	const isKnown = (one: string) => lexicons.some(({ words }) => words.has(one));
	if (isKnown(word) || DAY_OF.has(word) || !/^\p{L}{2,40}$/u.test(word)) return word;
	let end = word.length;
	while (end > 1 && word[end - 2] === word[end - 1]) end -= 1;
	const shorter = [
		word.replace(/(.)\1{2,}/gu, '$1$1'),
		word.replace(/(.)\1{2,}/gu, '$1'),
		word.slice(0, end),
	].find(isKnown);
	if (shorter !== undefined) return shorter;
	const slips = word.split('').flatMap((letter, at) => {
		const [before, next = '', behind] = [word.slice(0, at), word[at + 1], word.slice(at + 2)];
		return [before + next + behind, before + next + letter + behind];
	});
	const meant = new Set(slips.filter((one) => one.length >= LONG_WORD && isKnown(one)));
	const [found, ...more] = meant;
	if (found !== undefined && more.length === 0) return found;
	return isName ? NAME : word;
}

/** Whether words mean one of these things. What is a yes in one language and a no or unclear in another means neither. */
export function meansOneOf(means: readonly Meaning[], some: readonly Meaning[]): boolean {
	const isFor = means.includes('yes') || means.includes('glad');
	const isAgainst = means.includes('no') || means.includes('sorry');
	return (
		!(isFor && isAgainst) && !means.includes('unclear') && means.some((one) => some.includes(one))
	);
}

export const isDigits = (word: string) => /^\d+$/.test(word);

/** Whether a word is a day and nothing else: “so” and “do” are ordinary words, “mar” may be a month. */
export const isNameOfDay = ({ word }: Pick<Token, 'word'>) =>
	DAY_OF.has(word) && word.length > 2 && !OTHER_NAMES.has(word);

/** One unknown part costs more than all known ones of a text together, so that as few as can be are unknown. */
const UNKNOWN_COST = MOST_CHARACTERS;

/** The day that a word names, in any language. */
export const DAY_OF = placesIn(DAYS);

const OTHER_NAMES = new Set(listOf(SAME_NAMES).flat());
