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

/** What is known of a conversation. */
export type Conversation = {
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
export function conversationOf(message: Message): Conversation {
	const { customer, line: lineNumber } = numbersOf(message);
	const { line_handle: lineHandle, message_handle: messageHandle } = message;
	const { conversation_handle: conversationHandle } = message;
	return { customer, lineHandle, lineNumber, messageHandle, conversationHandle };
}

/** Which rows are wanted of a conversation. */
type Wanted = Pick<Reading, 'before' | 'since'> & {
	limit: number;
	isWanted?: (row: HistoryRow) => boolean;
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
	{ limit, isWanted = () => true, ...reading }: Wanted,
	itemIndex: number,
): Promise<HistoryRow[]> {
	let conversation = wanted;
	if (wanted && !wanted.conversationHandle) {
		// The history can only be asked for a conversation by its handle, which its newest row names (§2.6).
		let newest: Conversation = {};
		for await (const rows of readRows(connection, {}, itemIndex)) {
			const row = rows.find(({ message }) => namesConversation(message, wanted));
			if (!row) continue;
			newest = conversationOf(row.message);
			break;
		}
		const said = Object.entries<string | undefined>(wanted).filter(([, value]) => value);
		const { conversationHandle } = newest;
		if (conversationHandle === undefined) return [];
		conversation = { ...newest, ...Object.fromEntries(said), conversationHandle };
	}
	const certain: HistoryRow[] = [];
	const possible: HistoryRow[] = [];
	let found = possible;
	const query = {
		...reading,
		conversationHandle: conversation?.conversationHandle,
		pageSize: limit > FEW_ROWS ? PAGE_SIZE : FEW_ROWS,
	};
	for await (const rows of readRows(connection, query, itemIndex)) {
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
	const { lineHandle, lineNumber, messageHandle } = wanted;
	if (row.message_handle !== undefined && row.message_handle === messageHandle) return true;
	if (!isOfConversation(row, { ...wanted, conversationHandle: undefined })) return false;
	// A message that names no line has a row of its own. Only a number alone may mean any line.
	return isOnLine(row, wanted) ?? !(lineHandle ?? lineNumber ?? messageHandle);
}

/**
 * Whether a row is of the conversation; undefined where it does not say so. Where it names its conversation, that alone
 * counts; else the numbers that it names, and the line.
 */
function isOfConversation(row: Message, conversation: Conversation): boolean | undefined {
	const { conversationHandle, customer } = conversation;
	if (row.conversation_handle !== undefined && conversationHandle !== undefined) {
		return row.conversation_handle === conversationHandle;
	}
	const other = numbersIn(row, customer).customer;
	const isWithCustomer = other && customer ? isSameNumber(other, customer) : undefined;
	return isOnLine(row, conversation) === false ? false : isWithCustomer;
}

/** Whether a row is of the conversation's line; undefined where either does not name it. */
function isOnLine(row: Message, conversation: Conversation): boolean | undefined {
	const { customer, lineHandle, lineNumber } = conversation;
	if (row.line_handle && lineHandle) return row.line_handle === lineHandle;
	const { line } = numbersIn(row, customer);
	return line && lineNumber ? isSameNumber(line, lineNumber) : undefined;
}

/** The numbers of a row. One that does not say which way it went names the customer at either end. */
function numbersIn(row: Message, customer: string | undefined): ReturnType<typeof numbersOf> {
	const { from, to } = row;
	const numbers = numbersOf(row);
	if (numbers.customer ?? numbers.line) return numbers;
	if (isSameNumber(to, customer)) return { customer: to, line: from };
	return from !== undefined && to !== undefined ? { customer: from, line: to } : {};
}
