import type { Language } from '../../nodes/TwoWayMessaging/waiting/words';
import { read } from '../support/files';

export type Meant = Record<'yes' | 'no' | 'unclear', string[]>;

/** `everydayTexts.tsv`: below each heading one text a line, behind what it means. */
const SECTIONS = read('test/waiting/everydayTexts.tsv')
	.split(/^# /m)
	.slice(1)
	.map((section) => {
		const [heading = '', ...lines] = section.trimEnd().split('\n');
		return { heading, texts: lines.map((line) => line.split('\t') as [string, string]) };
	});

/** The sections with such a heading, and what it names. */
const under = (heading: RegExp) =>
	SECTIONS.flatMap(({ heading: own, texts }) => {
		const named = heading.exec(own)?.slice(1);
		const of = (meaning: string) =>
			texts.filter(([means]) => means === meaning).map(([, text]) => text);
		return named ? [{ named, texts, of }] : [];
	});

/** What people answer, by language, to any question or to one that an answer may repeat. */
export const ANSWERS = under(/^Answers in (\w\w) to ((?:any question|“([^”]+)”).*)$/).map(
	({ named: [language, to, question], of }) => ({
		language: language as Language,
		to,
		question,
		...{ yes: of('yes'), no: of('no'), unclear: of('unclear') },
	}),
);

/** What people text to a list of choices, and which one they mean; `none` for none that is clear. */
export const CHOSEN = under(/^Chosen from (.+)$/).map(({ named: [choices = ''], texts }) => ({
	choices: choices.split(' | '),
	texts: texts.map(([means, text]) => [text, means === 'none' ? '' : means]),
}));

/** What people text who want to be left alone, and others who do not, though their texts look alike. */
export const WISHES = under(/^Wishes$/).flatMap(({ texts }) => texts);

/** What phones write for a reaction to “Will you come?”, behind what it means. */
export const REACTIONS = under(/^Reactions to “Will you come\?”$/).flatMap(({ texts }) => texts);

/** What makes a yes or a no of a language doubtful anywhere in it, and what denies a yes before or behind it. */
export const DOUBTS = Object.fromEntries(
	under(/^Doubts in (\w\w)$/).map(({ named, of }) => [named[0], of]),
) as Record<Language, (what: 'of yes' | 'of no' | 'denies') => string[]>;
