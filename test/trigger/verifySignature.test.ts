import fc from 'fast-check';
import { createHmac } from 'node:crypto';
import Stripe from 'stripe';
import {
	SigningKeys,
	verifySignature,
	type SignedRequest,
} from '../../nodes/TwoWayMessaging/trigger/verifySignature';
import { signatureHeader } from '../../sandbox/src/webhooks/signature';

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
const genuine = 'genuine';
type Verdict = ReturnType<typeof verifySignature>;

const refused = (reason: Verdict) => reason;

/** Signs as §6.4 describes it, without the code under test. */
const sign = (rawBody: Uint8Array, secret = SECRET, timestamp: number | string = T) =>
	createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest('hex');

test('§6.4 the signature is over the timestamp and the body, not over the body alone', () => {
	expect(verdict()).toEqual(genuine);
	const header = `t=${T},v1=${DIGEST_OF_BODY_ALONE}`;
	expect(verdict({ header })).toEqual(refused('wrong signature'));
});

describe('§6.4 the header', () => {
	const known: Array<[string, SignedRequest['header']]> = [
		['spaces around everything', `  t=${T} ,\tv1=${DIGEST}  `],
		['the signature before the timestamp', `v1=${DIGEST},t=${T}`],
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

	const hostile: Array<[Verdict, string, SignedRequest['header']]> = [
		['no header', 'absent', undefined],
		['no header', 'empty', ''],
		['no header', 'an empty list', []],
		['no timestamp', 'without a timestamp', `v1=${DIGEST}`],
		['no timestamp', 'separated by semicolons', `t=${T};v1=${DIGEST}`],
		['two timestamps', 'sent twice', [HEADER, HEADER]],
		['two timestamps', 'sent twice and joined by Node', `${HEADER}, ${HEADER}`],
		['two timestamps', 'with two, the right one first', `t=${T},t=1,v1=${DIGEST}`],
		['no v1 signature', 'without a signature', `t=${T}`],
		['no v1 signature', 'with an unknown scheme alone', `t=${T},v2=${DIGEST}`],
		['no v1 signature', 'with the scheme in upper case', `t=${T},V1=${DIGEST}`],
		['no v1 signature', 'with 63 digits', `t=${T},v1=${DIGEST.slice(1)}`],
		['no v1 signature', 'with 65 digits', `t=${T},v1=${DIGEST}0`],
		['no v1 signature', 'with one digit that is not hex', `t=${T},v1=${DIGEST.slice(0, -1)}g`],
	];
	test.each(hostile)('is refused for “%s” when it is %s', (reason, _, header) => {
		expect(verdict({ header })).toEqual(refused(reason));
	});
});

describe('§6.4 the timestamp is Unix seconds in decimal digits', () => {
	test.each([
		['negative', `-${T}`],
		['with a plus, and else of now', `+${T}`],
		['followed by letters, and else of now', `${T}abc`],
		['with a leading zero', `0${T}`],
		['zero', '0'],
		['hexadecimal', `0x${T.toString(16)}`],
		['in other digits', '١٧٦٧٢٢٥٦٠٠'],
		['beyond 2^53', '9007199254740993'],
	])('%s is refused, even if it is signed correctly', (_, timestamp) => {
		const header = `t=${timestamp},v1=${sign(BODY, SECRET, timestamp)}`;
		expect(verdict({ header })).toEqual(refused('no timestamp'));
	});

	test.each([
		['300 seconds old', 300, genuine],
		['301 seconds old', 301, refused('timestamp too old')],
		['300 seconds early', -300, genuine],
		['301 seconds early', -301, refused('timestamp in the future')],
		['300.999 seconds old, which are whole seconds', 300.999, genuine],
	])('%s, with a tolerance of 300 seconds', (_, ageSeconds, expected) => {
		expect(verdict({ nowMs: (T + ageSeconds) * 1_000 })).toEqual(expected);
	});

	test('a tolerance of zero accepts the same second only', () => {
		expect(verdict({ toleranceSeconds: 0 })).toEqual(genuine);
		expect(verdict({ toleranceSeconds: 0, nowMs: (T + 1) * 1_000 })).not.toBe(genuine);
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

	test.each(['', undefined as unknown as string])('is left out when it is %j', (secret) => {
		const secrets = [secret, SECRET];
		expect(verdict({ secrets })).toEqual(genuine);
		const header = `t=${T},v1=${sign(BODY, '')}`;
		expect(verdict({ header, secrets })).toEqual(refused('wrong signature'));
	});

	test('counts for what it has signed, and for nothing else', () => {
		const many = Array.from({ length: 250 }, (_, n) => `secret ${n}`);
		for (const secret of [...many, ...many]) {
			const header = `t=${T},v1=${sign(BODY, secret)}`;
			expect(verdict({ header, secrets: [secret] })).toEqual(genuine);
			expect(verdict({ secrets: [secret] })).toEqual(refused('wrong signature'));
		}
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

	test('one byte changed, more or less anywhere in the body is refused', () => {
		const anyByte = fc.integer({ min: 1, max: 255 });
		fc.assert(
			fc.property(bodies, fc.nat(), anyByte, (body, somewhere, byte) => {
				const place = somewhere % body.length;
				const header = `t=${T},v1=${sign(body)}`;
				const [before, after] = [body.subarray(0, place), body.subarray(place + 1)];
				const here = body[place]!;
				for (const bytes of [[here ^ byte], [byte, here], []]) {
					const rawBody = Buffer.concat([before, Buffer.of(...bytes), after]);
					expect(verdict({ rawBody, header })).toEqual(refused('wrong signature'));
				}
			}),
		);
	});

	test('one byte changed anywhere in the header is refused, but for the case of a digit', () => {
		const codes = fc.integer({ min: 0x20, max: 0x7e });
		fc.assert(
			fc.property(fc.nat({ max: HEADER.length - 1 }), codes, (place, code) => {
				const header = HEADER.slice(0, place) + String.fromCharCode(code) + HEADER.slice(place + 1);
				fc.pre(header.toLowerCase() !== HEADER.toLowerCase());
				expect(verdict({ header })).not.toBe(genuine);
			}),
			{ numRuns: 500 },
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
				expect(verdict({ header, rawBody })).not.toBe(genuine);
			}),
			{ numRuns: 500 },
		);
	});
});

/*
 * Stripe signs its webhooks in the form of §6.4, `t=<timestamp>,v1=<hex>`. So its own library is a third opinion on what
 * the trigger accepts and what the sandbox signs. Standard Webhooks cannot be one: it also signs the event's ID, and uses
 * three headers and base64.
 */
test("§6.4 stripe's own library writes the same header as the sandbox, and accepts it, like the trigger", () => {
	const events = fc
		.record({ id: fc.string(), text: fc.string({ unit: 'binary' }) })
		.map((event) => JSON.stringify(event));
	/** Stripe accepts no secret of spaces alone. */
	const secrets = fc.string({ minLength: 1 }).filter((secret) => secret.trim() !== '');
	fc.assert(
		fc.property(events, secrets, (payload, secret) => {
			const header = signatureHeader(secret, payload, T);
			const byPeer = { payload, secret, timestamp: T };
			expect(header).toBe(Stripe.webhooks.generateTestHeaderString(byPeer));
			const rawBody = Buffer.from(payload);
			expect(verdict({ rawBody, header, secrets: [secret] })).toEqual(genuine);
			// It throws what it does not accept.
			Stripe.webhooks.constructEvent(rawBody, header, secret, 300, undefined, T * 1_000);
		}),
	);
});
