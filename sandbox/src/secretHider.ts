import { getOrAdd } from './getOrAdd';

/** A secret, and what is shown instead of it. */
export type Secret = readonly [secret: string, placeholder: string];

/** Shorter ones are not looked for, because any text could contain them. */
const LEAST_CHARACTERS = 8;

/** Where a secret is in a text: its first character, the one after its last, and what is shown instead. */
type Place = { start: number; end: number; placeholder: string };

/** Hides secrets in texts, however they are written there: as they are, in a URL, in JSON, in a page or in base64. */
export class SecretHider {
	readonly #patterns = new Map<string, RegExp>();

	/** The text without the secrets. Where they overlap, the placeholder of the first one stands for all of them. */
	hide(text: string, secrets: Secret[]): string {
		const places = secrets.flatMap((secret) => this.#placesOf(secret, text));
		places.sort((one, other) => one.start - other.start || other.end - one.end);
		let shown = '';
		let hiddenTo = 0;
		for (const { start, end, placeholder } of places) {
			if (start >= hiddenTo) shown += text.slice(hiddenTo, start) + placeholder;
			hiddenTo = Math.max(hiddenTo, end);
		}
		return shown + text.slice(hiddenTo);
	}

	#placesOf([secret, placeholder]: Secret, text: string): Place[] {
		if (secret.length < LEAST_CHARACTERS) return [];
		const pattern = getOrAdd(this.#patterns, secret, () => patternOf(secret));
		return [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
			start: index,
			end: index + found.length,
			placeholder,
		}));
	}
}

const patternOf = (secret: string): RegExp => {
	const written = [...secret].map(patternOfCharacter).join('');
	return new RegExp([written, ...patternsInBase64(secret)].join('|'), 'g');
};

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

const hex = (code: number, digits: number): string =>
	code
		.toString(16)
		.padStart(digits, '0')
		.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

/** A text whose characters may each be encoded for a URL, also more than once. */
const maybeInUrl = (text: string): string =>
	[...text]
		.map((character) => {
			const bytes = [...Buffer.from(character)];
			const encoded = bytes.map((byte) => `%(?:25)*${hex(byte, 2)}`).join('');
			return `(?:${encoded}|${literally(character)})`;
		})
		.join('');

/** More than one stands before a character in JSON within JSON. */
const BACKSLASHES = `${maybeInUrl('\\')}{1,4}`;

const ENTITIES: ReadonlyMap<string, string> = new Map([
	['&', '&amp;'],
	['<', '&lt;'],
	['>', '&gt;'],
	['"', '&quot;'],
	["'", '&apos;'],
]);

/** Every way to write a character. The longer ways come first, so that nothing is left of them. */
const patternOfCharacter = (character: string): string => {
	const code = character.codePointAt(0)!;
	const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
	const inJson = character === '/' ? '\\/' : JSON.stringify(character).slice(1, -1);
	const entity = ENTITIES.get(character);
	const [and, number, end] = ['&', '#', ';'].map(maybeInUrl);
	const ways = [
		units.map((unit) => `${BACKSLASHES}u${hex(unit, 4)}`).join(''),
		`${and}${number}(?:0*${code}|[xX]0*${hex(code, 0)})${end}`,
		...(entity ? [maybeInUrl(entity)] : []),
		...(inJson.startsWith('\\') ? [BACKSLASHES + maybeInUrl(inJson.slice(1))] : []),
		...(character === ' ' ? ['\\+'] : []),
		maybeInUrl(character),
	];
	return `(?:${ways.join('|')})`;
};

const BITS_OF_BYTE = 8;
const BITS_OF_CHARACTER = 6;
const ANY_BASE64 = '(?:[A-Za-z0-9+/_-]|%2[bBfF])?';

/** A secret within base64 of a longer text, for example of a key pair, may begin at each of three places of a group. */
const patternsInBase64 = (secret: string): string[] =>
	[0, 1, 2].map((before) => {
		const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
		const startBits = before * BITS_OF_BYTE;
		const endBits = bytes.length * BITS_OF_BYTE;
		const own = bytes
			.toString('base64')
			.slice(Math.ceil(startBits / BITS_OF_CHARACTER), Math.floor(endBits / BITS_OF_CHARACTER));
		return [
			// A character at each end may hold bits of a neighbour as well.
			startBits % BITS_OF_CHARACTER === 0 ? '' : ANY_BASE64,
			...[...own].map(patternOfBase64),
			endBits % BITS_OF_CHARACTER === 0 ? '' : ANY_BASE64,
			'(?:=|%3[dD]){0,2}',
		].join('');
	});

const patternOfBase64 = (character: string): string => {
	if (character === '+') return '(?:[+-]|%2[bB])';
	if (character === '/') return '(?:[/_]|\\\\/|%2[fF])';
	return character;
};
