import type { Call } from '../http';
import { BadRequest, refuseRequest } from '../refusals';
import type { World } from '../world';
import { sendResponse } from './sendMessage';

/**
 * GET /status (§4.4).
 * assumption: the query `message_handle` or `handle`, or the path, names the message. The answer is the send response
 * with the message's current state.
 */
export const status = (c: Call, world: World) => {
	const handle = c.req.param('handle') ?? c.req.query('message_handle') ?? c.req.query('handle');
	if (!handle) {
		throw new BadRequest('The message_handle parameter is required.', 'message_handle');
	}
	const message = world.messages.get(handle);
	return message
		? c.json(sendResponse(message))
		: refuseRequest(c, 404, 'No message with this message_handle.');
};
