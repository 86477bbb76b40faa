import {
	lexiconIn,
	lexiconOf,
	lexiconOfWishes,
	listOf,
	literal,
	meaningsAt,
	placesIn,
	simplified,
	type Lexicon,
} from './lexicon';
import {
	BEFORE_NAMES,
	DAYS,
	DOUBTING,
	LANGUAGES,
	OPEN_DENIAL,
	PLACES,
	POINTING,
	SAME_NAMES,
	TURNING,
	WHEN,
	type Language,
	type Meaning,
} from './words';

/** Which words mean a yes and a no: those of some languages, and a person's own. */
export type YesAndNo = {
	languages: readonly Language[];
	yesWords: readonly string[];
	noWords: readonly string[];
	/** May name a day and a time, which an answer may name again. */
	question?: string;
};

/** A longer text is no answer; of a question and of a word no more is read. */
const MOST_CHARACTERS = 1_000;

/** Words of at least so many letters are understood with a letter too much, or with two exchanged. */
const LONG_WORD = 6;

/** A word, an emoji or a sign of a text, whether a mark stands before it that ends a thought, and whether it may be a name. */
type Token = { word: string; isBegin: boolean; isName?: boolean };

/** Some words of a text that belong together, and what they mean; `unknown` where they mean nothing that is known. */
type Part = { words: string; means: readonly Meaning[]; isUnknown: boolean; isBegin: boolean };

const QUESTION_MARK = '?';

/** What stands for the day and the time that a question names, and for a person's name. No text has these as words. */
const [ASKED, NAME] = ['@', '*'];

/**
 * Understands a yes or a no if the whole text says it: nothing may be left that is not understood.
 *
 * ```ts
 * const english = { languages: ['en'], yesWords: [], noWords: [] } as const;
 * understandYesOrNo('Yes please, see you then!', english) === true;
 * understandYesOrNo('Yes, but not on Friday', english) === undefined;
 * ```
 *
 * @returns undefined for every text that is not clear, also where it says both
 */
export function understandYesOrNo(text: string, words: YesAndNo): boolean | undefined {
	if (text.length > MOST_CHARACTERS) return undefined;
	const ownAs = (meaning: Meaning, own: readonly string[]) =>
		own.map(plain).flatMap((one) => [literal(meaning, one), literal('bare', one)]);
	const own = lexiconOf([...ownAs('yes', words.yesWords), ...ownAs('no', words.noWords)]);
	const question = (words.question ?? '').slice(0, MOST_CHARACTERS);
	const tokens = asAsked(tokensOf(text), question);
	const parts = partsOf(tokens, [own, ...words.languages.map(lexiconIn)]);
	const counting = countingFor(question);
	const isClear = ({ means, isBegin }: Part, at: number) => {
		const isNo = (one: Part) => meansOneOf(one.means, ['no', 'off']);
		if (means.includes('but') && !parts.slice(at + 1).some(isNo)) return false;
		if (isBegin) return meansOneOf(means, counting);
		const before = parts[at - 1];
		if (meansOneOf(means, ['no']) && OPEN_DENIAL.test(before?.words ?? '')) return false;
		// “No cancelen” asks for the opposite of “cancelen”, and “no trabajo” is free.
		const isOff = meansOneOf(before?.means ?? [], ['plain', 'sorry']);
		const within = counting.filter((one) => one !== 'reason' && (one !== 'off' || isOff));
		return meansOneOf(means, within);
	};
	if (!parts.every(isClear)) return undefined;
	// “Yes, I got your message” says nothing but that.
	const left = parts.filter((_, at) => !parts[at + 1]?.means.includes('read'));
	const says = (...some: Meaning[]) => left.some(({ means }) => meansOneOf(means, some));
	if (says('yes') && !says('no', 'off', 'sorry', 'reason', 'read', 'but')) return true;
	const isNo = says('no') || (counting.includes('off') && says('off'));
	return isNo && !says('yes', 'glad') ? false : undefined;
}

/** What each part of an answer has to mean: in answer to a question that is turned around, plain words alone are clear. */
function countingFor(question: string): Meaning[] {
	const wordsOf = (text: string) => plain(text).split(' ');
	const sentences = question.split(/(?<=[.!?\n])/);
	const asking = wordsOf(sentences.filter((one) => one.endsWith(QUESTION_MARK)).join(' '));
	const isWhole = asking.length >= WHOLE_QUESTION && !asking.some((word) => POINTS.has(word));
	const words = isWhole ? asking : wordsOf(question);
	if (words.some((word) => DOUBTS.has(word))) return ['bare', 'plain'];
	if (words.some((word) => TURNS.has(word))) return ['bare', 'agreed', 'plain'];
	const off: Meaning[] = question === '' ? [] : ['off'];
	return ['yes', 'no', 'glad', 'sorry', 'reason', 'read', 'but', 'plain', ...off];
}

