/** assumption: these words are the "STOP family" (§1.5): alone, in upper or lower case, also with a full stop. */
const STOP_WORDS = new Set(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT']);

/** Whether an inbound text opts the contact `out` or `in`; null when it does neither (§1.5). */
export const consentIn = (text: string): 'out' | 'in' | null => {
	const word = text
		.trim()
		.replace(/[.!]+$/, '')
		.toUpperCase();
	if (STOP_WORDS.has(word)) return 'out';
	return word === 'START' ? 'in' : null;
};
