import type { Call } from '../http';
import { BadRequest, refuseRequest } from '../refusals';
import type { World } from '../world';
import { sendResponse } from './sendMessage';

/**
 * GET /status (§4.4).
 * assumption: the message is named by the query `message_handle`, also `handle`, or by the path; the answer
 * is the send response as it stands now.
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
