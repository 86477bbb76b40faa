/** The words that mean yes, and those that mean no. */
export type YesAndNo = { yesWords: readonly string[]; noWords: readonly string[] };

/** The entry of a list that a customer has chosen. */
export type Choice = {
	/** The entry as it was written in the list. */
	choice: string;
	/** Its place, counted from 0. */
	index: number;
};

/** What is read of a text: no word and no entry is longer. */
const MOST_CHARACTERS = 1_000;

/** What people add to a number or a letter: “2 please”. */
const POLITE = ['please', 'pls', 'thanks', 'thx', 'thank you'];

const FIRST_LETTER = 'a'.charCodeAt(0);

/**
 * Understands a yes or a no by the words that a text begins with, in any case and with any punctuation:
 *
 * ```ts
 * understandYesOrNo('Yes please!', { yesWords: ['yes'], noWords: ['no'] }) === true;
 * understandYesOrNo('Yesterday?', { yesWords: ['yes'], noWords: ['no'] }) === undefined;
 * ```
 *
 * Of several words that fit, the longest counts, so that “no problem” may mean yes.
 *
 * @returns undefined when the text begins with none of the words
 */
export function understandYesOrNo(
	text: string,
	{ yesWords, noWords }: YesAndNo,
): boolean | undefined {
	const said = plain(text);
	const yes = longestStart(said, yesWords);
	const no = longestStart(said, noWords);
	return yes === no ? undefined : yes > no;
}

/**
 * Understands which entry of a list a text chooses: by the name that the text begins with, by the number or the letter of an
 * entry, or by words that only one name begins with or contains, if the text says nothing else:
 *
 * ```ts
 * understandChoice('friday, please', ['Thursday', 'Friday']); // { choice: 'Friday', index: 1 }
 * understandChoice('2)', ['Thursday', 'Friday']); // the same
 * understandChoice('B', ['Thursday', 'Friday']); // the same
 * understandChoice('Friday', ['Thursday at 9', 'Friday at 10']); // { choice: 'Friday at 10', index: 1 }
 * understandChoice('2 of us are coming', ['Thursday', 'Friday']) === undefined;
 * ```
 *
 * A number that could also be the beginning of another entry’s name chooses nothing, nor does a text that begins with one
 * name and has another behind it: “Monday or Friday”.
 */
export function understandChoice(text: string, choices: readonly string[]): Choice | undefined {
	const said = plain(text);
	const begun = placeBegun(said, choices);
	const index = begun === -1 ? placeMeant(said, choices) : begun;
	if (begun !== -1 && namesAnother(said, choices, begun)) return undefined;
	const choice = choices[index];
	return choice === undefined ? undefined : { choice, index };
}

/**
 * Whether the entries of a list have numbers and letters. Where an entry is a number or a letter itself, they would mean
 * two things: “2” could be the entry “2” or the second one.
 */
export function areNumbered(choices: readonly string[]): boolean {
	return !choices.some((choice) => /^(\d{1,3}|[a-z])$/.test(plain(choice)));
}

/**
 * Whether a name has a number or a letter in it that is the place of an entry: of “Friday at 2” and “Monday at 10”, “2” could
 * mean both, unless the customer sees their numbers.
 */
export function namePlaces(choices: readonly string[]): boolean {
	const places = choices.flatMap((_, at) => [`${at + 1}`, String.fromCharCode(FIRST_LETTER + at)]);
	return choices.some((choice) =>
		places.some((place) => placesOf(plain(choice), place).length > 0),
	);
}

/** Whether two words or entries would be understood as the same. */
export function isSameAnswer(one: string, other: string): boolean {
	return plain(one) === plain(other);
}

/** Whether a customer could say the word or the entry: it has a letter, a digit or a sign, and is not too long. */
export function canBeSaid(word: string): boolean {
	return word.length <= MOST_CHARACTERS && plain(word) !== '';
}

/**
 * A text as it is compared: in lower case, in one form of every character, without punctuation around it, without what
 * changes the colour or the form of an emoji, and with single spaces.
 */
