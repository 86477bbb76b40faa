import type { MessageStatus } from './serviceFacts';
import { LONGEST_WAIT_MS } from './longestWait';
import type { Conversation } from './state/conversations';
import type { Message, Page } from './state/messages';
import type { World } from './world';

/** Which messages are looked for; what is not given does not matter. */
export type MessageSearch = {
	/** The customer's or the line's number, whoever of them wrote. */
	number?: string;
	/** The number that wrote. */
	from?: string;
	/** The number that was written to. */
	to?: string;
	/** A part of the text, in upper or lower case. */
	contains?: string;
	status?: MessageStatus;
	/** The handle of a conversation. */
	conversation?: string;
	/** The handle of a message: only newer ones count. */
	after?: string;
};

/** Which page of the found messages is wanted: at most `limit`, older than the message with the handle `before`. */
export type PageWanted = { limit: number; before?: string };

/** The handle of a message or a conversation that does not exist, or of a message of another conversation. */
export class UnknownHandle extends Error {
	constructor(readonly field: 'after' | 'before') {
		super(`The ${field} cursor is not known here.`);
	}
}

/**
 * Looks for messages, newest first.
 *
 * @throws UnknownHandle for a cursor that is none
 */
export const findMessages = (world: World, search: MessageSearch, wanted: PageWanted): Page => {
	const { conversations, messages } = world;
	const conversation = search.conversation ? conversations.get(search.conversation) : undefined;
	if (search.conversation && !conversation) return { messages: [], before: null };
	const cursor = (handle: string | undefined, field: 'after' | 'before') => {
		if (!handle) return undefined;
		const message = messages.get(handle);
		if (message && (!conversation || message.conversation === conversation)) return message;
		throw new UnknownHandle(field);
	};
	return messages.find(matcher(search), {
		limit: wanted.limit,
		conversation,
		before: cursor(wanted.before, 'before'),
		after: cursor(search.after, 'after'),
	});
};

/**
 * Looks for messages until there is one, also one whose status changes; an empty page after `waitMs` of real time, at a
 * reset, and when the signal aborts.
 *
 * @throws UnknownHandle for a cursor that is none
 */
export const waitForMessages = async (
	world: World,
	search: MessageSearch,
	wanted: PageWanted,
	waitMs: number,
	signal?: AbortSignal,
): Promise<Page> => {
	const found = findMessages(world, search, wanted);
	if (found.messages.length > 0 || waitMs === 0) return found;
	// Only its status makes a known message fit later. A place in one conversation says nothing about another's messages.
	const needsOnlyNew = search.status === undefined && search.conversation === undefined;
	let seen = world.messages.newest;
	return await new Promise<Page>((resolve) => {
		let look: NodeJS.Immediate | null = null;
		const end = (page: Page) => {
			unsubscribe();
			clearTimeout(timer);
			if (look) clearImmediate(look);
			signal?.removeEventListener('abort', giveUp);
			resolve(page);
		};
		const giveUp = () => end({ messages: [], before: null });
		const lookAgain = () => {
			look = null;
			const after = needsOnlyNew && seen ? seen.handle : search.after;
			seen = world.messages.newest;
			const page = findMessages(world, { ...search, after }, wanted);
			if (page.messages.length > 0) end(page);
		};
		const unsubscribe = world.changes.subscribe(({ type }) => {
			if (type === 'reset') giveUp();
			// Many messages may change at once, and one look finds them all.
			else if (type === 'message') look ??= setImmediate(lookAgain);
		});
		const timer = setTimeout(giveUp, Math.min(waitMs, LONGEST_WAIT_MS));
		signal?.addEventListener('abort', giveUp);
	});
};

/**
 * Looks for the conversations with these words in the customer's number, in the line's label or in any message; those with
 * the most recent activity first, each with its newest message that has the words. A number is found however people write it.
 */
export const findConversations = (
	{ conversations, messages }: World,
	words: string,
	limit: number,
): Map<Conversation, Message | undefined> => {
	const wanted = words.toLowerCase();
	const digits = words.replace(/[\s().-]/g, '');
	const isNumber = /^\+?\d+$/.test(digits);
	const hasWords = ({ content }: Message) => content.toLowerCase().includes(wanted);
	const found = new Map<Conversation, Message | undefined>();
	for (const conversation of conversations.latest(conversations.count)) {
		if (found.size === limit) break;
		const { contact, line } = conversation;
		const [message] = messages.find(hasWords, { limit: 1, conversation }).messages;
		if (
			message ||
			(isNumber && contact.number.includes(digits)) ||
			line.label.toLowerCase().includes(wanted)
		) {
			found.set(conversation, message);
		}
	}
	return found;
};

const matcher = ({ number, from, to, contains, status }: MessageSearch) => {
	const words = contains?.toLowerCase();
	return (message: Message): boolean => {
		const { contact, line } = message.conversation;
		const [writer, reader] = message.isOutbound
			? [line.number, contact.number]
			: [contact.number, line.number];
		return (
			(number === undefined || number === writer || number === reader) &&
			(from === undefined || from === writer) &&
			(to === undefined || to === reader) &&
			(status === undefined || status === message.status) &&
			(words === undefined || message.content.toLowerCase().includes(words))
		);
	};
};
