import { createHmac, timingSafeEqual } from 'crypto';

/** How far a signature's timestamp may lie from now, either way: "a few minutes" (§6.4). */
export const TOLERANCE_SECONDS = 300;

/** Why a signature does not count. */
export type SignatureRefusal =
	| 'no header'
	| 'no timestamp'
	| 'two timestamps'
	| 'no v1 signature'
	| 'timestamp too old'
	| 'timestamp in the future'
	| 'no secret'
	| 'wrong signature';

export type Verdict = { isGenuine: true } | { isGenuine: false; reason: SignatureRefusal };

/** A request as it came, and what it is checked against. */
export type SignedRequest = {
	/** The header as Node reports it: absent, a text, or several. */
	header: string | string[] | undefined;
	/** The exact bytes received: a body that was parsed and written again does not match. */
	rawBody: Uint8Array;
	/** Every secret that may have signed. Empty ones never count. */
	secrets: string[];
	nowMs: number;
	toleranceSeconds: number;
};

/** Unix seconds in plain decimal digits; more than 15 of them would not be exact. */
const TIMESTAMP = /^[1-9]\d{0,14}$/;
const V1 = /^v1=([0-9a-fA-F]{64})$/;

/**
 * Checks `t=<timestamp>,v1=<hex>`, where the hex is the HMAC-SHA256 of `<timestamp>.<raw body>` (§6.4), in constant time.
 * Several `v1`, unknown schemes and spaces after commas are understood; anything else is refused.
 */
export function verifySignature(request: SignedRequest): Verdict {
	const { rawBody, secrets, nowMs, toleranceSeconds } = request;
	const header = Array.isArray(request.header) ? request.header.join(',') : request.header;
	if (typeof header !== 'string' || header === '') return refused('no header');

	const elements = header.split(',').map((element) => element.trim());
	const [timestamp, second] = elements.flatMap((one) =>
		one.startsWith('t=') ? [one.slice(2)] : [],
	);
	if (second !== undefined) return refused('two timestamps');
	const claimed = elements.flatMap((one) => V1.exec(one)?.[1] ?? []);
	if (timestamp === undefined || !TIMESTAMP.test(timestamp)) return refused('no timestamp');
	if (claimed.length === 0) return refused('no v1 signature');

	const ageSeconds = Math.floor(nowMs / 1_000) - Number(timestamp);
	// So written, a time that is no number is refused.
	if (!(ageSeconds <= toleranceSeconds)) return refused('timestamp too old');
	if (!(-ageSeconds <= toleranceSeconds)) return refused('timestamp in the future');

	let reason: SignatureRefusal = 'no secret';
	for (const secret of secrets) {
		if (!secret) continue;
		reason = 'wrong signature';
		const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest();
		const isSame = (hex: string) => timingSafeEqual(Buffer.from(hex, 'hex'), expected);
		if (claimed.some(isSame)) return { isGenuine: true };
	}
	return refused(reason);
}

function refused(reason: SignatureRefusal): Verdict {
	return { isGenuine: false, reason };
}
