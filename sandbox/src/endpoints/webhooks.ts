import type { EventKind } from '../../../nodes/TwoWayMessaging/contract';
import { EVENT_KINDS } from '../../../nodes/TwoWayMessaging/contract';
import { urlIn, readFields, textIn } from '../fields';
import type { Call } from '../http';
import { BadRequest } from '../refusals';
import { endpointBody } from '../webhooks/endpoints';
import type { World } from '../world';

/** POST /v1/account/webhooks (§4.7). assumption: 201 with the record, 200 for a URL that is registered already. */
export const registerWebhook = async (c: Call, world: World) => {
	const fields = await readFields(c);
	const url = urlIn(fields, 'url');
	if (!url) throw new BadRequest('The url field is required.', 'url');
	const events = readEventKinds(fields['events']);
	// An empty secret is the same as no secret (§2.4).
	const secret = textIn(fields, 'secret') || null;
	const { endpoint, isNew } = world.endpoints.register(
		{ url, secret, events },
		world.settings.clock.now(),
	);
	world.changes.publish({ type: 'endpoint' });
	return c.json(endpointBody(endpoint), isNew ? 201 : 200);
};

const readEventKinds = (value: unknown): Set<EventKind> => {
	const known = EVENT_KINDS.join(', ');
	if (!Array.isArray(value) || value.length === 0) {
		throw new BadRequest(`The events field must be a list of some of: ${known}.`, 'events');
	}
	return new Set(
		value.map((name: unknown) => {
			const kind = EVENT_KINDS.find((one) => one === name);
			if (!kind) throw new BadRequest(`The events field may only hold: ${known}.`, 'events');
			return kind;
		}),
	);
};
