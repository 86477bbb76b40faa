/** Characters of the shortest secret that an operator gives out. */
const SHORTEST_SECRET = 8;

const DOTS = '•••';

/** How pages write the characters that mean something in HTML, besides their numbers. */
const ENTITIES: Record<string, string> = {
	'&': 'amp',
	'<': 'lt',
	'>': 'gt',
	'"': 'quot',
	"'": 'apos',
};

/** Texts that must not appear in a message, an item or a log, and how they are found however they are written. */
export type Secrets = {
	texts: string[];
	/** Finds those that are long enough to be secrets, in a text that is as long as the shortest. */
	long: RegExp;
	shortest: number;
	/** Finds a very short one, too, as a whole word: somebody has typed it to try, and ordinary words contain it. */
	all: RegExp;
};

/** The secrets, each found as it is, and as URLs, forms, JSON, pages and headers have it. */
export function secretsFrom(texts: string[]): Secrets {
	const known = [...new Set(texts.filter(Boolean))];
	const forms = known
		.flatMap((text) => {
			const base64 = Buffer.from(text).toString('base64').replaceAll('=', '');
			const inBase64 = anyFormOf(base64).replaceAll('\\+', '\\+|-').replaceAll('\\/', '\\/|_');
			return [
				{ length: text.length, form: anyFormOf(text) },
				{ length: base64.length, form: `${inBase64}(?:=|%3[Dd]){0,2}` },
			];
		})
		// One that begins with another leaves nothing behind.
		.sort((one, other) => other.length - one.length);
	const long = forms.filter(({ length }) => length >= SHORTEST_SECRET).map(({ form }) => form);
	const short = forms.filter(({ length }) => length < SHORTEST_SECRET).map(({ form }) => form);
	const words = `(?<![\\p{L}\\p{N}])(?:${short.join('|')})(?![\\p{L}\\p{N}])`;
	return {
		texts: known,
		shortest: Math.max(SHORTEST_SECRET, Math.min(...known.map(({ length }) => length))),
		long: new RegExp(long.join('|') || '(?!)', 'g'),
		all: new RegExp([...long, ...(short.length > 0 ? [words] : [])].join('|') || '(?!)', 'gu'),
	};
}

/** A regular expression for a text of which each character may be written in any way. */
function anyFormOf(text: string): string {
	return Array.from(text, (character) => {
		if (/[a-z0-9]/i.test(character)) return character;
		const code = character.codePointAt(0)!;
		const json = JSON.stringify(character).slice(1, -1);
		const inUrl = Array.from(Buffer.from(character), (byte) => `%${hex(byte, 2)}`);
		const inAscii = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
		const numbers = `#0{0,4}${code}|#[xX]0{0,4}${hex(code)}`;
		const forms = [
			escaped(character),
			escaped(json),
			inUrl.join(''),
			inAscii.map((unit) => `\\\\u${hex(unit, 4)}`).join(''),
			`&(?:${[numbers, ENTITIES[character]].filter(Boolean).join('|')});`,
		];
		if (character === ' ') forms.push('\\+');
		if (character === '/') forms.push('\\\\\\/');
		return `(?:${[...new Set(forms)].join('|')})`;
	}).join('');
}

/** Digits of either case. */
function hex(value: number, digits = 1): string {
	const written = value.toString(16).padStart(digits, '0');
	return written.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** A text that is shown, with dots in place of every secret. */
export function redact(text: string, { all }: Secrets): string {
	return text.replace(all, DOTS);
}

/**
 * Puts dots in place of every secret in what the service sent, at any depth, before anything reads it. It changes parsed
 * JSON in place, as a history can have a hundred thousand rows.
 *
 * A very short secret stays: somebody has typed it to try, and customers' texts contain it as a word of theirs.
 */
export function redactAll<Said>(said: Said, { long, shortest }: Secrets): Said {
	const hide = (text: string) => (text.length < shortest ? text : text.replace(long, DOTS));
	const root = { said };
	// Not by recursion: JSON can be nested deeper than the stack.
	const open: object[] = [root];
	for (let one = open.pop(); one; one = open.pop()) {
		const fields = one as Record<string, unknown>;
		for (const name in fields) {
			const value = fields[name];
			if (typeof value === 'string') fields[name] = hide(value);
			else if (typeof value === 'object' && value !== null) open.push(value);
			const shownName = hide(name);
			if (shownName === name) continue;
			fields[shownName] = fields[name];
			delete fields[name];
		}
	}
	return root.said;
}
