import { choiceIn, readFieldsIfAny } from '../fields';
import type { Call } from '../http';
import { BadRequest } from '../refusals';
import { REDELIVERIES } from '../webhooks/attempt';
import { deliveryBody } from '../webhooks/deliveries';
import type { World } from '../world';
import { readLogPage } from './logPage';

/** GET /sandbox/deliveries?limit&before: every event with the attempts to deliver it, newest first. */
export const deliveries = (c: Call, world: World) =>
	c.json({ deliveries: readLogPage(c, world.deliveries.log, 10_000).map(deliveryBody) });

/** POST /sandbox/deliveries/:id/redeliver {as}: posts an event once more (`same` by default). */
export const redeliver = async (c: Call, world: World) => {
	const delivery = world.deliveries.log.get(c.req.param('id') ?? '');
	if (!delivery) throw new BadRequest('No delivery with this id in the log.', null, 404);
	const as = choiceIn(await readFieldsIfAny(c), 'as', REDELIVERIES) ?? 'same';
	world.deliveries.redeliver(delivery, as);
	return c.json(deliveryBody(delivery), 202);
};
