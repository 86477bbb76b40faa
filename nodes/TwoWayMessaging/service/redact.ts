/** Characters of the shortest secret that an operator gives out. */
const SHORTEST_SECRET = 8;

const DOTS = '•••';

/** Texts that must not appear in a message, an item or a log, and how they are found however they are written. */
export type Secrets = {
	texts: string[];
	/** Finds those that are long enough to be secrets, in a text that is as long as the shortest. */
	long: RegExp;
	shortest: number;
	/** Finds a very short one, too, as a whole word: somebody has typed it to try, and ordinary words contain it. */
	all: RegExp;
};

/** The secrets, each found as it is, and as URLs, forms, JSON and headers have it. */
export function secretsFrom(texts: string[]): Secrets {
	const known = [...new Set(texts.filter(Boolean))];
	const forms = known
		.flatMap((text) => spellingsOf(text).map((form) => ({ length: text.length, form })))
		// Longest first: of a secret that begins with another, nothing is left behind.
		.sort((one, other) => other.form.length - one.form.length)
		.map(({ length, form }) => ({ length, form: expressionFor(form) }));
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

/** A text as it is, in JSON, in URLs and forms, and in base64. */
function spellingsOf(text: string): string[] {
	// A half of a character cannot stand in a URL.
	const whole = text.replace(/\p{Cs}/gu, '');
	const inUrl = encodeURIComponent(whole);
	const base64 = Buffer.from(text).toString('base64');
	const base64Url = base64.replaceAll('+', '-').replaceAll('/', '_');
	return [
		...[text, JSON.stringify(text).slice(1, -1)],
		...[inUrl, encodeURI(whole), inUrl.replaceAll('%20', '+')],
		...[base64, base64Url].flatMap((form) => [form, form.replaceAll('=', '')]),
		encodeURIComponent(base64),
	].filter(Boolean);
}

/** A regular expression for a text; the digits of its escapes may be small letters. */
const expressionFor = (text: string): string =>
	text
		.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
		.replace(/%[\dA-F]{2}/g, (hex) => `(?:${hex}|${hex.toLowerCase()})`);

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
