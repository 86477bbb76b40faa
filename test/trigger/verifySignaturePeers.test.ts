import fc from 'fast-check';
import Stripe from 'stripe';
import { verifySignature } from '../../nodes/TwoWayMessaging/trigger/verifySignature';
import { signatureHeader } from '../../sandbox/src/webhooks/signature';

/**
 * Stripe signs its webhooks in the form of §6.4, `t=<timestamp>,v1=<hex>`. So its own library is a third opinion on what
 * the trigger accepts and what the sandbox signs. Standard Webhooks cannot be one: it also signs the event's ID, and uses
 * three headers and base64.
 */
const { webhooks } = Stripe;

const T = 1_767_225_600;
const SECRET = 'whsec_4f1d';
const TOLERANCE_SECONDS = 300;

/** The trigger's verdict `ageSeconds` after the signing. */
const trigger = (body: string, header: string, secret: string, ageSeconds = 0) =>
	verifySignature({
		header,
		rawBody: Buffer.from(body),
		secrets: [secret],
		nowMs: (T + ageSeconds) * 1_000,
		toleranceSeconds: TOLERANCE_SECONDS,
	}).isGenuine;

/** The verdict of stripe's library at the same time. */
const stripe = (body: string, header: string, secret: string, ageSeconds = 0) => {
	try {
		const receivedAt = (T + ageSeconds) * 1_000;
		webhooks.constructEvent(
			Buffer.from(body),
			header,
			secret,
			TOLERANCE_SECONDS,
			undefined,
			receivedAt,
		);
		return true;
	} catch (error) {
		if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false;
		throw error;
	}
};

const signedByStripe = (payload: string, secret: string) =>
	webhooks.generateTestHeaderString({ payload, secret, timestamp: T });

/** Events as JSON, with all letters that Unicode has. */
const bodies = fc
	.record({ id: fc.string(), text: fc.string({ unit: 'binary' }) })
	.map((event) => JSON.stringify(event));
/** Stripe accepts no secret of spaces alone. */
const secrets = fc.string({ minLength: 1 }).filter((secret) => secret.trim() !== '');

describe("§6.4 stripe's own library", () => {
	test('signs what the trigger accepts', () => {
		fc.assert(
			fc.property(bodies, secrets, (body, secret) => {
				expect(trigger(body, signedByStripe(body, secret), secret)).toBe(true);
			}),
		);
	});

	test('accepts what the sandbox signs, and so does the trigger', () => {
		fc.assert(
			fc.property(bodies, secrets, (body, secret) => {
				const header = signatureHeader(secret, body, T);
				expect(stripe(body, header, secret)).toBe(true);
				expect(trigger(body, header, secret)).toBe(true);
			}),
		);
	});

	test('writes the same header as the sandbox', () => {
		fc.assert(
			fc.property(bodies, secrets, (body, secret) => {
				expect(signatureHeader(secret, body, T)).toBe(signedByStripe(body, secret));
			}),
		);
	});

	const body = '{"id":"evt_1"}';
	const header = signedByStripe(body, SECRET);
	const wrong = `v1=${'f'.repeat(64)}`;

	test.each([
		['as it was signed', body, header, SECRET, 0, true],
		['at the end of the tolerance', body, header, SECRET, 300, true],
		['one second after it', body, header, SECRET, 301, false],
		['with another body', `${body} `, header, SECRET, 0, false],
		['with another secret', body, header, 'whsec_4f1e', 0, false],
		['with another timestamp', body, header.replace(`t=${T}`, `t=${T + 1}`), SECRET, 0, false],
		['with a wrong v1 before the right one', body, `${wrong},${header}`, SECRET, 0, true],
		['with a wrong v1 after the right one', body, `${header},${wrong}`, SECRET, 0, true],
		['with another scheme beside it', body, `${header},v0=${'f'.repeat(64)}`, SECRET, 0, true],
		['with another scheme alone', body, header.replace('v1=', 'v0='), SECRET, 0, false],
		['without its timestamp', body, header.replace(/^t=\d+,/, ''), SECRET, 0, false],
		['without its header', body, '', SECRET, 0, false],
		['without a secret', body, header, '', 0, false],
	])(
		'and the trigger give the same verdict on an event %s',
		(_, sent, said, secret, age, isGenuine) => {
			expect(stripe(sent, said, secret, age)).toBe(isGenuine);
			expect(trigger(sent, said, secret, age)).toBe(isGenuine);
		},
	);

	test('accepts a timestamp far in the future, which the trigger refuses', () => {
		expect(stripe(body, header, SECRET, -86_400)).toBe(true);
		expect(trigger(body, header, SECRET, -86_400)).toBe(false);
	});
});
