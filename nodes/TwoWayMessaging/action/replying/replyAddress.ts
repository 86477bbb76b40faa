import { NodeOperationError } from 'n8n-workflow';
import type { SendRequest } from '../../contract';
import { sidesOf, type Message } from '../../message';
import { textValue } from '../../parameterValues';
import { comparableNumber, isSameNumber, toE164 } from '../../phoneNumber';
import { findRow } from '../../service/history';
import { linesOf, linesOfList } from '../../service/lines';
import type { Run } from '../../service/run';
import { readRepliedMessage } from './repliedMessage';

const OTHERWISE =
	'Nothing was sent for this item. To text a number that you choose yourself, use the operation Send.';

/** Who gets a reply, and the line that it leaves from (§2.1). */
export type ReplyAddress = Required<Pick<SendRequest, 'number' | 'line_handle'>>;

/**
 * Finds the customer and the line of the customer's message that an item stands for. What the message itself leaves out (§6.3 names no
 * line, §2.2 no sender) is read from the lines and from the history.
 *
 * @throws NodeOperationError with the item's number where either cannot be told, or the message is one of ours
 */
export async function findReplyAddress(run: Run, itemIndex: number): Promise<ReplyAddress> {
	const message = readRepliedMessage(run, itemIndex, OTHERWISE);
	const { customer } = sidesOf(message);
	if (customer !== undefined) return await addressOf(run, message, itemIndex);
	const row = await readRow(run, message, itemIndex);
	if (row === undefined || sidesOf(row).customer === undefined) {
		throw refused(run, itemIndex, {
			message: 'The message to reply to does not say who the customer is',
			description: 'The item has the ID of a message, and the history does not show that message.',
		});
	}
	return await addressOf(run, row, itemIndex);
}

async function addressOf(run: Run, message: Message, itemIndex: number): Promise<ReplyAddress> {
	if (message.is_outbound === true) {
		throw refused(run, itemIndex, {
			message: 'Reply answers customers, and this message is one of yours',
			description:
				"Where the trigger also listens to 'Message Sent or Failed', an answer to your own message would start the workflow again, without end. Put an 'If' node before this one that lets only items through whose event is 'receive'.",
		});
	}
	const { customer = '' } = sidesOf(message);
	const number = toE164(customer);
	if (number !== undefined) return { number, line_handle: await findLine(run, message, itemIndex) };
	throw refused(run, itemIndex, {
		message: `The customer’s number, “${customer.slice(0, 40)}”, is not in international format`,
		description: lacksOnlyPlus(customer)
			? `If the number begins with the country code, only the plus is missing: let a node before this one keep it, as in +${comparableNumber(customer)}.`
			: 'Senders such as short codes cannot be texted.',
	});
}

/** Whether a plus would make the text an international number. No short code has ten digits. */
function lacksOnlyPlus(customer: string): boolean {
	return comparableNumber(customer).length >= 10 && toE164(`+${customer.trim()}`) !== undefined;
}

/** The ID of the line that a message came to or left from. */
async function findLine(run: Run, message: Message, itemIndex: number): Promise<string> {
	const said = await findLineSaid(run, message, itemIndex);
	if (said !== undefined) return said;
	const row = await readRow(run, message, itemIndex);
	const inHistory = row && (await findLineSaid(run, row, itemIndex));
	if (inHistory !== undefined) return inHistory;
	throw refused(run, itemIndex, {
		message: 'The message to reply to does not say which line it belongs to',
		description: 'Neither does the history.',
	});
}

/** The ID of the line that a message names, by its ID or by its number. */
async function findLineSaid(
	run: Run,
	message: Message,
	itemIndex: number,
): Promise<string | undefined> {
	const { line_handle: handle } = message;
	if (handle !== undefined) {
		const listed = await linesOfList(run, itemIndex);
		if (!listed || listed.some((one) => one.line_handle === handle)) return handle;
		throw lineNotThere(run, `No line of yours has the ID “${handle.slice(0, 60)}”`, itemIndex);
	}
	const { line: number } = sidesOf(message);
	if (number === undefined) return undefined;
	const lines = await linesOf(run, itemIndex);
	const line = lines.find((one) => isSameNumber(textValue(one.number), number));
	if (line) return line.line_handle;
	throw lineNotThere(run, `No line of yours has the number ${number}`, itemIndex);
}

/** The error for a line of a message that the credential does not show; a reply has no field to choose another one. */
function lineNotThere(run: Run, message: string, itemIndex: number): NodeOperationError {
	return refused(run, itemIndex, {
		message,
		description:
			'A reply leaves from the line of the message that it answers. The line may have been taken away, or belong to another credential.',
	});
}

/** The message's row of the history, read once in a run. */
async function readRow(
	run: Run,
	message: Message,
	itemIndex: number,
): Promise<Message | undefined> {
	const { message_handle: handle } = message;
	if (handle === undefined) return undefined;
	const connection = await run.connection();
	return await run.once(`row ${handle}`, async () => await findRow(connection, message, itemIndex));
}

function refused(
	{ context }: Run,
	itemIndex: number,
	{ message, description }: { message: string; description: string },
): NodeOperationError {
	return new NodeOperationError(context.getNode(), `${message} [item ${itemIndex}]`, {
		description: `${description} ${OTHERWISE}`,
		itemIndex,
	});
}
