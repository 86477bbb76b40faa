import type { Call } from '../http';

/** GET /v1/me (§4.2): that it answers at all says the pair is good. assumption: the body. */
export const me = (c: Call) => c.json({ status: 'ok', organization: 'Sandbox' });
