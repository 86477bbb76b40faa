import { e164 } from '../fields';
import type { Call } from '../http';
import type { World } from '../world';

/** GET /lookup (§4.6). assumption: only a fault causes a 503, because the document does not say when there is one. */
export const lookup = (c: Call, world: World) => {
	const number = e164(c.req.query('number') ?? null, 'number');
	const service = world.lookups.predict(world.contacts.get(number));
	return c.json(world.character.lookup(number, service), service ? 200 : 202);
};
