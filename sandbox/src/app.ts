import type { MiddlewareHandler } from 'hono';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { PATHS } from '../../nodes/TwoWayMessaging/contract';
import type { KeyPairs } from './authentication';
import { authenticate, rejectUnauthenticated } from './authentication';
import { calls } from './control/calls';
import { changeCharacter } from './control/character';
import { advanceClock } from './control/clock';
import { changeContact } from './control/contacts';
import { deliveries, redeliver } from './control/deliveries';
import { addFault, clearFaults, faults } from './control/faults';
import { inbound } from './control/inbound';
import { blockLine, changeLine, unblockLine } from './control/lines';
import { live } from './control/live';
import { uploadFromPhone } from './control/media';
import { messages } from './control/messages';
import { describe } from './control/openApi';
import { refusedSends } from './control/refusedSends';
import type { Reset } from './control/reset';
import { resetWorld } from './control/reset';
import { state } from './control/state';
import { removeWebhook, webhooks } from './control/webhooks';
import { history } from './endpoints/history';
import { lines } from './endpoints/lines';
import { lookup } from './endpoints/lookup';
import { me } from './endpoints/me';
import { showMedia, uploadMedia } from './endpoints/media';
import { sendMessage } from './endpoints/sendMessage';
import { status } from './endpoints/status';
import { registerWebhook } from './endpoints/webhooks';
import { injectFaults } from './faults';
import type { Call, Env } from './http';
import { FILE_TOO_LARGE, MAX_MEDIA_BYTES } from './mediaStore';
import { dateAnswers } from './dateAnswers';
import { keepOtherPagesOut } from './ownPage';
import { servePage } from './page';
import { recordCalls } from './recordCalls';
import { BadRequest, refuseRequest } from './refusals';
import { limitRequests } from './requestLimiter';
import type { World } from './world';

const MAX_BODY_BYTES = 1024 * 1024;
const FORM_OVERHEAD_BYTES = 64 * 1024;

/**
 * Answers 413 with this sentence to a body with more bytes. It trusts a `content-length` header, because HTTP holds the caller to
 * it. Only a body without one is counted while it is read, which costs much more.
 */
const atMost = (bytes: number, tooLarge: string): MiddlewareHandler<Env> => {
	const counted = bodyLimit({
		maxSize: bytes,
		onError: (c) => {
			// What is left of the body stays unread, so no other request can follow on this connection.
			c.header('connection', 'close');
			return refuseRequest(c, 413, tooLarge);
		},
	});
	return async (c, next) => {
		const length = c.req.header('content-length');
		if (length !== undefined && Number(length) <= bytes) return await next();
		return await counted(c, next);
	};
};

/** Whether the caller has gone in the middle of the body, so that nobody gets the answer. */
const hasHungUp = ({ env }: Call): boolean =>
	env?.incoming?.destroyed === true && !env.incoming.complete;

/** The sandbox as a function from Request to Response: the service (§4), its control, and the phone. */
export const createApp = (
	world: () => World,
	reset: Reset,
	keyPairs: KeyPairs,
	pathPrefix: string,
): Hono<Env> => {
	const app = new Hono<Env>();
	const on = (answer: (c: Call, world: World) => Response | Promise<Response>) => (c: Call) =>
		answer(c, world());
	const body = atMost(MAX_BODY_BYTES, 'The body is larger than 1 MB.');
	const form = atMost(MAX_MEDIA_BYTES + FORM_OVERHEAD_BYTES, FILE_TOO_LARGE);

	servePage(app);

	app.use('/sandbox/*', keepOtherPagesOut);
	app.post('/sandbox/inbound', body, on(inbound));
	app.post('/sandbox/lines/:line_handle/block', body, on(blockLine));
	app.post('/sandbox/lines/:line_handle/unblock', on(unblockLine));
	app.patch('/sandbox/lines/:line_handle', body, on(changeLine));
	app.patch('/sandbox/contacts/:number', body, on(changeContact));
	app.get('/sandbox/faults', on(faults));
	app.post('/sandbox/faults', body, on(addFault));
	app.delete('/sandbox/faults', on(clearFaults));
	app.get('/sandbox/calls', on(calls));
	app.get('/sandbox/deliveries', on(deliveries));
	app.post('/sandbox/deliveries/:id/redeliver', body, on(redeliver));
	app.get('/sandbox/webhooks', on(webhooks));
	app.delete('/sandbox/webhooks/:id', on(removeWebhook));
	app.post('/sandbox/clock', body, on(advanceClock));
	app.post('/sandbox/character', body, on(changeCharacter));
	app.get('/sandbox/state', on(state));
	app.get('/sandbox/messages', on(messages));
	app.get('/sandbox/refusals', on(refusedSends));
	app.post('/sandbox/media', form, on(uploadFromPhone));
	app.get('/sandbox/media/:id', on(showMedia));
	app.post('/sandbox/reset', body, async (c) => await resetWorld(c, reset));
	app.get('/sandbox/events', on(live));
	app.get('/sandbox/openapi.json', describe);
	app.all('/sandbox/*', (c) => refuseRequest(c, 404, 'The sandbox has no such control endpoint.'));

	app.use(recordCalls(() => world().calls));
	app.use(dateAnswers(world));
	app.use(authenticate(keyPairs)); // §5.1
	app.use(limitRequests(() => world().limiter, pathPrefix)); // §8.1
	app.use(rejectUnauthenticated); // §5.6
	app.use(injectFaults(() => world().faults, pathPrefix));

	app.post(PATHS.sendMessage, body, on(sendMessage)); // §4.1
	app.get(PATHS.me, on(me)); // §4.2
	app.get(PATHS.lines, on(lines)); // §4.3
	app.get(`${pathPrefix}${PATHS.status}`, on(status)); // §4.4, §4.9
	app.get(`${pathPrefix}${PATHS.status}/:handle`, on(status)); // §4.4, §4.9
	app.get(PATHS.messages, on(history)); // §4.5
	app.get(`${pathPrefix}${PATHS.lookup}`, on(lookup)); // §4.6, §4.9
	app.post(PATHS.webhooks, body, on(registerWebhook)); // §4.7
	app.post(`${pathPrefix}${PATHS.media}`, form, on(uploadMedia)); // §4.8, §4.9

	app.notFound((c) => refuseRequest(c, 404, 'Not found.'));
	app.onError((error, c) => {
		if (error instanceof BadRequest) {
			return refuseRequest(c, error.status, error.message, error.field);
		}
		if (hasHungUp(c)) return refuseRequest(c, 400, 'The body ended before it was complete.');
		console.error(error);
		return refuseRequest(c, 500, 'The sandbox itself does not work here; its console says more.');
	});
	return app;
};
