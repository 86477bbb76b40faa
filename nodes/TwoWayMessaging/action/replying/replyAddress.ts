import { refusal } from '../../fields/readField';
import { numbersOf, type Message } from '../../message';
import { textValue } from '../../parameterValues';
import { isSameNumber, toE164 } from '../../phoneNumber';
import type { Explanation } from '../../service/credential';
import { findRow } from '../../service/history';
import { linesOf } from '../../service/lines';
import type { Run } from '../../service/run';
import type { Address } from '../sending/sendMessage';
import { readRepliedMessage, type RepliedTo } from './repliedMessage';

const OTHERWISE =
	'Nothing was sent for this item. To text a number that you choose yourself, use the operation Send.';

/**
 * Finds the customer and the line of the message that an item stands for. What the message itself leaves out (§6.3 names no
 * line, §2.2 no sender) is read from the lines and from the history.
 *
 * @throws NodeOperationError with the item's number where either cannot be told, or the message is one of ours
 */
export async function findReplyAddress(
	run: Run,
	itemIndex: number,
	to: RepliedTo,
): Promise<Required<Address>> {
	const refused = ({ message, description }: Explanation) =>
		refusal(run, itemIndex, { message, description: `${description} ${OTHERWISE}` });
	const said = readRepliedMessage(run, itemIndex, OTHERWISE, to);
	const message = await withHistory(run, said, itemIndex);
	const { customer, line } = numbersOf(message);
	if (customer === undefined) {
		throw refused({
			message: 'The message to reply to does not say who the customer is',
			description: 'The item has the ID of a message, and the history does not show that message.',
		});
	}
	if (message.is_outbound === true) {
		throw refused({
			message: 'Reply answers customers, and this message is one of yours',
			description:
				"Where the trigger also listens to 'Message Sent or Failed', an answer to your own message would start the workflow again, without end. Put an 'If' node before this one that lets only items through whose event is 'receive'.",
		});
	}
	const number = toE164(customer);
	if (number === undefined) {
		throw refused({
			message: `The customer’s number, “${customer.slice(0, 40)}”, is not in international format`,
			description:
				'It has to begin with a plus and the country code. Senders such as short codes cannot be texted.',
		});
	}
	const { line_handle: handle } = message;
	if (handle !== undefined) return { number, line_handle: handle };
	if (line === undefined) {
		throw refused({
			message: 'The message to reply to does not say which line it belongs to',
			description: 'Neither does the history.',
		});
	}
	const lines = await linesOf(run, itemIndex);
	const known = lines.find((one) => isSameNumber(textValue(one.number), line));
	if (known) return { number, line_handle: known.line_handle };
	throw refused({
		message: `No line of yours has the number ${line}`,
		description:
			'A reply leaves from the line of the message that it answers. The line may have been taken away, or belong to another credential.',
	});
}

/** The message, with its row of the history where it does not itself say who the customer is, and which line. */
async function withHistory(run: Run, message: Message, itemIndex: number): Promise<Message> {
	const { message_handle: handle, line_handle: lineHandle } = message;
	const { customer, line } = numbersOf(message);
	if (handle === undefined || (customer && (lineHandle ?? line))) return message;
	const find = async () => await findRow(await run.connection(), message, itemIndex);
	const row = await run.once(`row ${handle}`, find);
	return { ...row, ...message, is_outbound: message.is_outbound ?? row?.is_outbound };
}
