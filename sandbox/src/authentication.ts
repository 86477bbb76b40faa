import { timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { HEADERS, REFUSALS } from '../../nodes/TwoWayMessaging/contract';
import type { Env } from './http';
import { refuseRequest } from './refusals';
import type { KeyPair } from './seed/seed';

/** Counts the requests without a valid key pair, because every answer carries counters (§8.1). */
export const UNAUTHENTICATED = '';

/** Compares in constant time, so that the time does not show where two texts differ. Their length is not secret. */
const isSame = (shown: Buffer, right: Buffer): boolean =>
	shown.length === right.length && timingSafeEqual(shown, right);

/** The key pairs that the service accepts (§5). */
export class KeyPairs {
	#pairs: Array<{ pair: KeyPair; key: Buffer; secret: Buffer }>;

	constructor(pairs: KeyPair[]) {
		this.#pairs = pairs.map((pair) => ({
			pair,
			key: Buffer.from(pair.key),
			secret: Buffer.from(pair.secret),
		}));
	}

	/** The admin to whom a key pair was issued, or null. It compares every pair, so that its time is always the same. */
	adminOf(shownKey: string, shownSecret: string): string | null {
		const keyBytes = Buffer.from(shownKey);
		const secretBytes = Buffer.from(shownSecret);
		let admin: string | null = null;
		for (const { pair, key, secret } of this.#pairs) {
			const isKey = isSame(keyBytes, key);
			const isSecret = isSame(secretBytes, secret);
			if (isKey && isSecret && !pair.isRevoked) admin = pair.admin;
		}
		return admin;
	}
}

/** Finds out who sent a request. `rejectUnauthenticated` answers 401 later, after the request has been counted. */
export const authenticate =
	(keyPairs: KeyPairs): MiddlewareHandler<Env> =>
	async (c, next) => {
		const key = c.req.header(HEADERS.apiKey) ?? '';
		const secret = c.req.header(HEADERS.apiSecret) ?? '';
		c.set('admin', keyPairs.adminOf(key, secret) ?? UNAUTHENTICATED);
		await next();
	};

/** Answers 401 to a request without a valid key pair (§5.6). */
export const rejectUnauthenticated: MiddlewareHandler<Env> = async (c, next) => {
	if (c.get('admin') === UNAUTHENTICATED) return refuseRequest(c, 401, REFUSALS.unauthenticated);
	return await next();
};
