/** assumption: these words are the "STOP family" (§1.5); alone, in any case, a closing mark allowed. */
const STOP_WORDS = new Set(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT']);

/** What an inbound text says about the contact's consent: `out`, `in`, or nothing (§1.5). */
export const consentIn = (text: string): 'out' | 'in' | null => {
	const word = text
		.trim()
		.replace(/[.!]+$/, '')
		.toUpperCase();
	if (STOP_WORDS.has(word)) return 'out';
	return word === 'START' ? 'in' : null;
};
