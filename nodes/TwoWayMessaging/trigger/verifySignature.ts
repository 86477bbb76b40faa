import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'crypto';

/** How far a signature's timestamp may lie from now, either way: "a few minutes" (§6.4). */
export const TOLERANCE_SECONDS = 300;

export type SignedRequest = {
	/** The header as Node reports it: absent, a text, or several. */
	header: string | string[] | undefined;
	/** The exact bytes received: a body that was parsed and written again does not match. */
	rawBody: Uint8Array;
	/** Every secret that may have signed. Empty ones never count. */
	secrets: string[];
	/** Keys of secrets that were made before; absent for none. */
	keys?: SigningKeys;
	nowMs: number;
	toleranceSeconds: number;
};

/** Unix seconds in plain decimal digits; more than 15 of them would not be exact. */
const TIMESTAMP = /^[1-9]\d{0,14}$/;
const DIGEST_BYTES = 32;
const V1_LENGTH = 'v1='.length + 2 * DIGEST_BYTES;

/** More secrets than the workflows of a process share. */
const MOST_KEYS = 100;

/** The keys of secrets. Making a key costs more than reading the header does. */
export class SigningKeys {
	private readonly keys = new Map<string, KeyObject>();

	/** The digest that a secret should have signed. Each secret writes into this buffer, as a new one costs more. */
	readonly expected = Buffer.alloc(DIGEST_BYTES);

	of(secret: string): KeyObject {
		const known = this.keys.get(secret);
		if (known !== undefined) return known;
		const key = createSecretKey(Buffer.from(secret));
		if (this.keys.size === MOST_KEYS) this.keys.clear();
		this.keys.set(secret, key);
		return key;
	}
}

/**
 * Checks `t=<timestamp>,v1=<hex>`, where the hex is the HMAC-SHA256 of `<timestamp>.<raw body>` (§6.4), in constant time.
 * Several `v1`, unknown schemes and spaces after commas are understood; anything else is refused.
 *
 * @returns `genuine`, or why it does not count
 */
export function verifySignature(request: SignedRequest) {
	const { rawBody, secrets, keys = new SigningKeys(), nowMs, toleranceSeconds } = request;
	const header = Array.isArray(request.header) ? request.header.join(',') : request.header;
	if (typeof header !== 'string' || header === '') return 'no header';

	let timestamp: string | undefined;
	const claimed: Buffer[] = [];
	for (let from = 0, to = 0; to < header.length; from = to + 1) {
		to = header.indexOf(',', from);
		if (to === -1) to = header.length;
		const element = header.slice(from, to).trim();
		if (element.startsWith('t=')) {
			if (timestamp !== undefined) return 'two timestamps';
			timestamp = element.slice(2);
		} else if (element.startsWith('v1=') && element.length === V1_LENGTH) {
			// A text that is not hex to its end gives fewer bytes.
			const digest = Buffer.from(element.slice(3), 'hex');
			if (digest.length === DIGEST_BYTES) claimed.push(digest);
		}
	}
	if (timestamp === undefined || !TIMESTAMP.test(timestamp)) return 'no timestamp';
	if (claimed.length === 0) return 'no v1 signature';

	const ageSeconds = Math.floor(nowMs / 1_000) - Number(timestamp);
	// So written, a time that is no number is refused.
	if (!(ageSeconds <= toleranceSeconds)) return 'timestamp too old';
	if (!(-ageSeconds <= toleranceSeconds)) return 'timestamp in the future';

	let reason: 'no secret' | 'wrong signature' = 'no secret';
	for (const secret of secrets) {
		if (!secret) continue;
		reason = 'wrong signature';
		const hmac = createHmac('sha256', keys.of(secret)).update(`${timestamp}.`).update(rawBody);
		keys.expected.write(hmac.digest('binary'), 'binary');
		for (const digest of claimed) if (timingSafeEqual(digest, keys.expected)) return 'genuine';
	}
	return reason;
}
