import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Call } from './http';

/** A body or query that cannot be understood; the answer is 422, or `status`, with these words. */
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
 * The first of the two body shapes of §7, for requests that are wrong in themselves.
 * assumption: `{ message }`, and `errors` by field where one is to blame.
 */
export const refuseRequest = (
	c: Call,
	status: ContentfulStatusCode,
	message: string,
	field: string | null = null,
) => c.json(field === null ? { message } : { message, errors: { [field]: [message] } }, status);

/**
 * The second of the two body shapes of §7, for sends that the service will not make.
 * assumption: `{ status: "error", error_message }`.
 */
export const refuseSend = (c: Call, message: string) =>
	c.json({ status: 'error', error_message: message }, 422);
