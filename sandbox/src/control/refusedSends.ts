import { readPageSize } from '../fields';
import type { Call } from '../http';
import { refusedSendBody } from '../state/refusedSends';
import type { World } from '../world';

/** GET /sandbox/refusals?conversation_handle&limit: the sends that the service refused, newest first. */
export const refusedSends = (c: Call, world: World) => {
	const limit = readPageSize(c, 50, 1_000);
	const conversation = c.req.query('conversation_handle') || undefined;
	const refusals = world.refusedSends.latest(limit, conversation).map(refusedSendBody);
	return c.json({ refusals });
};
