import fc from 'fast-check';
import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import {
	SigningKeys,
	verifySignature,
	type SignatureRefusal,
	type SignedRequest,
} from '../../nodes/TwoWayMessaging/trigger/verifySignature';

const SECRET = 'whsec_4f1d';
const T = 1_767_225_600;
const BODY = Buffer.from('{"id":"evt_1","type":"receive"}');

/** Every digest below was made with `(printf '<t>.'; cat body) | openssl dgst -sha256 -hmac <secret>`. */
const DIGEST = '0d97b0548168ed855104371eb38d32cd26149df6cc70c84a39002a7d032ce65e';
const DIGEST_OF_BODY_ALONE = 'aac7cd3b495dfeae2d0d6f5f987ed18db4c15a39b29aa7c64245b6c659747a88';
const DIGEST_BY_PREVIOUS = '990e0f8c95984d63648278ebecdb4688ecc94082ac811a57b147b70f3a3be847';
const HEADER = `t=${T},v1=${DIGEST}`;
const WRONG = 'f'.repeat(64);

const request = (changes: Partial<SignedRequest> = {}): SignedRequest => ({
	header: HEADER,
	rawBody: BODY,
	secrets: [SECRET],
	nowMs: T * 1_000,
	toleranceSeconds: 300,
	...changes,
});
const verdict = (changes: Partial<SignedRequest> = {}) => verifySignature(request(changes));
const genuine = { isGenuine: true };
const refused = (reason: SignatureRefusal) => ({ isGenuine: false, reason });

/** Signs as §6.4 describes it, without the code under test. */
const sign = (rawBody: Uint8Array, secret = SECRET, timestamp: number | string = T) =>
	createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest('hex');

describe('§6.4 the known signature of a body is accepted', () => {
	test.each([
		['JSON', BODY, DIGEST],
		[
			'an empty body',
			Buffer.alloc(0),
			'e71cfa8e94f4362a56260a31deded393647218ff0a6b2ed31d2ee34da9a22332',
		],
		[
			'an emoji and U+2028',
			Buffer.from('{"text":"café 👋 \u2028"}'),
			'33909814d808ecc4ea8fe23cc80f1595fb4a3daa366859326328b814e1f2a7ee',
		],
		[
			'a BOM and CRLF',
			Buffer.from('\ufeff{"a":1}\r\n'),
			'2d869c4e5979b2a2485f19e2d5cf6bcd58e044fe1995c1d681229622355d85ae',
		],
		[
			'bytes that are not UTF-8',
			Buffer.from([0xff, 0xfe, 0x00, 0x80]),
			'bf7fbbb47e21212b2ea0ffe9c2e0da8c59fdbb2d4f97a64c50bbd526aad627f1',
		],
		[
			'1 MB',
			Buffer.alloc(1_048_576, 'x'),
			'4c821604483baa42ef5cd9c96b1e7162aba28ae172ea96c91d94a31099014d37',
		],
	])('as another tool has made it: %s', (_, rawBody, digest) => {
		expect(verdict({ rawBody, header: `t=${T},v1=${digest}` })).toEqual(genuine);
	});
});

describe('§6.4 the signature is over the exact bytes', () => {
	test('the HMAC of the body alone, which one description gives, is refused', () => {
		const header = `t=${T},v1=${DIGEST_OF_BODY_ALONE}`;
		expect(verdict({ header })).toEqual(refused('wrong signature'));
	});

	test('a body that was parsed and written again is refused', () => {
		const sent = Buffer.from('{ "id": "evt_1",  "n": 1.0 }');
		const header = `t=${T},v1=${sign(sent)}`;
		const again = Buffer.from(JSON.stringify(JSON.parse(sent.toString())));
		expect(verdict({ rawBody: sent, header })).toEqual(genuine);
		expect(verdict({ rawBody: again, header })).toEqual(refused('wrong signature'));
	});

	test('a compressed body is refused where the uncompressed one was signed', () => {
		expect(verdict({ rawBody: gzipSync(BODY) })).toEqual(refused('wrong signature'));
	});

	test('the signature of another timestamp is refused', () => {
		expect(verdict({ header: `t=${T + 1},v1=${DIGEST}` })).toEqual(refused('wrong signature'));
	});
});

