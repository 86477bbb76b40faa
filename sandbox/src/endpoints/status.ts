import type { Character, StatusRecord } from '../characters/character';
import type { Call } from '../http';
import { BadRequest, refuseRequest } from '../refusals';
import type { Message } from '../state/messages';
import { messageRecord } from '../state/messages';
import type { World } from '../world';

/**
 * GET /status (§4.4).
 * assumption: the query `message_handle` or `handle`, or the path, names the message; the character shapes the answer.
 */
export const status = (c: Call, world: World) => {
	const handle = c.req.param('handle') ?? c.req.query('message_handle') ?? c.req.query('handle');
	if (!handle) {
		throw new BadRequest('The message_handle parameter is required.', 'message_handle');
	}
	const message = world.messages.get(handle);
	return message
		? c.json(world.character.status(statusRecord(message, world.character)))
		: refuseRequest(c, 404, 'No message with this message_handle.');
};

/** A message as far as GET /status knows it; it never says DELIVERED (§4.4), nor RCS (§1.3). */
const statusRecord = (message: Message, character: Character): StatusRecord => {
	const record = messageRecord(message, character);
	return {
		status: record.status === 'DELIVERED' ? 'SENT' : record.status,
		message_handle: record.message_handle,
		to: record.to,
		content: record.content,
		service: record.is_outbound && record.service === 'RCS' ? 'SMS' : record.service,
		is_outbound: record.is_outbound,
		error_message: record.error_message,
		date_sent: character.dateSent(record),
	};
};
