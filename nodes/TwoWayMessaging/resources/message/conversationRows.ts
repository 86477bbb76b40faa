import { toMessage, type Fields, type Message } from '../../message';
import { isSameNumber, type ConversationClue } from './findConversation';
import { sidesOf } from './repliedMessage';

/** What a row says about being of a conversation. */
type Belonging = 'same' | 'other' | 'unsaid';

/**
 * Collects those rows of the history that are of one conversation. A service that ignores `conversation_handle` (§4.5)
 * answers with the texts of every customer, and those of others must not come out:
 *
 * ```ts
 * const collected = new ConversationRows({ conversationHandle, customer });
 * for await (const rows of pages) collected.add(rows);
 * return collected.rows();
 * ```
 */
export class ConversationRows<Row extends Fields> {
	private readonly certain = new Set<Row>();

	private readonly possible: Row[] = [];

	private hasSeenOthers = false;

	/** @param conversation what is known of it; undefined for the rows of all conversations */
	constructor(private readonly conversation: ConversationClue | undefined) {}

	/**
	 * Adds the rows of a page.
	 *
	 * @param isWanted leaves out rows of the conversation that nobody has asked for
	 */
	add(page: Row[], isWanted: (row: Row) => boolean = () => true): void {
		for (const row of page) {
			const belonging = this.conversation ? belongingOf(toMessage(row), this.conversation) : 'same';
			if (belonging === 'other') this.hasSeenOthers = true;
			else if (isWanted(row)) {
				this.possible.push(row);
				if (belonging === 'same') this.certain.add(row);
			}
		}
	}

	get count(): number {
		return this.hasSeenOthers ? this.certain.size : this.possible.length;
	}

	/**
	 * The rows in the order in which they came. A row that does not say whose it is (§2.6) counts as long as the service has
	 * shown no other conversation.
	 */
	rows(): Row[] {
		return this.hasSeenOthers ? [...this.certain] : this.possible;
	}
}

/** Where a row names its conversation, that alone counts; else the numbers that it names, and the line. */
function belongingOf(row: Message, conversation: ConversationClue): Belonging {
	const { conversationHandle, customer, lineHandle, lineNumber } = conversation;
	if (row.conversation_handle !== undefined && conversationHandle !== undefined) {
		return row.conversation_handle === conversationHandle ? 'same' : 'other';
	}
	const sides = sidesInConversation(row, customer);
	const isOther =
		isAnotherNumber(sides.customer, customer) ||
		(row.line_handle && lineHandle
			? row.line_handle !== lineHandle
			: isAnotherNumber(sides.line, lineNumber));
	if (isOther) return 'other';
	return isSameNumber(sides.customer, customer) ? 'same' : 'unsaid';
}

/** The two sides of a row. One that does not say which way it went names the customer at either end. */
function sidesInConversation(row: Message, customer: string | undefined) {
	if (row.is_outbound !== undefined) return sidesOf(row);
	const { from, to } = row;
	if (isSameNumber(to, customer)) return { customer: to, line: from };
	return from !== undefined && to !== undefined ? { customer: from, line: to } : {};
}

function isAnotherNumber(one: string | undefined, other: string | undefined): boolean {
	return one !== undefined && other !== undefined && !isSameNumber(one, other);
}