describe('§6.4 the header', () => {
	const known: Array<[string, SignedRequest['header']]> = [
		['spaces after the comma', `t=${T}, v1=${DIGEST}`],
		['spaces around everything', `  t=${T} ,\tv1=${DIGEST}  `],
		['the signature before the timestamp', `v1=${DIGEST},t=${T}`],
		['several v1, the right one first', `t=${T},v1=${DIGEST},v1=${WRONG}`],
		['several v1, the right one last', `v1=${WRONG},t=${T},v1=${WRONG},v1=${DIGEST}`],
		['an unknown scheme beside', `t=${T},v0=${WRONG},v1=${DIGEST},v2=x`],
		['an unusable v1 beside', `t=${T},v1=,v1=xyz,v1=${DIGEST}`],
		['empty elements', `,t=${T},,v1=${DIGEST},`],
		['digits in upper case', `t=${T},v1=${DIGEST.toUpperCase()}`],
		['a list of one', [HEADER]],
		['a list of its parts', [`t=${T}`, `v1=${DIGEST}`]],
	];
	test.each(known)('is understood with %s', (_, header) => {
		expect(verdict({ header })).toEqual(genuine);
	});

	const hostile: Array<[string, SignedRequest['header'], SignatureRefusal]> = [
		['absent', undefined, 'no header'],
		['empty', '', 'no header'],
		['an empty list', [], 'no header'],
		['only spaces', '   ', 'no timestamp'],
		['sent twice', [HEADER, HEADER], 'two timestamps'],
		['sent twice and joined by Node', `${HEADER}, ${HEADER}`, 'two timestamps'],
		['with two timestamps, the right one first', `t=${T},t=1,v1=${DIGEST}`, 'two timestamps'],
		['with two timestamps, the right one last', `t=1,t=${T},v1=${DIGEST}`, 'two timestamps'],
		['without a timestamp', `v1=${DIGEST}`, 'no timestamp'],
		['without a signature', `t=${T}`, 'no v1 signature'],
		['with an unknown scheme alone', `t=${T},v2=${DIGEST}`, 'no v1 signature'],
		['with the scheme in upper case', `t=${T},V1=${DIGEST}`, 'no v1 signature'],
		['with spaces around the equals sign', `t=${T},v1 = ${DIGEST}`, 'no v1 signature'],
		['with the digest alone', DIGEST, 'no timestamp'],
		['with 63 digits', `t=${T},v1=${DIGEST.slice(1)}`, 'no v1 signature'],
		['with 65 digits', `t=${T},v1=${DIGEST}0`, 'no v1 signature'],
		['with no digits', `t=${T},v1=`, 'no v1 signature'],
		['with something that is not hex', `t=${T},v1=${'g'.repeat(64)}`, 'no v1 signature'],
		['with one digit that is not hex', `t=${T},v1=${DIGEST.slice(0, -1)}g`, 'no v1 signature'],
		[
			'with base64',
			`t=${T},v1=${Buffer.from(DIGEST, 'hex').toString('base64')}`,
			'no v1 signature',
		],
		['with two digests in one element', `t=${T},v1=${DIGEST}${DIGEST}`, 'no v1 signature'],
		['separated by semicolons', `t=${T};v1=${DIGEST}`, 'no timestamp'],
	];
	test.each(hostile)('is refused when it is %s', (_, header, reason) => {
		expect(verdict({ header })).toEqual(refused(reason));
	});
});

