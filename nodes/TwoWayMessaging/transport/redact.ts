/** Characters of the shortest secret that an operator gives out. */
const SHORTEST_SECRET = 8;

const DOTS = '•••';

/** How pages write the characters that mean something in HTML. Programs differ in how they write quotation marks. */
const ENTITIES: Array<Record<string, string>> = [
	{ '"': '&quot;', "'": '&#39;' },
	{ '"': '&#34;', "'": '&#039;' },
	{ '"': '&quot;', "'": '&#x27;' },
	{ '"': '&quot;', "'": '&apos;' },
].map((quotes) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', ...quotes }));

/**
 * Every text that gives one of the secrets away: itself, and as URLs, forms, JSON, pages and headers have it. The longest
 * comes first.
 *
 * ```ts
 * spellingsOf(['a+b']) // ['a%2Bb', 'a%2bb', 'YSti', 'a+b']
 * ```
 */
export function spellingsOf(secrets: string[]): string[] {
	const spellings = secrets.filter(Boolean).flatMap((secret) => {
		const bytes = Buffer.from(secret);
		// A URL has no place for half a character, which a typed secret may contain.
		const whole = bytes.toString();
		return [secret, ...inUrls(whole), ...inJson(secret), ...inPages(secret), ...inBase64(bytes)];
	});
	return [...new Set(spellings)].sort((one, other) => other.length - one.length);
}

function inUrls(secret: string): string[] {
	const form = new URLSearchParams([['', secret]]).toString().slice(1);
	const written = [encodeURIComponent(secret), encodeURI(secret), form];
	return written.flatMap((one) => [one, one.replace(/%../g, (code) => code.toLowerCase())]);
}

/** As JSON that stands within a text: some programs escape the slash, some every character beyond ASCII. */
function inJson(secret: string): string[] {
	const json = JSON.stringify(secret).slice(1, -1);
	const ascii = json.replace(
		/[^\0-\x7f]/g,
		(unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
	return [json, ascii].flatMap((one) => [one, one.replaceAll('/', '\\/')]);
}

function inPages(secret: string): string[] {
	return ENTITIES.map((entities) =>
		secret.replace(/[&<>"']/g, (character) => entities[character]!),
	);
}

function inBase64(bytes: Buffer): string[] {
	const standard = bytes.toString('base64');
	const forUrls = standard.replaceAll('+', '-').replaceAll('/', '_');
	return [standard, forUrls].flatMap((one) => [one, one.replaceAll('=', '')]);
}

/**
 * The text with dots in place of every secret. A very short one counts as a whole word only: somebody has typed it to try,
 * and ordinary words contain it.
 */
export function redact(text: string, secrets: string[]): string {
	const places = secrets.flatMap((secret) =>
		secret.length <= text.length && text.includes(secret) ? placesOf(secret, text) : [],
	);
	return places.length === 0 ? text : withDots(text, places);
}

/** Where a text is within another: its first character, and the one after its last. */
type Place = [start: number, end: number];

function placesOf(secret: string, text: string): Place[] {
	if (secret.length < SHORTEST_SECRET) return wordsOf(secret, text);
	const places: Place[] = [];
	for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) {
		const last = places.at(-1);
		if (last && at < last[1]) last[1] = at + secret.length;
		else places.push([at, at + secret.length]);
	}
	return places;
}

function wordsOf(secret: string, text: string): Place[] {
	const word = secret.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
	const words = new RegExp(`(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`, 'gu');
	return [...text.matchAll(words)].map(({ index }) => [index, index + secret.length]);
}

/** Puts dots in the places. Those that overlap are one, as a secret may begin within another. */
function withDots(text: string, places: Place[]): string {
	places.sort(([one], [other]) => one - other);
	let shown = '';
	let hiddenTo = 0;
	for (const [start, end] of places) {
		if (start >= hiddenTo) shown += text.slice(hiddenTo, start) + DOTS;
		hiddenTo = Math.max(hiddenTo, end);
	}
	return shown + text.slice(hiddenTo);
}

/**
 * Puts dots in place of every secret in what the service sent, at any depth, before anything reads it. It changes parsed
 * JSON in place, as a history can have a hundred thousand rows.
 *
 * A very short secret stays: somebody has typed it to try, and customers' texts contain it as a word of theirs.
 */
export function redactAll(said: unknown, secrets: string[]): unknown {
	return redactor(secrets)(said);
}

/** As `redactAll` does, for one who has the same secrets again and again. */
export function redactor(secrets: string[]): (said: unknown) => unknown {
	const longSecrets = secrets.filter(({ length }) => length >= SHORTEST_SECRET);
	const mayContain = firstLook(longSecrets);
	return (said) => {
		const root = { said };
		// Not by recursion: JSON can be nested deeper than the stack.
		const open: object[] = [root];
		for (let one = open.pop(); one; one = open.pop()) {
			const fields = one as Record<string, unknown>;
			for (const name in fields) {
				const value = fields[name];
				if (typeof value === 'string') {
					if (mayContain(value)) fields[name] = redact(value, longSecrets);
				} else if (typeof value === 'object' && value !== null) open.push(value);
				if (mayContain(name)) rename(fields, name, redact(name, longSecrets));
			}
		}
		return root.said;
	};
}

/** Characters that the first look compares at once. */
const LOOK = 3;

/** Entries of the table of a first look: many more than a few secrets fill. */
const LOOK_SIZE = 1 << 14;

/**
 * A quick look whether a text may contain one of the secrets, as a long history has a million texts. It goes in steps: of
 * a secret that is there, the first characters cover one of the places it looks at.
 */
function firstLook(secrets: string[]): (text: string) => boolean {
	const shortest = Math.min(...secrets.map(({ length }) => length));
	const step = shortest - LOOK + 1;
	const seen = new Uint8Array(LOOK_SIZE);
	for (const secret of secrets) for (let at = 0; at < step; at++) seen[lookAt(secret, at)] = 1;
	return (text) => {
		for (let at = step - 1; at + LOOK <= text.length; at += step) {
			if (seen[lookAt(text, at)] === 1) return true;
		}
		return false;
	};
}

function lookAt(text: string, at: number): number {
	const mixed =
		(text.charCodeAt(at) << 8) ^ (text.charCodeAt(at + 1) << 4) ^ text.charCodeAt(at + 2);
	return mixed & (LOOK_SIZE - 1);
}

function rename(fields: Record<string, unknown>, from: string, to: string): void {
	if (from === to) return;
	fields[to] = fields[from];
	delete fields[from];
}
