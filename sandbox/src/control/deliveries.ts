import { choiceIn, pageSize, readFields } from '../fields';
import type { Call } from '../http';
import { BadRequest } from '../refusals';
import { REDELIVERIES, deliveryBody } from '../webhooks/deliveries';
import type { World } from '../world';

/** GET /sandbox/deliveries?limit&before: events on their way and what came of them, newest first. */
export const deliveries = (c: Call, world: World) => {
	const limit = pageSize(c, 50, 10_000);
	const id = c.req.query('before');
	const before = id ? world.deliveries.get(id) : undefined;
	if (id && !before) throw new BadRequest('The before cursor is not known here.', 'before');
	return c.json({ deliveries: world.deliveries.latest(limit, before).map(deliveryBody) });
};

/** POST /sandbox/deliveries/:id/redeliver {as}: posts an event once more (`same` if nothing is said). */
export const redeliver = async (c: Call, world: World) => {
	const delivery = world.deliveries.get(c.req.param('id') ?? '');
	if (!delivery) throw new BadRequest('No delivery with this id in the log.', null, 404);
	world.deliveries.redeliver(delivery, choiceIn(await readFields(c), 'as', REDELIVERIES) ?? 'same');
	return c.json(deliveryBody(delivery), 202);
};
