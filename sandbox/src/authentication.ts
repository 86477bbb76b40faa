import { createHash, timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { HEADERS, REFUSALS } from '../../nodes/TwoWayMessaging/contract';
import type { Env } from './http';
import type { KeyPair } from './options';
import { refuseRequest } from './refusals';

/** The name under which requests without a valid pair are counted together (§8.1: every answer has counters). */
export const NOBODY = '';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The key pairs that are let in (§5). */
export class KeyPairs {
	#pairs: Array<KeyPair & { keyDigest: Buffer; secretDigest: Buffer }> = [];

	constructor(pairs: KeyPair[]) {
		for (const pair of pairs) this.add(pair);
	}

	/** Issues a pair. */
	add(pair: KeyPair): void {
		this.#pairs.push({ ...pair, keyDigest: digest(pair.key), secretDigest: digest(pair.secret) });
	}

	/** The admin a pair was issued to, or null; takes the same time whatever is wrong. */
	adminOf(key: string, secret: string): string | null {
		const keyDigest = digest(key);
		const secretDigest = digest(secret);
		let admin: string | null = null;
		for (const pair of this.#pairs) {
			const isKey = timingSafeEqual(keyDigest, pair.keyDigest);
			const isSecret = timingSafeEqual(secretDigest, pair.secretDigest);
			if (isKey && isSecret && !pair.isRevoked) admin = pair.admin;
		}
		return admin;
	}
}

/** Notes who is asking; the answer to who may not comes after the count (`refuseNobody`). */
export const authenticate =
	(keyPairs: KeyPairs): MiddlewareHandler<Env> =>
	async (c, next) => {
		const key = c.req.header(HEADERS.apiKey) ?? '';
		const secret = c.req.header(HEADERS.apiSecret) ?? '';
		c.set('admin', keyPairs.adminOf(key, secret) ?? NOBODY);
		await next();
	};

/** Answers 401 where no valid pair was shown (§5.6). */
export const refuseNobody: MiddlewareHandler<Env> = async (c, next) => {
	if (c.get('admin') === NOBODY) return refuseRequest(c, 401, REFUSALS.unauthenticated);
	return await next();
};
