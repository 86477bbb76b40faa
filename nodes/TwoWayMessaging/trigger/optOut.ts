/** assumption: these are the "STOP family" (§1.5), alone in a message, in upper or lower case. */
const OPT_OUT_WORDS = ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT'];

/** A longer text says more than a word and a few marks. */
const MOST_LETTERS = 40;

/** Whether a text says nothing but that its sender wants no more messages (§1.5). */
export function isOptOut(said: string): boolean {
	const trimmed = said.trim();
	if (trimmed.length > MOST_LETTERS) return false;
	let end = trimmed.length;
	while (['.', '!'].includes(trimmed.charAt(end - 1))) end -= 1;
	return OPT_OUT_WORDS.includes(trimmed.slice(0, end).toUpperCase());
}