describe('§6.4 the timestamp is Unix seconds in decimal digits', () => {
	test.each([
		['negative', `-${T}`],
		['with a decimal point', `${T}.0`],
		['with an exponent', '1e9'],
		['with a plus', '+1'],
		['with a plus, and else of now', `+${T}`],
		['followed by letters', '123abc'],
		['followed by letters, and else of now', `${T}abc`],
		['with leading zeros', `000${T}`],
		['with a leading zero', `0${T}`],
		['zero', '0'],
		['with a space inside', `1767 225600`],
		['hexadecimal', `0x${T.toString(16)}`],
		['in other digits', '١٧٦٧٢٢٥٦٠٠'],
		['empty', ''],
		['beyond 2^53', '9007199254740993'],
		['beyond everything', '9'.repeat(400)],
	])('%s is refused, even if it is signed correctly', (_, timestamp) => {
		const header = `t=${timestamp},v1=${sign(BODY, SECRET, timestamp)}`;
		expect(verdict({ header })).toEqual(refused('no timestamp'));
	});

	test('milliseconds are refused as far in the future', () => {
		const header = `t=${T}000,v1=${sign(BODY, SECRET, `${T}000`)}`;
		expect(verdict({ header })).toEqual(refused('timestamp in the future'));
	});

	test.each([
		['300 seconds old', 300, genuine],
		['301 seconds old', 301, refused('timestamp too old')],
		['300 seconds early', -300, genuine],
		['301 seconds early', -301, refused('timestamp in the future')],
	])('%s, with a tolerance of 300 seconds', (_, ageSeconds, expected) => {
		expect(verdict({ nowMs: (T + ageSeconds) * 1_000 })).toEqual(expected);
	});

	test('the age counts whole seconds', () => {
		expect(verdict({ nowMs: (T + 300) * 1_000 + 999 })).toEqual(genuine);
	});

	test('a tolerance of zero accepts the same second only', () => {
		expect(verdict({ toleranceSeconds: 0 })).toEqual(genuine);
		expect(verdict({ toleranceSeconds: 0, nowMs: (T + 1) * 1_000 }).isGenuine).toBe(false);
	});
});

describe('§6.4 the secret', () => {
	test.each([
		['none', []],
		['an empty one', ['']],
	])('fails closed with %s, even for a body that an empty key signed', (_, secrets) => {
		const header = `t=${T},v1=${sign(BODY, '')}`;
		expect(verdict({ header, secrets })).toEqual(refused('no secret'));
	});

	test('is left out when it is empty, beside a good one', () => {
		expect(verdict({ secrets: ['', SECRET] })).toEqual(genuine);
		const header = `t=${T},v1=${sign(BODY, '')}`;
		expect(verdict({ header, secrets: ['', SECRET] })).toEqual(refused('wrong signature'));
	});

	test('counts for what it has signed, and for nothing else', () => {
		const many = Array.from({ length: 250 }, (_, n) => `secret ${n}`);
		for (const secret of [...many, ...many]) {
			const header = `t=${T},v1=${sign(BODY, secret)}`;
			expect(verdict({ header, secrets: [secret] })).toEqual(genuine);
			expect(verdict({ secrets: [secret] })).toEqual(refused('wrong signature'));
		}
	});

	test('is left out when it is no text, beside a good one', () => {
		const secrets = [undefined, SECRET] as string[];
		expect(verdict({ secrets })).toEqual(genuine);
	});

	test('counts with every letter that it has', () => {
		const header = `t=${T},v1=${sign(BODY, 'schlüssel 🔑')}`;
		expect(verdict({ header, secrets: ['schlüssel 🔑'] })).toEqual(genuine);
		expect(verdict({ header, secrets: ['schlössel 🔒'] })).toEqual(refused('wrong signature'));
	});

	test('that was registered before counts beside the current one', () => {
		const header = `t=${T},v1=${DIGEST_BY_PREVIOUS}`;
		expect(verdict({ header, secrets: [SECRET, 'previous'] })).toEqual(genuine);
		expect(verdict({ header, secrets: [SECRET] })).toEqual(refused('wrong signature'));
	});
});

describe('the keys of secrets', () => {
	const named = (count: number) => Array.from({ length: count }, (_, n) => `secret ${n}`);

	test('are made once, for as many secrets as the workflows of a process have', () => {
		const keys = new SigningKeys();
		const made = named(100).map((secret) => keys.of(secret));
		expect(new Set(made).size).toBe(100);
		expect(named(100).every((secret, n) => keys.of(secret) === made[n])).toBe(true);
	});

	test('are forgotten when there are more secrets than that', () => {
		const keys = new SigningKeys();
		const [first] = named(101).map((secret) => keys.of(secret));
		expect(keys.of('secret 0')).not.toBe(first);
	});
});

