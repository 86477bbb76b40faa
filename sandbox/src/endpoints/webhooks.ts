import type { EventKind } from '../../../nodes/TwoWayMessaging/contract';
import { EVENT_KINDS } from '../../../nodes/TwoWayMessaging/contract';
import { urlIn, readFields, textIn } from '../fields';
import type { Call } from '../http';
import { BadRequest, refuseRequest } from '../refusals';
import { endpointRecord, keptRegistration } from '../webhooks/endpoints';
import type { World } from '../world';
import { answerCreated } from './answerCreated';

/**
 * POST /v1/account/webhooks (§4.7).
 * assumption: 201 for a new endpoint, 200 for one that is changed, 409 or 422 where the service knows the registration.
 */
export const registerWebhook = async (c: Call, world: World) => {
	const fields = await readFields(c);
	const url = urlIn(fields, 'url');
	if (!url) throw new BadRequest('The url field is required.', 'url');
	const events = readEventKinds(fields['events']);
	// An empty secret is the same as no secret (§2.4).
	const secret = textIn(fields, 'secret') || null;
	const { registration, clockBehindMs } = world.character;
	const result = world.endpoints.register(
		{ url, secret, events },
		world.settings.clock.now(),
		registration.rule,
	);
	if (result.outcome === 'known') {
		return registration.rule === 'onceEver'
			? refuseRequest(c, 422, 'The url has already been taken.')
			: refuseRequest(c, 409, 'This URL is registered already.');
	}
	world.settings.registrations?.keep(keptRegistration(result.endpoint));
	world.changes.publish({ type: 'endpoint' });
	const record = endpointRecord(result.endpoint, clockBehindMs);
	return answerCreated(c, registration.answer(record), result.outcome === 'added' ? 201 : 200);
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
