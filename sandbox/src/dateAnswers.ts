import type { MiddlewareHandler } from 'hono';
import type { Env } from './http';
import type { World } from './world';

/** Dates every answer by the service's own clock, as `date_sent` and the other times in it are. */
export const dateAnswers =
	(world: () => World): MiddlewareHandler<Env> =>
	async (c, next) => {
		const { settings, character } = world();
		c.header('date', new Date(settings.clock.now() - character.clockBehindMs).toUTCString());
		await next();
	};
