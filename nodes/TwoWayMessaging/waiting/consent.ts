import { lexiconIn, lexiconOfWishes, meaningsAt, placesIn } from './lexicon';
import {
	isDigits,
	isNameOfDay,
	knownWord,
	meansOneOf,
	MOST_CHARACTERS,
	partsOf,
	QUESTION_MARK,
	tokensOf,
	type Part,
} from './parts';
import { BOOKED, LANGUAGES } from './words';

/** assumption: the carriers' usual words are the "STOP family" (§1.5), alone in a message, in upper or lower case. */
export const STOP_WORDS: readonly string[] = [
	'STOP',
	'STOPALL',
	'UNSUBSCRIBE',
	'CANCEL',
	'END',
	'QUIT',
];

/** A longer text says more than a word and a few marks. */
const MOST_LETTERS = 40;

/**
 * What a text says about being texted: `out` for no more messages, `in` for messages again (§1.5), and `out?` for a sentence
 * that asks to be left alone, by which the service may not have opted the customer out; undefined for every other text.
 *
 * @param stopWords the operator's, in upper case
 */
export function consentIn(
	content: string | null | undefined,
	stopWords = STOP_WORDS,
): 'out' | 'in' | 'out?' | undefined {
	return consentWordIn(content, stopWords) ?? (wishIn(content ?? '') && 'out?');
}

/** The same of a text that is a word for it and nothing else. */
export function consentWordIn(
	content: string | null | undefined,
	stopWords: readonly string[],
): 'out' | 'in' | undefined {
	const said = (content ?? '').trim();
	const word = said.length > MOST_LETTERS ? '' : wordOf(said).toUpperCase();
	if (stopWords.includes(word)) return 'out';
	return ['START', 'UNSTOP'].includes(word) ? 'in' : undefined;
}

/** Why who wrote a text wants to be left alone; undefined for every other text. */
export function wishIn(text: string): 'optedOut' | 'wrongNumber' | undefined {
	const lexicons = LANGUAGES.map(lexiconIn);
	const tokens = tokensOf(text.slice(0, MOST_CHARACTERS));
	// Nearly every text that comes has no such words, and reading one in all languages takes milliseconds.
	const words = tokens.map((token) => knownWord(token, lexicons));
	const isWish = (_: string, at: number) =>
		meaningsAt(at, words, [lexiconOfWishes()]).some(([, means]) => means.length > 0);
	if (!words.some(isWish)) return undefined;
	const thoughts: Part[][] = [];
	for (const part of partsOf(tokens, lexicons)) {
		if (part.isBegin) thoughts.push([]);
		thoughts.at(-1)!.push(part);
	}
	for (const [place, thought] of thoughts.entries()) {
		const end = thought.findIndex(({ means }) => meansOneOf(means, ['stop', 'wrongNumber']));
		const found = thought[end];
		if (!found) continue;
		// Whoever asks whether the number is wrong, or says that it is not, wants something else.
		const isAsked = thought.some(({ words }) => words === QUESTION_MARK);
		const isTurned = thought.slice(0, end).some(({ means }) => means.includes('not'));
		// “Remove me from Tuesday”, “Don't text me before 9”; “The wrong number of plates”, “Wrong number, I meant 12”.
		const isNumber = found.means.includes('wrongNumber');
		const rest = [thought.slice(end + 1), thoughts.slice(place + 1)].flat(2);
		const behind = isNumber ? rest : thought.slice(end + 1);
		const isAboutTime = behind.some(({ words }) => words.split(' ').some(isDayOrNumber));
		if (
			isAboutTime ||
			wantsTexts([found, ...rest].map((part) => part.words)) ||
			(isNumber && /^of( |$)/.test(thought[end + 1]?.words ?? ''))
		)
			continue;
		if (isTurned || (isAsked && thought.some(({ isUnknown }) => isUnknown))) continue;
		return found.means.includes('stop') ? 'optedOut' : 'wrongNumber';
	}
	const all = thoughts.flat();
	const isAlone = all.every(({ means }) =>
		meansOneOf(means, ['stopAlone', 'no', 'sorry', 'plain', 'yes']),
	);
	return isAlone && all.some(({ means }) => means.includes('stopAlone')) ? 'optedOut' : undefined;
}

/** Whether the wish is to be left alone by calls, or with something that was booked: “Don't call me, text me”, “Take me off the waiting list”. */
function wantsTexts([wish = '', ...rest]: string[]): boolean {
	const isOff = / (off|from)$/.test(wish);
	if (isOff) return rest.slice(0, BOOKED_WITHIN).some((word) => BOOKED_WORDS.has(word));
	const isCall = /\bcall(ing)?\b/.test(wish);
	const asks = /(just|only|please|pls|me|us|rather) (text|message) me|text (only|instead)/;
	return isCall && asks.test([wish, ...rest].join(' '));
}

/** What was booked stands among so many words behind the wish: “your texts. I have no appointment” is something else. */
const BOOKED_WITHIN = 3;

const BOOKED_WORDS = placesIn(BOOKED);

const isDayOrNumber = (word: string) => isNameOfDay({ word }) || isDigits(word);

/** The text without what people put around a single word: spaces, full stops and exclamation marks. */
export function wordOf(said: string): string {
	const trimmed = said.trim();
	let end = trimmed.length;
	while (['.', '!', '?'].includes(trimmed.charAt(end - 1))) end -= 1;
	// Marks alone are all that a text says.
	return end === 0 ? trimmed : trimmed.slice(0, end).trimEnd();
}
