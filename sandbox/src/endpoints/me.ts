import type { Call } from '../http';

/** GET /v1/me (§4.2): answers 200 to every valid key pair. assumption: the body. */
export const me = (c: Call) => c.json({ status: 'ok', organization: 'Sandbox' });
