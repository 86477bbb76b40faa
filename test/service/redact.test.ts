import fc from 'fast-check';
import { secretsOf } from '../../nodes/TwoWayMessaging/service/credential';
import * as service from '../../nodes/TwoWayMessaging/service/redact';

const redact = (text: string, secrets: string[]) =>
	service.redact(text, service.secretsFrom(secrets));
const redactAll = (said: unknown, secrets: string[]) =>
	service.redactAll(said, service.secretsFrom(secrets));

describe('a text that is shown', () => {
	test('carries no secret, wherever it stands', () => {
		expect(redact('key key-of-1, secret s+1+2+3+, again key-of-1', ['key-of-1', 's+1+2+3+'])).toBe(
			'key •••, secret •••, again •••',
		);
	});

	test('stays readable where somebody has typed a few letters to try, which stand in many words', () => {
		expect(redact('Check API Key, not secret', ['y', 'secret'])).toBe('Check API Key, not secret');
	});

	test('carries no secret, whatever characters it consists of', () => {
		fc.assert(
			fc.property(fc.string({ minLength: 8, unit: 'binary' }), (secret) => {
				fc.pre(!secret.includes('•') && !'said,  again'.includes(secret));
				expect(redact(`said ${secret}, again`, [secret])).toBe('said •••, again');
			}),
		);
	});

	test('carries no secret within another word either', () => {
		expect(redact('xsecret_abcx', ['secret_abc'])).toBe('x•••x');
	});
});

describe('the spellings of a secret', () => {
	const SECRET = 'ab/cd+ef"gh ü?>==';
	const base64 = (text: string) => Buffer.from(text).toString('base64');
	const base64url = (text: string) => Buffer.from(text).toString('base64url');

	test.each([
		['a URL', encodeURIComponent(SECRET)],
		[
			'a URL with small letters',
			encodeURIComponent(SECRET).replace(/%../g, (x) => x.toLowerCase()),
		],
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

	test('leave nothing behind of a secret that begins with another', () => {
		const secrets = secretsOf({ apiKey: 'key-of-shop', apiSecret: 'key-of-shop-and-more' });

		expect(redact('key-of-shop-and-more, key-of-shop', secrets)).toBe('•••, •••');
	});

	test('include the key pair as a proxy asks for it', () => {
		const secrets = secretsOf({ apiKey: 'a-long-key', apiSecret: 'a-long-secret' });

		expect(redact(`Basic ${btoa('a-long-key:a-long-secret')}`, secrets)).toBe('Basic •••');
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

	test('has no secret at any depth, in a text or in the name of a field', () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
				const said = { one, list: [`for ${SECRET}`, { [`x${SECRET}`]: other, deep: [SECRET] }] };
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

	test('keeps the words of its texts and the names of its fields that are a very short secret', () => {
		const said = { line_handle: 'the line', content: 'Which line?' };
		expect(redactAll(structuredClone(said), ['line'])).toEqual(said);
	});
});