function plain(text: string): string {
	const said = text
		.slice(0, MOST_CHARACTERS)
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[\u{1f3fb}-\u{1f3ff}\ufe0e\ufe0f\u20e3\p{Cc}\p{Cf}\p{Cs}]/gu, (sign) =>
			/\s/.test(sign) ? ' ' : '',
		)
		.replace(/[’ʼ`´]/g, "'");
	return withoutMarks(said.split(/\s+/).join(' '));
}

/** Whether the character belongs to no word: punctuation, a space, or a mark such as `#` or `+`. */
function isMark(character: string): boolean {
	return /[\p{P}\p{Z}\p{Sk}\p{Sm}\p{Sc}]/u.test(character);
}

/** The text without the marks at its beginning and its end. */
function withoutMarks(text: string): string {
	const characters = [...text];
	const isWord = (character: string) => !isMark(character);
	// Where every character is a mark, neither place is found, and nothing is left.
	return characters
		.slice(characters.findIndex(isWord), characters.findLastIndex(isWord) + 1)
		.join('');
}

/** The length of the longest of the words that the text begins with; 0 when it begins with none. */
function longestStart(said: string, words: readonly string[]): number {
	const starts = words.map(plain).filter((start) => said.startsWith(start) && endsAt(said, start));
	return Math.max(0, ...starts.map(({ length }) => length));
}

/** Whether a word of the text ends where `start` ends. In “yesterday”, “no-one” and “y’all” it goes on. */
function endsAt(said: string, start: string): boolean {
	// After an emoji, anything is another word.
	if (!/[\p{L}\p{N}]$/u.test(start)) return true;
	return !/^(['-]?[\p{L}\p{N}\p{M}]|[:.,/]\p{N})/u.test(said.slice(start.length, start.length + 4));
}

/** The place of the entry whose name the text begins with, the longest one; -1 where it begins with none. */
function placeBegun(said: string, choices: readonly string[]): number {
	const lengths = choices.map((choice) => longestStart(said, [choice]));
	const longest = Math.max(0, ...lengths);
	return longest > 0 ? lengths.indexOf(longest) : -1;
}

/** Whether a text that begins with the name of one entry names another, too, or ends with the beginning of its name. */
function namesAnother(said: string, choices: readonly string[], begun: number): boolean {
	const names = choices.map(plain);
	const chosen = names[begun] ?? '';
	const spans = names.flatMap((name) => spansOf(said, name));
	// In “Saturday evening”, the entry “Saturday” is not named.
	const isPart = ({ name, from, to }: Span) =>
		spans.some((span) => span.from <= from && span.to >= to && span.name.length > name.length);
	if (spans.some((span) => span.name !== chosen && !isPart(span))) return true;
	const isBeginning = (name: string, words: string) => placesOf(name, words).includes(0);
	return endsOf(said.slice(chosen.length)).some(
		(end) => !isBeginning(chosen, end) && names.some((name) => isBeginning(name, end)),
	);
}

/** Where a name stands in a text, from its first character to the one behind its last. */
type Span = { name: string; from: number; to: number };

function spansOf(said: string, name: string): Span[] {
	if (name === '') return [];
	return placesOf(said, name)
		.filter((from) => endsAt(said.slice(from), name))
		.map((from) => ({ name, from, to: from + name.length }));
}

/** The last word of a text, the last two, and so on, but for a number or a letter alone, as in “Monday, we are 2”. */
function endsOf(said: string): string[] {
	const words = withoutPoliteness(said);
	return [...words.matchAll(/[\p{L}\p{N}\p{M}]+/gu)]
		.map(({ index }) => words.slice(index))
		.filter((end) => placeOf(end) === -1);
}

/** The place of the entry that a text means without its whole name, counted from 0; -1 where that is none or several. */
function placeMeant(said: string, choices: readonly string[]): number {
	const words = withoutPoliteness(said);
	if (words === '') return -1;
	const places = choices.map((choice) => placesOf(plain(choice), words));
	const begun = indexesWhere(places, (found) => found.includes(0));
	const place = areNumbered(choices) ? placeOf(words) : -1;
	if (choices[place] !== undefined) return begun.every((index) => index === place) ? place : -1;
	const fitting = begun.length > 0 ? begun : indexesWhere(places, (found) => found.length > 0);
	return fitting.length === 1 ? (fitting[0] ?? -1) : -1;
}

/** Where the words stand in a name, as whole words: “10” stands in “10:00”, and “1” and “00” do not. */
function placesOf(name: string, words: string): number[] {
	const found: number[] = [];
	for (let at = name.indexOf(words); at !== -1; at = name.indexOf(words, at + 1)) {
		const before = name.slice(Math.max(0, at - 2), at);
		const isBegun =
			(/^[\p{L}\p{N}\p{M}]/u.test(words) && /[\p{L}\p{N}\p{M}]['-]?$/u.test(before)) ||
			(/^\p{N}/u.test(words) && /\p{N}[:.,/]$/u.test(before));
		const isContinued =
			/[\p{L}\p{N}\p{M}]$/u.test(words) &&
			/^['-]?[\p{L}\p{N}\p{M}]/u.test(name.slice(at + words.length));
		if (!isBegun && !isContinued) found.push(at);
	}
	return found;
}

function indexesWhere<Element>(elements: Element[], isSo: (element: Element) => boolean): number[] {
	return elements.flatMap((element, index) => (isSo(element) ? [index] : []));
}

function withoutPoliteness(said: string): string {
	for (const polite of POLITE) {
		if (said.endsWith(` ${polite}`)) return withoutMarks(said.slice(0, -polite.length));
	}
	return said;
}

/** The place that a number or a letter alone means, counted from 0; -1 for every other text. */
function placeOf(said: string): number {
	if (/^\d{1,3}$/.test(said)) return Number(said) - 1;
	return /^[a-z]$/.test(said) ? said.charCodeAt(0) - FIRST_LETTER : -1;
}
