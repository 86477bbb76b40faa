import { placesIn } from './lexicon';
import { DAY_OF, isNameOfDay, tokensOf, type Token } from './parts';
import { SAME_NAMES, WHEN } from './words';

/** What stands for the day and the time that a question names. No text has it as a word. */
const ASKED = '@';

type When = Record<'day' | 'part' | 'time' | 'half', string>;

/** The words of a text, with one `@` for the day and the time in it that the question names, if it names no other. */
export function asAsked(tokens: Token[], question: string): Token[] {
	const named = whenIn(tokensOf(question));
	return runsOf(tokens).flatMap((run) => {
		const said = whenIn(run);
		if (!isSameWhen(said, named) || !(said.day || said.time)) return run;
		return [{ word: ASKED, isBegin: run[0]?.isBegin === true }];
	});
}

/** The words of a text, with the whole name of a day and time for the part of it that no other choice has: its day, or more than a number of its time. */
export function withWholeNames(tokens: Token[], names: readonly string[]): Token[] {
	const all = names.map((name) => tokensOf(name));
	return runsOf(tokens).flatMap((run) => {
		const said = whenIn(run);
		const isOfDay = (name: Token[]) => whenIn(name).day.split(',').includes(said.day);
		const [name, ...more] = all.filter(
			(one) =>
				(said.day === '' || isOfDay(one)) && (!one.every(isWhen) || isSameWhen(said, whenIn(one))),
		);
		if (!name || more.length > 0 || name.length === 1 || !name.every(isWhen)) return run;
		if (!run.some(isNameOfDay) && (said.time === '' || run.length === 1)) return run;
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
	if (said.part && said.part !== named.part) return false;
	if (said.half && named.half && said.half !== named.half) return false;
	const isByHalves = said.half !== named.half && hourOf(said) === hourOf(named);
	return !said.time || said.time === named.time || isByHalves;
}

/** The hour of the day: 3 pm is 15. */
const hourOf = ({ time, half }: When) =>
	half === 'pm' && Number(time) < 12 ? String(Number(time) + 12) : time;

/** Whether a word may stand around a day or a time. */
export const isAroundDays = (word: string) => AROUND_DAYS.has(word);

const isWhen = ({ word }: Token) =>
	DAY_OF.has(word) || PART_OF.has(word) || isAroundDays(word) || numberIn(word) !== '';

/** The digits of “3” and of “3rd”; empty for every other word. */
const numberIn = (word: string) => /^(\d+)(?:st|nd|rd|th)?$/.exec(word)?.[1] ?? '';

/** All days and times that a text names. */
function whenIn(tokens: Token[]): When {
	const words = tokens.map(({ word }) => word);
	return {
		day: words.flatMap((word) => DAY_OF.get(word) ?? []).join(),
		part: words.flatMap((word) => PART_OF.get(word) ?? []).join(),
		time: words
			.map(numberIn)
			.filter((number) => !['', '00'].includes(number))
			.join(),
		half: words.filter((word) => /^[ap]m$/.test(word)).join(),
	};
}

const AROUND_DAYS = placesIn(WHEN);

/** The month, or the part of a day, that a word names. “Mar” is a Tuesday. */
const PART_OF = new Map(
	[...placesIn(SAME_NAMES)].filter(([word]) => !DAY_OF.has(word) && !isAroundDays(word)),
);
