import { toMessage, type Message } from '../../message';
import { comparableNumber } from '../../phoneNumber';
import { historyPages } from '../../transport/historyPages';
import type { Connection } from '../../transport/request';
import { sidesOf } from './repliedMessage';

/** What is known of a conversation before it is found. */
export type ConversationClue = {
	/** The number of the customer, however it is written. */
	customer?: string;
	lineHandle?: string;
	/** The number of the line. */
	lineNumber?: string;
	/** A message of the conversation. */
	messageHandle?: string;
	conversationHandle?: string;
};

/** What a message tells of its conversation. */
export function clueOf(message: Message): ConversationClue {
	const { customer, line } = sidesOf(message);
	return {
		customer,
		lineHandle: message.line_handle,
		lineNumber: line,
		messageHandle: message.message_handle,
		conversationHandle: message.conversation_handle,
	};
}

/**
 * Finds a conversation by its newest row, which names it (§2.6): the history can only be asked for a conversation by its
 * handle.
 *
 * @returns what is known of the conversation by then; undefined where the history has no such row
 * @throws NodeApiError with the item's number
 */
export async function findConversation(
	connection: Connection,
	clue: ConversationClue,
	itemIndex: number,
): Promise<ConversationClue | undefined> {
	for await (const rows of historyPages(connection, {}, itemIndex)) {
		const row = rows.map(toMessage).find((one) => isOfConversation(one, clue));
		if (row) return addToClue(clue, clueOf(row));
	}
	return undefined;
}

/** The clue, with what the row of its conversation says besides. */
function addToClue(clue: ConversationClue, row: ConversationClue): ConversationClue {
	return {
		customer: clue.customer ?? row.customer,
		lineHandle: clue.lineHandle ?? row.lineHandle,
		lineNumber: clue.lineNumber ?? row.lineNumber,
		messageHandle: clue.messageHandle ?? row.messageHandle,
		conversationHandle: row.conversationHandle,
	};
}

function isOfConversation(row: Message, clue: ConversationClue): boolean {
	if (row.message_handle !== undefined && row.message_handle === clue.messageHandle) return true;
	const { customer, line } = sidesOf(row);
	if (!isSameNumber(customer, clue.customer)) return false;
	if (clue.lineHandle !== undefined && row.line_handle !== undefined) {
		return row.line_handle === clue.lineHandle;
	}
	if (clue.lineNumber !== undefined) return isSameNumber(line, clue.lineNumber);
	// A message that names no line has a row of its own. Only a number alone may mean any line.
	return clue.lineHandle === undefined && clue.messageHandle === undefined;
}

/** Whether two numbers are the same, however each is written. */
export function isSameNumber(one: string | undefined, other: string | undefined): boolean {
	if (one === undefined || other === undefined) return false;
	return comparableNumber(one) === comparableNumber(other);
}
