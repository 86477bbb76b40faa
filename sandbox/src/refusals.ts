import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Call } from './http';

/** An invalid body or query. The answer has the message and the status, 422 by default. */
export class BadRequest extends Error {
	constructor(
		message: string,
		readonly field: string | null = null,
		readonly status: ContentfulStatusCode = 422,
	) {
		super(message);
	}
}

/**
 * Refuses an invalid request, with the first of the two error bodies of §7.
 * assumption: `{ message }`, and `errors` by field where a field is the reason.
 */
export const refuseRequest = (
	c: Call,
	status: ContentfulStatusCode,
	message: string,
	field: string | null = null,
) => c.json(field === null ? { message } : { message, errors: { [field]: [message] } }, status);

/**
 * Refuses to send a message, with the second of the two error bodies of §7.
 * assumption: `{ status: "error", error_message }`.
 */
export const refuseSend = (c: Call, message: string) =>
	c.json({ status: 'error', error_message: message }, 422);
