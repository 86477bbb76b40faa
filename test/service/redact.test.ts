import fc from 'fast-check';
import { secretsOf } from '../../nodes/TwoWayMessaging/service/credential';
import * as service from '../../nodes/TwoWayMessaging/service/redact';

const redact = (text: string, secrets: string[]) =>
	service.redact(text, service.secretsFrom(secrets));
const redactAll = (said: unknown, secrets: string[]) =>
	service.redactAll(said, service.secretsFrom(secrets));

describe('a text that is shown', () => {
	test.each([
		[
			'key key-1234, secret s+123456, again key-1234',
			['key-1234', 's+123456'],
			'key •••, secret •••, again •••',
		],
		['xsecret_abcx', ['secret_abc'], 'x•••x'],
		// Somebody has typed one letter to try, which stands in many words.
		['Check API Key, not y', ['y', '.'], 'Check API Key, not y'],
		['key-of-shop-and-more, key-of-shop', ['key-of-shop', 'key-of-shop-and-more'], '•••, •••'],
	])('carries no secret, a long one within a word either, and stays readable: %s', (...row) => {
		const [text, secrets, shown] = row;
		expect(redact(text, secrets)).toBe(shown);
	});

	test('carries no secret, whatever characters it consists of', () => {
		fc.assert(
			fc.property(fc.string({ minLength: 8, unit: 'binary' }), (secret) => {
				fc.pre(!secret.includes('•') && !'said,  again'.includes(secret));
				expect(redact(`said ${secret}, again`, [secret])).toBe('said •••, again');
			}),
		);
	});
});

describe('the spellings of a secret', () => {
	const SECRET = 'ab/cd+ef"gh ü?>==';
	const base64 = (text: string) => Buffer.from(text).toString('base64');
	const base64url = (text: string) => Buffer.from(text).toString('base64url');

	test.each([
		['a URL', encodeURIComponent(SECRET)],
		['a URL in small letters', encodeURIComponent(SECRET).replace(/%../g, (x) => x.toLowerCase())],
		['a whole URL', encodeURI(SECRET)],
		['a form', new URLSearchParams({ a: SECRET }).toString().slice(2)],
		['JSON', JSON.stringify(SECRET).slice(1, -1)],
		['base64', base64(SECRET)],
		['base64 without padding', base64(SECRET).replaceAll('=', '')],
		['base64 for a URL', base64url(SECRET)],
		['base64 of the key pair', base64(`key-12345678:${SECRET}`)],
		['base64 of the key pair for a URL', base64url(`key-12345678:${SECRET}`)],
	])('are those of %s too', (_, written) => {
		const secrets = secretsOf({ apiKey: 'key-12345678', apiSecret: SECRET });
		expect(redactAll({ message: `Refused ${written}.` }, secrets)).toEqual({
			message: 'Refused •••.',
		});
		expect(redact(`Refused ${written}.`, secrets)).toBe('Refused •••.');
	});

	test('can be found of whatever a person has typed', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), (apiSecret) => {
				const secrets = secretsOf({ apiKey: '\ud800', apiSecret });
				expect(redact('nothing', secrets)).toBe(redact('nothing', [apiSecret]));
			}),
		);
	});
});

describe('what the service sent', () => {
	const SECRET = 'secret_abc';

	test('has no secret in a text, at any depth', () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
				const said = { one, list: [`for ${SECRET}`, { other, deep: [`x${SECRET}`] }] };
				expect(JSON.stringify(redactAll(said, [SECRET]))).toBe(
					JSON.stringify(said).replaceAll(SECRET, '•••'),
				);
			}),
		);
	});

	test('stays as it is where it has no secret', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (said) => {
				expect(redactAll(structuredClone(said), [SECRET])).toEqual(said);
			}),
		);
	});

	test('may be nested deeper than a program can call itself', () => {
		const depth = 100_000;
		const said = JSON.parse('['.repeat(depth) + `"${SECRET}"` + ']'.repeat(depth)) as unknown;
		let inner = redactAll(said, [SECRET]);
		while (Array.isArray(inner)) inner = inner[0];
		expect(inner).toBe('•••');
	});
});
