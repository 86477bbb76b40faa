/** Longer runs of combining marks stay as they are: to sort one takes the square of its length. */
const LONGEST_SORTED_RUN = 30;
const LONG_RUN_OF_MARKS = new RegExp(`(\\p{M}{${LONGEST_SORTED_RUN + 1},})`, 'u');

/** A text without white space at its ends, in Unicode's composed form (NFC), and with \n at the end of each line. */
export const tidyText = (text: string): string => {
	const lines = text.trim().replace(/\r\n?/g, '\n');
	// Every second part is a long run of marks.
	const parts = lines.split(LONG_RUN_OF_MARKS);
	return parts.map((part, at) => (at % 2 === 0 ? part.normalize('NFC') : part)).join('');
};
