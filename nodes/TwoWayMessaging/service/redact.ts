/** Characters of the shortest secret that an operator gives out: somebody has typed a shorter one to try, and words contain it. */
const SHORTEST_SECRET = 8;

const DOTS = '•••';

/** Texts that must not appear in a message, an item or a log, and what finds them however they are written. */
export type Secrets = { texts: string[]; pattern: RegExp };

/** The secrets, each found as it is, and as URLs, forms, JSON and headers have it. */
export function secretsFrom(texts: string[]): Secrets {
	const known = [...new Set(texts)].filter((text) => text.length >= SHORTEST_SECRET);
	const forms = known
		.flatMap(spellingsOf)
		// Longest first: of a secret that begins with another, nothing is left behind.
		.sort((one, other) => other.length - one.length);
	return { texts: known, pattern: new RegExp(forms.map(expressionFor).join('|') || '(?!)', 'g') };
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

/** A text with dots in place of every secret. */
export function redact(text: string, { pattern }: Secrets): string {
	return text.length < SHORTEST_SECRET ? text : text.replace(pattern, DOTS);
}

/**
 * Puts dots in place of every secret in what the service sent, at any depth, before anything reads it. It changes parsed
 * JSON in place, as a history can have a hundred thousand rows.
 */
export function redactAll<Said>(said: Said, secrets: Secrets): Said {
	const root = { said };
	// Not by recursion: JSON can be nested deeper than the stack.
	const open: object[] = [root];
	for (let one = open.pop(); one; one = open.pop()) {
		const fields = one as Record<string, unknown>;
		for (const name in fields) {
			const value = fields[name];
			if (typeof value === 'string') fields[name] = redact(value, secrets);
			else if (typeof value === 'object' && value !== null) open.push(value);
		}
	}
	return root.said;
}
