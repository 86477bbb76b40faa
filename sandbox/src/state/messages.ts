import type { Service } from '../../../nodes/TwoWayMessaging/contract';
import type { MessageStatus } from '../serviceFacts';
import type { Character } from '../characters/character';
import { leastRow, literal } from '../characters/literal';
import { getOrAdd } from '../getOrAdd';
import { isoTime } from '../isoTime';
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
	readonly createdAtMs: number;
	dateSentMs: number | null;
	failedAtMs: number | null;
};

/** The fields of a new message that do not follow from its position. */
export type NewMessage = Pick<
	Message,
	| 'conversation'
	| 'isOutbound'
	| 'content'
	| 'mediaUrl'
	| 'status'
	| 'service'
	| 'createdAtMs'
	| 'dateSentMs'
>;

/** A page of history, newest first, and the message before which the next older page ends (§4.5); null at the end. */
export type Page = { messages: Message[]; before: Message | null };

/** Where messages are looked for, and how many are wanted at most. */
export type FindOptions = {
	limit: number;
	conversation?: Conversation;
	before?: Message;
	after?: Message;
};

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
			createdAtMs: message.createdAtMs,
			dateSentMs: message.dateSentMs,
			failedAtMs: null,
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

	/** The message at this position. */
	at(position: number): Message | undefined {
		return this.#all[position];
	}

	/** The newest message of all. */
	get newest(): Message | undefined {
		return this.#all.at(-1);
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
		return { messages, before: start > 0 ? (messages.at(-1) ?? null) : null };
	}

	/**
	 * Up to `limit` messages that are wanted, newest first: of one conversation or of all, older than `before`, newer than
	 * `after`. Its cost depends on how many messages it looks at.
	 */
	find(
		isWanted: (message: Message) => boolean,
		{ limit, conversation, before, after }: FindOptions,
	): Page {
		const rows = conversation ? this.#threadOf(conversation) : this.#all;
		const place = (message: Message) =>
			conversation ? message.positionInConversation : message.position;
		const messages: Message[] = [];
		const end = after ? place(after) : -1;
		for (let at = (before ? place(before) : rows.length) - 1; at > end; at--) {
			const message = rows[at]!;
			if (!isWanted(message)) continue;
			if (messages.length === limit) return { messages, before: messages.at(-1) ?? null };
			messages.push(message);
		}
		return { messages, before: null };
	}

	#threadOf(conversation: Conversation): Message[] {
		return getOrAdd(this.#byConversation, conversation, () => []);
	}
}

/** Everything that can be said about a message, in the wire's spelling. */
export type MessageRecord = {
	message_handle: string;
	conversation_handle: string;
	line_handle: string;
	from: string;
	to: string;
	content: string;
	media_url: string | null;
	service: Service | null;
	status: MessageStatus;
	is_outbound: boolean;
	error_message: string | null;
	created_at: string;
	date_sent: string | null;
	failed_at: string | null;
};

/** The record of a message: with its text as the service keeps it, and with times by the service's clock. */
export const messageRecord = (
	message: Message,
	{ keepText, clockBehindMs }: Pick<Character, 'keepText' | 'clockBehindMs'>,
): MessageRecord => {
	const { line, contact, handle } = message.conversation;
	return {
		message_handle: message.handle,
		conversation_handle: handle,
		line_handle: line.handle,
		from: message.isOutbound ? line.number : contact.number,
		to: message.isOutbound ? contact.number : line.number,
		content: keepText(message.content),
		media_url: message.mediaUrl,
		service: message.service,
		status: message.status,
		is_outbound: message.isOutbound,
		error_message: message.errorMessage,
		created_at: isoTime(message.createdAtMs, clockBehindMs),
		date_sent: isoTime(message.dateSentMs, clockBehindMs),
		failed_at: isoTime(message.failedAtMs, clockBehindMs),
	};
};

/** A message as the control endpoints show it. */
export type MessageRow = ReturnType<typeof controlRow>;

/** A message as the control endpoints show it, whatever the service's character is. */
export const controlRow = (message: Message) => {
	const record = messageRecord(message, literal);
	return { ...leastRow(record), created_at: record.created_at };
};
