/** assumption: these words are the "STOP family" (§1.5): alone, in upper or lower case, also with a full stop. */
const STOP_WORDS = new Set(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT']);

/** Whether an inbound text opts the contact `out` or `in`; null when it does neither (§1.5). */
export const consentIn = (text: string): 'out' | 'in' | null => {
	const word = withoutStopsAtEnd(text.trim()).toUpperCase();
	if (STOP_WORDS.has(word)) return 'out';
	return word === 'START' ? 'in' : null;
};

/** A loop, because a regular expression for the end of a text looks for it from every full stop in the text. */
const withoutStopsAtEnd = (text: string): string => {
	let end = text.length;
	while (end > 0 && (text[end - 1] === '.' || text[end - 1] === '!')) end--;
	return text.slice(0, end);
};
