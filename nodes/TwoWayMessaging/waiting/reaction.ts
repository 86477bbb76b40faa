import { formsOf } from './lexicon';
import { plain } from './parts';

/**
 * What phones write to others around the text to which somebody reacts, in the languages that the node knows: for a like or a
 * heart, for a dislike, and for all that is neither. The forms are written as those of `WORDS`.
 *
 * assumption: nobody has published these words; a reaction with others is a text that is not understood.
 */
const MEANT_BY = {
	'👍': `liked, loved, gefällt, gefällt/gefiel mir, gefiel, mag/liebe/~ ich, mag, mochte, liebt, liebte, hat geliked/geliket, me/le/te gusta/encanta, le gustó/encantó, le ha gustado/encantado,
		a aimé/adoré/apprécié, j'aime/j'adore/aime/adore, mi/~ piace, adora/ama, ha amato/adorato/apprezzato, gli/le/~ è piaciuto, gostou/gosta/gosto de/~, curtiu/adorou/amou/adoro,
		vond/vindt/vind ik/~ leuk/geweldig/fantastisch/mooi, houdt/hield van`,
	'👎': `disliked, gefällt/gefiel mir/~ nicht, mag ich/~ nicht, mochte nicht, no me/le/te gusta, no le gustó, no le ha gustado, n'a pas aimé, je/~ n'aime pas, non mi/~ piace,
		non ha apprezzato, non gli/le/~ è piaciuto, não gostou/gosta/gosto de/~, não curtiu, vond/vindt/vind ik/~ niet leuk`,
	'?': `laughed at, emphasized/emphasised, questioned, removed a/an like/heart/dislike/laugh/emphasis/exclamation/question+mark from, removed from, lacht/lachte über, hat über gelacht,
		betonte, hat betont/hervorgehoben/hinterfragt, hinterfragte/bezweifelte, se rió de, se ha reído de, enfatizó/cuestionó, exclamó/preguntó por, a ri de/à, a souligné/questionné, a mis l'accent sur,
		a mis en doute, s'est interrogé sur, ha riso di/a/per, ha enfatizzato, ha messo in dubbio, riu de/com, enfatizou/questionou, lachte om, benadrukte, heeft benadrukt, stelde een vraag bij`,
};

/** The same around an emoji. */
const AROUND_EMOJI = `~, to, reacted to, reacted with to, auf, zu, hat mit auf reagiert, reagierte/reagiert mit auf, a/al, reaccionó con a/al, ha reaccionado con a/al, à, a réagi avec/par à,
	ha reagito con a, reagiu com a, op, heeft met gereageerd op, heeft met op gereageerd, reageerde met op`;

const formsIn = (entries: string) => entries.split(',').flatMap(formsOf).map(plain);

const MEANINGS = new Map(
	Object.entries(MEANT_BY).flatMap(([emoji, entries]) =>
		formsIn(entries).map((form) => [form, emoji] as const),
	),
);

const EMOJI_FORMS: ReadonlySet<string> = new Set(formsIn(AROUND_EMOJI));

/** A text that is all quotation, but for a few words before or behind it. */
const QUOTING = /^([^“”„"«»]{0,60})[“”„"«»]([^]*)[“”"«»]([^“”„"«»]{0,40})$/u;

/**
 * The reaction of a phone that a text stands for: the text that the phone quotes, and an emoji for what is meant; undefined
 * for a text that a person has typed.
 */
export function reactionIn(text: string): { quoted: string; emoji: string } | undefined {
	const [, before = '', quoted = '', behind = ''] = QUOTING.exec(text.trim()) ?? [];
	const around = plain(`${before} ${behind}`);
	const words = around.replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ').trim();
	const emoji = around.replace(/[\p{L}\p{N}\p{M}\s]/gu, '').replace(/^❤.*/u, '👍');
	const meant = MEANINGS.get(words) ?? (EMOJI_FORMS.has(words) ? emoji : '');
	return meant === '' ? undefined : { quoted: quoted.trim(), emoji: meant };
}

/** Whether a phone quotes this text. A long one it may cut off. */
export function isQuoteOf(quoted: string, text: string): boolean {
	const [part, whole] = [plain(quoted), plain(text)];
	return (
		part !== '' && (part === whole || (/(…|\.\.\.)\s*$/.test(quoted) && whole.startsWith(part)))
	);
}
