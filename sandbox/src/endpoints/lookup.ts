import { e164 } from '../fields';
import type { Call } from '../http';
import type { World } from '../world';

/** GET /lookup (§4.6). assumption: the bodies. The document does not say when the answer is 503; here only a fault causes it. */
export const lookup = (c: Call, world: World) => {
	const number = e164(c.req.query('number') ?? null, 'number');
	const service = world.lookups.predict(world.contacts.get(number));
	return service ? c.json({ number, service }) : c.json({ number, status: 'pending' }, 202);
};