/**
 * Understands which entry of a list a text chooses, by its whole name, its number or its letter, with politeness around it. Of
 * choices that are days and times, a day that one of them alone has is enough:
 *
 * ```ts
 * understandChoice('friday, please', ['Thursday', 'Friday'], ['en']); // { choice: 'Friday', index: 1 }
 * understandChoice('option 2', ['Thursday', 'Friday'], ['en']); // the same
 * understandChoice('Friday?', ['Thursday', 'Friday'], ['en']) === undefined;
 * ```
 */
export function understandChoice(
	text: string,
	choices: readonly string[],
	languages: readonly Language[],
): { choice: string; index: number } | undefined {
	if (text.length > MOST_CHARACTERS) return undefined;
	const names = choices.map(plain);
	const called = calledBy(names);
	const own = lexiconOf([...called.keys()].map((name) => literal('choice', name)));
	const tokens = withWholeNames(tokensOf(text), names);
	const parts = partsOf(tokens, [own, ...languages.map(lexiconIn)]);
	const chosen = new Set(parts.filter(isChoice).map(({ words }) => called.get(words)));
	const around: Meaning[] = ['yes', 'glad', 'plain', 'pick'];
	const left = parts.filter((part) => !isChoice(part) && !meansOneOf(part.means, around));
	const [said, ...more] = left.length > 0 ? left : parts.filter(isPlace);
	if (chosen.size === 0 && said && more.length === 0) {
		// Of “Two adults, One adult”, “one” is part of a name, as “4” is of “2 people, 4 people”.
		const named = names.flatMap((name, at) => (name.split(' ').includes(said.words) ? at : []));
		const isOfName = isDigits(said.words) && !canBeNumbered(choices);
		const isWord = isPlace(said) && named.length === 0;
		const place = isWord ? PLACE_OF.get(said.words) : placeOf(said.words);
		for (const one of isOfName ? named : [place]) chosen.add(one);
		left.pop();
	}
	const [index = -1] = chosen;
	const choice = choices[index];
	const isClear = chosen.size === 1 && left.length === 0 && choice !== undefined;
	return isClear ? { choice, index } : undefined;
}

/** The place of each name in a list, and of the other forms of a name of a day, a month or a size that mean it alone. */
function calledBy(names: readonly string[]): Map<string, number> {
	const called = new Map<string, number>();
	for (const [at, name] of names.entries()) {
		for (const form of SAME.filter((forms) => forms.includes(name)).flat()) {
			const place = PLACE_OF.get(form) ?? placeOf(form);
			const isOther = (called.get(form) ?? at) !== at || (place >= 0 && place < names.length);
			called.set(form, isOther ? -1 : at);
		}
	}
	names.forEach((name, at) => called.set(name, at));
	return new Map([...called].filter(([, at]) => at >= 0));
}

const isChoice = ({ means }: Part) => means.includes('choice');
const isPlace = ({ means }: Part) => means.includes('place');

/** Whether no name has the number that is the place of another one, as “2 people” does where it is the first. */
export function canBeNumbered(choices: readonly string[]): boolean {
	return choices.map(plain).every((name, at) => {
		const others = choices.flatMap((_, place) => (place === at ? [] : String(place + 1)));
		return !name.split(' ').some((word) => others.includes(word));
	});
}

/** The names and the places of a list that a text cannot choose, as they mean another entry, too. */
export function unclearChoice(choices: readonly string[]): string | undefined {
	const names = choices.map(plain);
	return choices.find((_, at) => {
		const name = names[at] ?? '';
		const place = placeOf(name);
		const isOther = place !== -1 && place !== at && place < choices.length;
		return isOther || name === '' || names.indexOf(name) !== at;
	});
}

/** A text as it is compared, without punctuation and accents. */
export function plain(text: string): string {
	return tokensOf(text.slice(0, MOST_CHARACTERS))
		.map(({ word }) => word)
		.filter((word) => word !== QUESTION_MARK)
		.join(' ');
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
		const behind = [thought.slice(end + 1), isNumber ? thoughts.slice(place + 1) : []].flat(2);
		const isAboutTime = behind.some(({ words }) => words.split(' ').some(isDayOrNumber));
		if (isAboutTime || (isNumber && /^of( |$)/.test(thought[end + 1]?.words ?? ''))) continue;
		if (isTurned || (isAsked && thought.some(({ isUnknown }) => isUnknown))) continue;
		return found.means.includes('stop') ? 'optedOut' : 'wrongNumber';
	}
	const all = thoughts.flat();
	const isAlone = all.every(({ means }) =>
		meansOneOf(means, ['stopAlone', 'no', 'sorry', 'plain', 'yes']),
	);
	return isAlone && all.some(({ means }) => means.includes('stopAlone')) ? 'optedOut' : undefined;
}

