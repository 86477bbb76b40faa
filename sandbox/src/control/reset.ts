import { booleanIn, readFields } from '../fields';
import type { Call } from '../http';

/** Begins anew; `keepWebhooks` says whether the registered endpoints stay. */
export type Reset = (options: { keepWebhooks: boolean }) => void;

/**
 * POST /sandbox/reset {keep_webhooks?}: back to the beginning. Without a body everything goes, the registered
 * endpoints too: what a test wants. A person wants to clear the table while a workflow stays active, and
 * n8n does not register again by itself: `keep_webhooks` leaves the endpoints, enabled and without failures.
 */
export const resetWorld = async (c: Call, reset: Reset) => {
	const hasBody = (await c.req.text()) !== '';
	const fields = hasBody ? await readFields(c) : {};
	reset({ keepWebhooks: booleanIn(fields, 'keep_webhooks') ?? false });
	return c.json({ status: 'ok' });
};
