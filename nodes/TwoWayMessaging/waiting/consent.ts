import { wishIn } from './understand';

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

/** The text without what people put around a single word: spaces, full stops and exclamation marks. */
export function wordOf(said: string): string {
	const trimmed = said.trim();
	let end = trimmed.length;
	while (['.', '!', '?'].includes(trimmed.charAt(end - 1))) end -= 1;
	// Marks alone are all that a text says.
	return end === 0 ? trimmed : trimmed.slice(0, end).trimEnd();
}
