import type { Call } from '../http';
import { BadRequest } from '../refusals';
import type { Endpoint } from '../webhooks/endpoints';
import { endpointRecord, keptRegistration } from '../webhooks/endpoints';
import type { World } from '../world';

/** GET /sandbox/webhooks: the registered webhooks. */
export const webhooks = (c: Call, world: World) => c.json({ webhooks: webhooksBody(world) });

/** DELETE /sandbox/webhooks/:id: removes one; what waits for it is dropped. */
export const removeWebhook = (c: Call, world: World) => {
	const endpoint = world.endpoints.remove(c.req.param('id') ?? '');
	if (!endpoint) {
		throw new BadRequest('No webhook with this id; GET /sandbox/webhooks lists them.', null, 404);
	}
	world.deliveries.dropRetriesOf(endpoint);
	world.settings.registrations?.forget(keptRegistration(endpoint));
	world.changes.publish({ type: 'endpoint' });
	return c.json(webhookBody(endpoint));
};

/** The registered webhooks, as the control endpoints show them. */
export const webhooksBody = (world: World) => world.endpoints.all().map(webhookBody);

const webhookBody = (endpoint: Endpoint) => ({
	...endpointRecord(endpoint),
	failures: endpoint.failures,
});
