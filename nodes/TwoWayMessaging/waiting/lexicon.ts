import { comparableText } from '../comparableText';
import { LANGUAGES, PLACES, WORDS, type Language, type Meaning } from './words';

/** What means something: some slots, each of which says one of its ways of words. */
type Entry = { meaning: Meaning; slots: readonly string[][][] };

/** Entries by each word that they can begin with, and all of their words. */
export type Lexicon = {
	entries: ReadonlyMap<string, readonly Entry[]>;
	words: ReadonlySet<string>;
};

/** A text in lower case, without accents and apostrophes. */
export function simplified(text: string): string {
	return comparableText(text)
		.replace(/'/g, '')
		.normalize('NFD')
		.replace(/[\u0300-\u036f]/g, '')
		.replace(/ß/g, 'ss')
		.normalize('NFC');
}

/** Reads entries, each of words as they are compared. */
export function lexiconOf(all: readonly Entry[]): Lexicon {
	const entries = new Map<string, Entry[]>();
	for (const entry of all) {
		const begin = entry.slots.findIndex((ways) => ways.every((way) => way.length > 0));
		const first = entry.slots.slice(0, begin + 1 || undefined).flat();
		for (const word of new Set(first.flatMap(([one]) => one ?? []))) {
			const known = entries.get(word);
			if (known) known.push(entry);
			else entries.set(word, [entry]);
		}
	}
	return { entries, words: new Set(all.flatMap(({ slots }) => slots.flat(2))) };
}

/** Words as they are, as an entry. */
export const literal = (meaning: Meaning, words: string): Entry => ({
	meaning,
	slots: words.split(' ').flatMap((word) => (word === '' ? [] : [[[word]]])),
});

const slotsOf = (entry: string) =>
	entry
		.trim()
		.split(/\s+/)
		.map((word) => word.split('/').map((way) => (way === '~' ? [] : way.split('+'))));

function lexiconRead(language: Language): Lexicon {
	const lists = Object.entries({ ...WORDS[language], place: PLACES[language] });
	const all = lists.flatMap(([meaning, said]) =>
		simplified(said)
			.split(/[,|]/)
			.map((entry) => ({ meaning: meaning as Meaning, slots: slotsOf(entry) })),
	);
	return lexiconOf(all);
}

function whenAsked<T>(work: () => T): () => T {
	let known: T | undefined;
	return () => (known ??= work());
}

const lexicons = whenAsked(
	() => new Map(LANGUAGES.map((language) => [language, lexiconRead(language)])),
);

/** The words of a language. All are read with the first text, which may ask in any to be left alone. */
export const lexiconIn = (language: Language): Lexicon => lexicons().get(language)!;

/** What says in any language that somebody wants to be left alone. */
export const lexiconOfWishes = whenAsked(() => {
	const all = LANGUAGES.flatMap((language) => [...lexiconIn(language).entries.values()].flat());
	const wishes: Meaning[] = ['stop', 'stopAlone', 'wrongNumber'];
	return lexiconOf([...new Set(all)].filter(({ meaning }) => wishes.includes(meaning)));
});

/** All forms of an entry in which `/` stands between words of which one is said, `+` in one of several words, and `~` for none. */
export function formsOf(entry: string): string[] {
	const begun: string[][] = [[]];
	const forms = slotsOf(entry).reduce(
		(all, ways) => ways.flatMap((way) => all.map((form) => [...form, ...way])),
		begun,
	);
	return forms.map((form) => form.join(' '));
}

/** What the words from a place on mean, by how many they are: first one word, whether it means anything or not. */
export function meaningsAt(at: number, words: string[], lexicons: readonly Lexicon[]) {
	const found = new Map<number, Meaning[]>([[1, []]]);
	const isSaid = (way: string[], from: number) => way.every((one, by) => words[from + by] === one);
	for (const { entries } of lexicons) {
		for (const { meaning, slots } of entries.get(words[at] ?? '') ?? []) {
			let ends = [at];
			for (const ways of slots) {
				ends = ends.flatMap((end) =>
					ways.filter((way) => isSaid(way, end)).map((way) => end + way.length),
				);
			}
			for (const length of new Set(ends.map((end) => end - at))) {
				if (length > 0) found.set(length, [...(found.get(length) ?? []), meaning]);
			}
		}
	}
	return [...found].sort(([length], [other]) => length - other);
}

/** The forms of each entry of a list; `|` stands between forms of one entry that have nothing in common. */
export const listOf = (entries: string) =>
	simplified(entries)
		.split(',')
		.map((entry) => entry.split('|').flatMap(formsOf));

/** The place of each form in a list. */
export const placesIn = (entries: string) =>
	new Map(listOf(entries).flatMap((forms, at) => forms.map((form) => [form, at] as const)));
