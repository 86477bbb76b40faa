/** Characters of the shortest secret that an operator gives out. */
const SHORTEST_SECRET = 8;

const DOTS = '•••';

/**
 * Every text that gives one of the secrets away: itself, and as URLs and headers have it. The longest comes first, as one may
 * begin with another.
 *
 * ```ts
 * spellingsOf(['a+b']) // ['a%2Bb', 'YSti', 'a+b']
 * ```
 */
export function spellingsOf(secrets: string[]): string[] {
	const spellings = secrets.filter(Boolean).flatMap((secret) => {
		const bytes = Buffer.from(secret);
		// A URL has no place for half a character, which a typed secret may contain.
		return [secret, encodeURIComponent(bytes.toString()), bytes.toString('base64')];
	});
	return [...new Set(spellings)].sort((one, other) => other.length - one.length);
}

/**
 * The text with dots in place of every secret. A very short one counts as a whole word only: somebody has typed it to try,
 * and ordinary words contain it.
 */
export function redact(text: string, secrets: string[]): string {
	let left = text;
	for (const secret of secrets) {
		if (secret.length <= left.length && left.includes(secret)) left = withDots(left, secret);
	}
	return left;
}

function withDots(text: string, secret: string): string {
	if (secret.length >= SHORTEST_SECRET) return text.split(secret).join(DOTS);
	const word = secret.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
	return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`, 'gu'), DOTS);
}

/**
 * Puts dots in place of every secret in what the service sent, at any depth, before anything reads it. It changes parsed
 * JSON in place, as a history can have a hundred thousand rows.
 *
 * A very short secret stays: somebody has typed it to try, and customers' texts contain it as a word of theirs.
 */
export function redactAll(said: unknown, secrets: string[]): unknown {
	const root = { said };
	const longSecrets = secrets.filter(({ length }) => length >= SHORTEST_SECRET);
	// Most texts are shorter than every secret, and a long history has a million of them.
	const shortest = Math.min(...longSecrets.map(({ length }) => length));
	// Not by recursion: JSON can be nested deeper than the stack.
	const open: object[] = [root];
	for (let one = open.pop(); one; one = open.pop()) {
		const fields = one as Record<string, unknown>;
		for (const name in fields) {
			const value = fields[name];
			if (typeof value === 'string') {
				if (value.length >= shortest) fields[name] = redact(value, longSecrets);
			} else if (typeof value === 'object' && value !== null) open.push(value);
			if (name.length >= shortest) rename(fields, name, redact(name, longSecrets));
		}
	}
	return root.said;
}

function rename(fields: Record<string, unknown>, from: string, to: string): void {
	if (from === to) return;
	fields[to] = fields[from];
	delete fields[from];
}
