import { readPageSize } from '../fields';
import type { Call } from '../http';
import { BadRequest } from '../refusals';
import { historyRow } from '../state/messages';
import type { World } from '../world';

const USUAL_ROWS = 50;
const MOST_ROWS = 500;

/**
 * GET /v2/messages (§4.5), newest first.
 * assumption: `before` is the message_handle of the last row of the page before. The body returns it, and null at the
 * end. `limit` sets the page size: 50 by default, at most 500.
 */
export const history = (c: Call, world: World) => {
	const limit = readPageSize(c, USUAL_ROWS, MOST_ROWS);
	const conversationHandle = c.req.query('conversation_handle');
	const beforeHandle = c.req.query('before');

	const conversation = conversationHandle ? world.conversations.get(conversationHandle) : undefined;
	if (conversationHandle && !conversation) return c.json({ messages: [], before: null });
	const before = beforeHandle ? world.messages.get(beforeHandle) : undefined;
	if (beforeHandle && (!before || (conversation && before.conversation !== conversation))) {
		throw new BadRequest('The before cursor is not known here.', 'before');
	}

	const page = world.messages.page(limit, conversation, before);
	return c.json({ messages: page.messages.map(historyRow), before: page.before });
};