test('§6.4 a time or a tolerance that is no number lets nothing in', () => {
	for (const changes of [{ nowMs: Number.NaN }, { toleranceSeconds: Number.NaN }]) {
		expect(verdict(changes)).toEqual(refused('timestamp too old'));
	}
});

describe('generated requests', () => {
	const bodies = fc.uint8Array({ minLength: 1, maxLength: 200 });

	test('what the service signs is accepted, wherever its v1 stands', () => {
		const schemes = fc.array(fc.constantFrom(`v1=${WRONG}`, 'v0=1', 'v1=', 'x', ''));
		fc.assert(
			fc.property(
				bodies,
				fc.string({ minLength: 1 }),
				schemes,
				schemes,
				(body, key, before, after) => {
					const own = `v1=${sign(body, key)}`;
					const header = [...before, own, `t=${T}`, ...after].join(',');
					expect(verdict({ rawBody: body, header, secrets: [key] })).toEqual(genuine);
				},
			),
		);
	});

	test('one byte changed anywhere in the body is refused', () => {
		fc.assert(
			fc.property(bodies, fc.nat(), fc.integer({ min: 1, max: 255 }), (body, place, change) => {
				const header = `t=${T},v1=${sign(body)}`;
				const changed = Uint8Array.from(body);
				changed[place % body.length]! ^= change;
				expect(verdict({ rawBody: changed, header })).toEqual(refused('wrong signature'));
			}),
		);
	});

	test('one byte more or one byte less anywhere in the body is refused', () => {
		fc.assert(
			fc.property(bodies, fc.nat(), fc.nat(255), (body, somewhere, byte) => {
				const place = somewhere % body.length;
				const header = `t=${T},v1=${sign(body)}`;
				const [before, after] = [body.subarray(0, place), body.subarray(place)];
				for (const rawBody of [
					Buffer.concat([before, Buffer.of(byte), after]),
					Buffer.concat([before, after.subarray(1)]),
				]) {
					expect(verdict({ rawBody, header })).toEqual(refused('wrong signature'));
				}
			}),
		);
	});

	test('one letter changed anywhere in the secret is refused', () => {
		fc.assert(
			fc.property(bodies, fc.nat(SECRET.length - 1), (body, place) => {
				const other = `${SECRET.slice(0, place)}~${SECRET.slice(place + 1)}`;
				const header = `t=${T},v1=${sign(body, other)}`;
				expect(verdict({ rawBody: body, header })).toEqual(refused('wrong signature'));
			}),
		);
	});

	test('one byte changed anywhere in the header is refused, but for the case of a digit', () => {
		const codes = fc.integer({ min: 0x20, max: 0x7e });
		fc.assert(
			fc.property(fc.nat({ max: HEADER.length - 1 }), codes, (place, code) => {
				const header = HEADER.slice(0, place) + String.fromCharCode(code) + HEADER.slice(place + 1);
				fc.pre(header.toLowerCase() !== HEADER.toLowerCase());
				expect(verdict({ header }).isGenuine).toBe(false);
			}),
			{ numRuns: 2_000 },
		);
	});

	test('no random header is accepted, and none throws', () => {
		const pieces = fc.array(
			fc.oneof(
				fc.string(),
				fc.constantFrom('t=', 'v1=', ',', '=', String(T), `t=${T}`, `v1=${WRONG}`, DIGEST.slice(1)),
			),
		);
		const headers = fc.oneof(
			pieces.map((parts) => parts.join('')),
			pieces.map((parts) => parts.join(',')),
			fc.array(fc.string()),
			fc.string({ unit: 'binary' }),
		);
		fc.assert(
			fc.property(headers, bodies, (header, rawBody) => {
				expect(verdict({ header, rawBody }).isGenuine).toBe(false);
			}),
			{ numRuns: 2_000 },
		);
	});
});
