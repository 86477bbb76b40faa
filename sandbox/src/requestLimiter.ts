import type { MiddlewareHandler } from 'hono';
import { HEADERS, PATHS, REFUSALS } from '../../nodes/TwoWayMessaging/contract';
import { UNAUTHENTICATED } from './authentication';
import type { Clock } from './clock';
import { CountingWindow } from './countingWindow';
import { getOrAdd } from './getOrAdd';
import type { Env } from './http';
import type { RequestLimits } from './options';
import { refuseRequest } from './refusals';

/** The scopes that have their own limit, in addition to the one for all requests (§8.1). */
export type Scope = Exclude<keyof RequestLimits, 'all'>;

/** Whether a request is allowed, and the values of the answer's headers (§8.1). */
export type Admission = { limit: number; remaining: number; retryAfterSeconds: number | null };

/**
 * Counts requests (§8.1): all of them per account admin, whose key pairs share one bucket (§5.5), and those of a scope
 * per account. A sandbox is one account, so every key pair shares the buckets of the scopes.
 */
export class RequestLimiter {
	#windows = new Map<string, CountingWindow>();

	constructor(
		private readonly clock: Clock,
		private readonly limits: RequestLimits,
		private readonly windowMs: number,
	) {}

	/**
	 * Counts a request if every limit that applies to it allows one more: a send counts as one of all requests, too.
	 * assumption: a refused request is not counted, and the headers show the limit that has the fewest requests left; a
	 * send shows its own limit's numbers until the limit for all requests has fewer left.
	 */
	admit(admin: string, scope: Scope | null): Admission {
		const nowMs = this.clock.now();
		const windows = [this.#window('all', admin)];
		if (scope) windows.push(this.#window(scope));
		const full = windows.filter((window) => window.remaining(nowMs) === 0);
		if (full.length > 0) {
			const waitMs = Math.max(...full.map((window) => window.msUntilReset(nowMs)));
			const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
			return { limit: full.at(-1)!.limit, remaining: 0, retryAfterSeconds };
		}
		for (const window of windows) window.take(nowMs);
		const tightest = windows.reduce((a, b) => (b.remaining(nowMs) <= a.remaining(nowMs) ? b : a));
		return {
			limit: tightest.limit,
			remaining: tightest.remaining(nowMs),
			retryAfterSeconds: null,
		};
	}

	#window(scope: keyof RequestLimits, admin = ''): CountingWindow {
		const name = `${scope} ${admin}`;
		return getOrAdd(
			this.#windows,
			name,
			() => new CountingWindow(this.limits[scope], this.windowMs),
		);
	}
}

/** Answers 429 with Retry-After when a limit is reached, and adds the limit's headers to every answer (§8.1). */
export const limitRequests = (
	limiter: () => RequestLimiter,
	pathPrefix: string,
): MiddlewareHandler<Env> => {
	const scopes = new Map<string, Scope>([
		[`POST ${PATHS.sendMessage}`, 'sendMessage'],
		[`POST ${pathPrefix}${PATHS.media}`, 'media'],
		[`GET ${pathPrefix}${PATHS.lookup}`, 'lookup'],
	]);
	return async (c, next) => {
		const admin = c.get('admin');
		const isKnown = admin !== UNAUTHENTICATED;
		// The service does the work of a GET for a HEAD, too.
		const method = c.req.method === 'HEAD' ? 'GET' : c.req.method;
		const scope = isKnown ? scopes.get(`${method} ${c.req.path}`) : undefined;
		const admission = limiter().admit(admin, scope ?? null);
		c.header(HEADERS.rateLimit, String(admission.limit));
		c.header(HEADERS.rateRemaining, String(admission.remaining));
		// A wrong key pair is answered 401 however often it comes (§5.6), with counters as every answer (§8.1).
		if (admission.retryAfterSeconds === null || !isKnown) return await next();
		c.header(HEADERS.retryAfter, String(admission.retryAfterSeconds));
		return refuseRequest(c, 429, REFUSALS.tooManyAttempts);
	};
};
