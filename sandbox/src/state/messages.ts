import type { MessageStatus, Service } from '../../../nodes/TwoWayMessaging/contract';
import { getOrAdd } from '../getOrAdd';
import type { Conversation } from './conversations';

/** A message of either direction (§2.2, §3.1). */
export type Message = {
	readonly handle: string;
	readonly conversation: Conversation;
	/** Position among all messages; the oldest one has 0. */
	readonly position: number;
	/** Position among the conversation's messages. */
	readonly positionInConversation: number;
	readonly isOutbound: boolean;
	readonly content: string;
	readonly mediaUrl: string | null;
	status: MessageStatus;
	service: Service | null;
	errorMessage: string | null;
	dateSentMs: number | null;
};

/** The fields of a new message that do not follow from its position. */
export type NewMessage = Pick<
	Message,
	'conversation' | 'isOutbound' | 'content' | 'mediaUrl' | 'status' | 'service' | 'dateSentMs'
>;

/** A page of history, newest first, and the cursor to the next older one (§4.5). */
export type Page = { messages: Message[]; before: string | null };

/** Every message, oldest first. */
export class Messages {
	#all: Message[] = [];
	#byHandle = new Map<string, Message>();
	#byConversation = new Map<Conversation, Message[]>();

	constructor(private readonly uuid: () => string) {}

	/** Adds a message at the end of the history and of its conversation. */
	add(message: NewMessage): Message {
		const thread = this.#threadOf(message.conversation);
		const added: Message = {
			handle: this.uuid(),
			conversation: message.conversation,
			position: this.#all.length,
			positionInConversation: thread.length,
			isOutbound: message.isOutbound,
			content: message.content,
			mediaUrl: message.mediaUrl,
			status: message.status,
			service: message.service,
			errorMessage: null,
			dateSentMs: message.dateSentMs,
		};
		this.#all.push(added);
		thread.push(added);
		this.#byHandle.set(added.handle, added);
		return added;
	}

	/** The message with this handle. */
	get(handle: string): Message | undefined {
		return this.#byHandle.get(handle);
	}

	/** How many messages there are. */
	get count(): number {
		return this.#all.length;
	}

	/** The newest message of a conversation. */
	lastOf(conversation: Conversation): Message | undefined {
		return this.#byConversation.get(conversation)?.at(-1);
	}

	/** Up to `limit` messages older than `before`, of one conversation or of all. Its cost depends on `limit` only. */
	page(limit: number, conversation?: Conversation, before?: Message): Page {
		const rows = conversation ? this.#threadOf(conversation) : this.#all;
		let end = rows.length;
		if (before) end = conversation ? before.positionInConversation : before.position;
		const start = Math.max(0, end - limit);
		const messages = rows.slice(start, end).reverse();
		return { messages, before: start > 0 ? (messages.at(-1)?.handle ?? null) : null };
	}

	#threadOf(conversation: Conversation): Message[] {
		return getOrAdd(this.#byConversation, conversation, () => []);
	}
}

/**
 * A message as a history row (§4.5).
 * assumption: rows carry the send response's fields and those the events name (`from`, `media_url`,
 * `conversation_handle`, `line_handle`).
 */
export const historyRow = (message: Message) => {
	const { line, contact, handle } = message.conversation;
	return {
		message_handle: message.handle,
		conversation_handle: handle,
		line_handle: line.handle,
		from: message.isOutbound ? line.number : contact.number,
		to: message.isOutbound ? contact.number : line.number,
		content: message.content,
		media_url: message.mediaUrl,
		service: message.service,
		status: message.status,
		is_outbound: message.isOutbound,
		error_message: message.errorMessage,
		date_sent: message.dateSentMs === null ? null : new Date(message.dateSentMs).toISOString(),
	};
};
