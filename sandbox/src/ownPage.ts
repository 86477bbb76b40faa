import type { MiddlewareHandler } from 'hono';
import type { Env } from './http';
import { refuseRequest } from './refusals';

/**
 * Lets the phone's own page and programs use the control endpoints, and answers 403 to any other web page: a browser
 * would let any page that is open next to the phone post to this machine.
 */
export const keepOtherPagesOut: MiddlewareHandler<Env> = async (c, next) => {
	// A browser sends the page's origin with every request that changes something; programs do not send one.
	const page = c.req.header('origin');
	// Only the host counts, because a proxy may turn https into http.
	if (page === undefined || hostOf(page) === new URL(c.req.url).host) return await next();
	return refuseRequest(c, 403, 'Only the page of the sandbox itself may use its controls.');
};

/** The host of an origin; undefined for the origin `null` of a page that hides its own. */
function hostOf(origin: string): string | undefined {
	return URL.canParse(origin) ? new URL(origin).host : undefined;
}
