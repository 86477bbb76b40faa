import { booleanIn, readFieldsIfAny } from '../fields';
import type { Call } from '../http';

/** Starts over; `keepWebhooks` keeps the registered endpoints that are enabled. */
export type Reset = (options: { keepWebhooks: boolean }) => void;

/**
 * POST /sandbox/reset {keep_webhooks?}: starts over. Without a body it removes everything, also the registered
 * endpoints: that is what a test needs. A person wants to start over while a workflow stays active, and n8n does not
 * register again by itself: `keep_webhooks` keeps the endpoints that are enabled, without failures.
 */
export const resetWorld = async (c: Call, reset: Reset) => {
	const fields = await readFieldsIfAny(c);
	reset({ keepWebhooks: booleanIn(fields, 'keep_webhooks') ?? false });
	return c.json({ status: 'ok' });
};
