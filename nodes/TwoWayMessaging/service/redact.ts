/** Characters of the shortest secret that an operator gives out. */
const SHORTEST_SECRET = 8;

const DOTS = '•••';

/** Texts that must not appear in a message, an item or a log, and how they are found however they are written. */
export type Secrets = {
	texts: string[];
	/** Finds them in a text that is as long as the shortest. */
	found: RegExp;
	shortest: number;
};

/**
 * The secrets, each found as it is, and as URLs, forms, JSON and headers have it. A very short one is none: somebody has typed
 * it to try, and customers' texts contain it as a word of theirs.
 */
export function secretsFrom(texts: string[]): Secrets {
	const known = [...new Set(texts)].filter(({ length }) => length >= SHORTEST_SECRET);
	const forms = known
		.flatMap(spellingsOf)
		// Longest first: of a secret that begins with another, nothing is left behind.
		.sort((one, other) => other.length - one.length)
		.map(expressionFor);
	return {
		texts: known,
		shortest: Math.min(...known.map(({ length }) => length)),
		found: new RegExp(forms.join('|') || '(?!)', 'g'),
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
export function redact(text: string, { found }: Secrets): string {
	return text.replace(found, DOTS);
}

/**
 * Puts dots in place of every secret in what the service sent, at any depth, before anything reads it. It changes parsed
 * JSON in place, as a history can have a hundred thousand rows.
 */
export function redactAll<Said>(said: Said, { found, shortest }: Secrets): Said {
	const hide = (text: string) => (text.length < shortest ? text : text.replace(found, DOTS));
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
