import { callBody } from '../calls';
import { pageSize } from '../fields';
import type { Call } from '../http';
import { BadRequest } from '../refusals';
import type { World } from '../world';

/** GET /sandbox/calls?limit&before: what was asked of the service and what it answered, newest first. */
export const calls = (c: Call, world: World) => {
	const limit = pageSize(c, 50, 1_000);
	const id = c.req.query('before');
	const before = id ? world.calls.get(id) : undefined;
	if (id && !before) throw new BadRequest('The before cursor is not known here.', 'before');
	return c.json({ calls: world.calls.latest(limit, before).map(callBody) });
};
