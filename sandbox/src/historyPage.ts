import type { CursorKind } from './characters/character';
import type { Call } from './http';
import { BadRequest } from './refusals';
import type { Message, Messages } from './state/messages';
import type { World } from './world';

/** How a cursor is written and read. */
type Cursor = {
	write: (message: Message) => string;
	read: (messages: Messages, text: string) => Message | undefined;
};

const CURSORS: Record<CursorKind, Cursor> = {
	handle: {
		write: ({ handle }) => handle,
		read: (messages, text) => messages.get(text),
	},
	opaque: {
		write: ({ position }) => `page_${position}`,
		read: (messages, text) =>
			/^page_\d{1,9}$/.test(text) ? messages.at(Number(text.slice('page_'.length))) : undefined,
	},
};

/** The page of the history that the query's `conversation_handle` and `before` ask for, and the cursor of the next one. */
export const findPage = (
	c: Call,
	{ conversations, messages }: World,
	limit: number,
	cursors: CursorKind,
): { messages: Message[]; next: string | null } => {
	const cursor = CURSORS[cursors];
	const conversationHandle = c.req.query('conversation_handle');
	const beforeText = c.req.query('before');

	const conversation = conversationHandle ? conversations.get(conversationHandle) : undefined;
	if (conversationHandle && !conversation) return { messages: [], next: null };
	const before = beforeText ? cursor.read(messages, beforeText) : undefined;
	if (beforeText && (!before || (conversation && before.conversation !== conversation))) {
		throw new BadRequest('The before cursor is not known here.', 'before');
	}

	const page = messages.page(limit, conversation, before);
	return { messages: page.messages, next: page.before && cursor.write(page.before) };
};
