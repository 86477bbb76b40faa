import { numbersOf, type Message } from '../../message';
import { isSameNumber } from '../../phoneNumber';
import {
	FEW_ROWS,
	PAGE_SIZE,
	readRows,
	type HistoryRow,
	type Reading,
} from '../../service/history';
import type { Connection } from '../../service/request';

/** What is known of a conversation: the numbers of its customer and its line, the IDs of both and of one of its messages. */
export type Conversation = ReturnType<typeof numbersOf> &
	Pick<Message, 'line_handle' | 'message_handle' | 'conversation_handle'>;

/** What a message tells of its conversation. */
export function conversationOf(message: Message): Conversation {
	const { line_handle, message_handle, conversation_handle } = message;
	return { ...numbersOf(message), line_handle, message_handle, conversation_handle };
}

type Wanted = Pick<Reading, 'before' | 'since'> & {
	limit: number;
	isWanted?: (row: HistoryRow) => boolean;
	/** What people are told of the conversation. */
	notes: Set<string>;
};

/**
 * Reads the newest rows of one conversation, newest first. A service that ignores `conversation_handle` (§4.5) answers with
 * the texts of every customer, and those of others must not come out. A row that does not say whose it is (§2.6) counts as
 * long as the service has shown no other conversation.
 *
 * @param wanted undefined for the rows of all conversations
 * @returns no rows where the history does not show the conversation
 */
export async function readConversation(
	connection: Connection,
	wanted: Conversation | undefined,
	{ limit, isWanted = () => true, notes, ...reading }: Wanted,
): Promise<HistoryRow[]> {
	let conversation = wanted;
	if (wanted && !wanted.conversation_handle) {
		// The history can only be asked for a conversation by its handle, which its newest row names (§2.6).
		let newest: Conversation = {};
		for await (const rows of readRows(connection, {})) {
			const of = rows
				.filter(({ message }) => namesConversation(message, wanted))
				.map(({ message }) => conversationOf(message));
			if (!of[0]) continue;
			newest = of[0];
			const { conversation_handle: handle } = newest;
			const other = of.find((one) => one.conversation_handle && one.conversation_handle !== handle);
			const where = other?.line ? `, with the line ${other.line}` : '';
			if (other)
				notes.add(
					`Only the customer's newest conversation was read. There is another one${where}.`,
				);
			break;
		}
		if (newest.conversation_handle === undefined) {
			notes.add('There is no conversation with this customer');
			return [];
		}
		const said = Object.entries<string | undefined>(wanted).filter(([, value]) => value);
		conversation = { ...newest, ...Object.fromEntries(said) };
	}
	const certain: HistoryRow[] = [];
	const possible: HistoryRow[] = [];
	let found = possible;
	const query = {
		...reading,
		conversationHandle: conversation?.conversation_handle,
		pageSize: limit > FEW_ROWS ? PAGE_SIZE : FEW_ROWS,
	};
	for await (const rows of readRows(connection, query)) {
		for (const row of rows) {
			const isOf = conversation ? isOfConversation(row.message, conversation) : true;
			if (isOf === false) found = certain;
			else if (isWanted(row)) {
				possible.push(row);
				if (isOf) certain.push(row);
			}
		}
		if (found.length >= limit) break;
	}
	return found.slice(0, limit);
}

/** Whether a row is one from which a conversation can be known, that is wanted by a customer, a line or a message of it. */
function namesConversation(row: Message, wanted: Conversation): boolean {
	const { line, line_handle: lineHandle, message_handle: handle } = wanted;
	if (row.message_handle !== undefined && row.message_handle === handle) return true;
	if (!isOfConversation(row, wanted)) return false;
	// A message that names no line has a row of its own. Only a number alone may mean any line.
	return isOnLine(row, wanted) ?? !(lineHandle ?? line ?? handle);
}

/** Whether a row is of the conversation, by the ID that it names, else by its numbers and its line; undefined where it says none. */
function isOfConversation(row: Message, conversation: Conversation): boolean | undefined {
	if (row.conversation_handle !== undefined && conversation.conversation_handle) {
		return row.conversation_handle === conversation.conversation_handle;
	}
	if (isOnLine(row, conversation) === false) return false;
	const { customer } = numbersOf(row);
	return customer && conversation.customer
		? isSameNumber(customer, conversation.customer)
		: undefined;
}

/** Whether a row is of the conversation's line; undefined where either does not name it. */
function isOnLine(row: Message, { line, line_handle: handle }: Conversation): boolean | undefined {
	if (row.line_handle && handle) return row.line_handle === handle;
	const { line: lineOfRow } = numbersOf(row);
	return lineOfRow && line ? isSameNumber(lineOfRow, line) : undefined;
}
