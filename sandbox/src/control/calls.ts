import type { Call } from '../http';
import type { World } from '../world';
import { readLogPage } from './logPage';

/** GET /sandbox/calls?limit&before: the requests to the service and its answers, newest first. */
export const calls = (c: Call, world: World) =>
	c.json({ calls: readLogPage(c, world.calls.log, 1_000).map((call) => world.calls.show(call)) });
