import { timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { HEADERS, REFUSALS } from '../../nodes/TwoWayMessaging/contract';
import type { Env } from './http';
import type { KeyPair } from './options';
import { refuseRequest } from './refusals';

/** The name under which requests without a valid pair are counted together (§8.1: every answer has counters). */
export const NOBODY = '';

/** Compares in a time that says nothing of where they differ; how long a key is is no secret. */
const isSame = (shown: Buffer, right: Buffer): boolean =>
	shown.length === right.length && timingSafeEqual(shown, right);

/** The key pairs that are let in (§5). */
export class KeyPairs {
	#pairs: Array<{ pair: KeyPair; key: Buffer; secret: Buffer }>;

	constructor(pairs: KeyPair[]) {
		this.#pairs = pairs.map((pair) => ({
			pair,
			key: Buffer.from(pair.key),
			secret: Buffer.from(pair.secret),
		}));
	}

	/** The admin a pair was issued to, or null; every pair is looked at, whatever is wrong. */
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
