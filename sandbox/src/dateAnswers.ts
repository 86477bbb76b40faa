import type { MiddlewareHandler } from 'hono';
import type { Env } from './http';
import type { World } from './world';

/** Dates every answer by the service's own clock, as `date_sent` and the other times in it are. */
export const dateAnswers = (world: () => World): MiddlewareHandler<Env> => {
	// The text is kept for its second, because making it is a tenth of the work for a send.
	let second = NaN;
	let date = '';
	return async (c, next) => {
		const { settings, character } = world();
		const now = Math.floor((settings.clock.now() - character.clockBehindMs) / 1_000);
		if (now !== second) {
			second = now;
			date = new Date(now * 1_000).toUTCString();
		}
		c.header('date', date);
		await next();
	};
};