/** The words, emojis and signs of a text, without marks. */
function tokensOf(text: string): Token[] {
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
function partsOf(tokens: Token[], lexicons: readonly Lexicon[]): Part[] {
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
function knownWord({ word, isName }: Token, lexicons: readonly Lexicon[]): string {
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

/** The words of a text, with one `@` for the day and the time in it that the question names, if it names no other. */
function asAsked(tokens: Token[], question: string): Token[] {
	const named = whenIn(tokensOf(question));
	return runsOf(tokens).flatMap((run) => {
		const said = whenIn(run);
		if (!isSameWhen(said, named) || !(said.day || said.time)) return run;
		return [{ word: ASKED, isBegin: run[0]?.isBegin === true }];
	});
}

/** The words of a text, with the whole name of a day and time for the part of it that no other choice has. */
function withWholeNames(tokens: Token[], names: readonly string[]): Token[] {
	const all = names.map((name) => tokensOf(name));
	return runsOf(tokens).flatMap((run) => {
		const said = whenIn(run);
		const ofDay = all.filter((name) => whenIn(name).day.split(',').includes(said.day));
		const [name, ...more] = ofDay.filter(
			(one) => !one.every(isWhen) || isSameWhen(said, whenIn(one)),
		);
		if (!name || more.length > 0 || name.length === 1 || !name.every(isWhen)) return run;
		if (!run.some(isNameOfDay)) return run;
		return name.map((token, at) => ({ ...token, isBegin: at === 0 && run[0]?.isBegin === true }));
	});
}

/** A text in runs of words of a day and its time; every other word alone. */
function runsOf(tokens: Token[]): Token[][] {
	const runs: Token[][] = [];
	for (const token of tokens) {
		const [first] = runs.at(-1) ?? [];
		if (first && isWhen(first) && isWhen(token)) runs.at(-1)?.push(token);
		else runs.push([token]);
	}
	return runs;
}

/** Whether a day and a time are those that are named, as far as they are said. */
function isSameWhen(said: When, named: When): boolean {
	if (said.day && said.day !== named.day) return false;
	if (said.half && named.half && said.half !== named.half) return false;
	const isByHalves = said.half !== named.half && hourOf(said) === hourOf(named);
	return !said.time || said.time === named.time || isByHalves;
}

/** The hour of the day: 3 pm is 15. */
const hourOf = ({ time, half }: When) =>
	half === 'pm' && Number(time) < 12 ? String(Number(time) + 12) : time;

type When = Record<'day' | 'time' | 'half', string>;

/** Whether a word is a day and nothing else: “so” and “do” are ordinary words, “mar” may be a month. */
const isNameOfDay = ({ word }: Pick<Token, 'word'>) =>
	DAY_OF.has(word) && word.length > 2 && !OTHER_NAMES.has(word);

const isDigits = (word: string) => /^\d+$/.test(word);

const isDayOrNumber = (word: string) => isNameOfDay({ word }) || isDigits(word);

const isWhen = ({ word }: Token) => DAY_OF.has(word) || AROUND_DAYS.has(word) || isDigits(word);

/** All days and times that a text names. */
function whenIn(tokens: Token[]): When {
	const words = tokens.map(({ word }) => word);
	return {
		day: [...new Set(words.flatMap((word) => DAY_OF.get(word) ?? []))].join(),
		time: words.filter((word) => isDigits(word) && word !== '00').join(),
		half: words.filter((word) => /^[ap]m$/.test(word)).join(),
	};
}

/** The place that a number or a letter alone means, counted from 0; -1 for every other text. */
function placeOf(said: string): number {
	if (/^\d{1,3}$/.test(said)) return Number(said) - 1;
	return /^[a-z]$/.test(said) ? said.charCodeAt(0) - 'a'.charCodeAt(0) : -1;
}

/** Whether words mean one of these things. What is a yes in one language and a no or unclear in another means neither. */
function meansOneOf(means: readonly Meaning[], some: readonly Meaning[]): boolean {
	const isFor = means.includes('yes') || means.includes('glad');
	const isAgainst = means.includes('no') || means.includes('sorry');
	return (
		!(isFor && isAgainst) && !means.includes('unclear') && means.some((one) => some.includes(one))
	);
}

/** One unknown part costs more than all known ones of a text together, so that as few as can be are unknown. */
const UNKNOWN_COST = MOST_CHARACTERS;
/** A question of so many words says itself what it asks. */
const WHOLE_QUESTION = 5;

/** The place in a list that words mean, counted from 0, and the day that a word names: each in any language. */
const PLACE_OF = new Map(Object.values(PLACES).flatMap((entries) => [...placesIn(entries)]));
const DAY_OF = placesIn(DAYS);

const AROUND_DAYS = placesIn(WHEN);
const SAME = [...listOf(DAYS).slice(0, 7), ...listOf(SAME_NAMES)];
const OTHER_NAMES = new Set(listOf(SAME_NAMES).flat());

const TURNS = placesIn(Object.values(TURNING).join());
const DOUBTS = placesIn(Object.values(DOUBTING).join());
const POINTS = placesIn(POINTING);
