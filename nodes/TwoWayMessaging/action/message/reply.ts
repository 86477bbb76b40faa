import { choiceField, optionsField, readChoice, refusal } from '../../fields/readField';
import { numbersOf, type Message } from '../../message';
import { textValue } from '../../parameterValues';
import { isSameNumber, toE164 } from '../../phoneNumber';
import type { Explanation } from '../../service/credential';
import { findRow } from '../../service/history';
import { linesOf } from '../../service/lines';
import type { Item } from '../../service/request';
import type { Operation } from '../operation';
import { readRepliedMessage } from '../replying/repliedMessage';
import { mediaFields, optionalTextField, sendOptions, type Address } from '../sending/sendFields';
import { sendingTo } from '../sending/sendMessage';

const OTHERWISE =
	'Nothing was sent for this item. To text a number that you choose yourself, use the operation Send.';

const replyToField = choiceField({
	displayName: 'Reply To',
	name: 'replyTo',
	type: 'options',
	default: 'customer',
	description: 'Who gets the reply',
	options: [
		{
			name: 'The Customer',
			value: 'customer',
			description:
				'Whose message the item is, else whose message started the workflow: not a colleague who was asked in between',
		},
		{
			name: 'Who Was Asked Last',
			value: 'answerer',
			description: 'Who answered the last Send and Wait for Answer, or did not answer it',
		},
	],
});

export const reply: Operation = {
	value: 'reply',
	name: 'Reply',
	action: 'Reply to message',
	description:
		'Answer the customer whose message started the workflow, in the same conversation. There is no number to set.',
	fields: [
		{
			...optionalTextField,
			builderHint: {
				propertyHint:
					"Behind an AI Agent, use the field 'output' of its item. The customer and the line need no field: nodes between may drop them.",
			},
		},
		replyToField,
		...mediaFields,
		optionsField(sendOptions),
	],

	...sendingTo(findReplyAddress),
};

/**
 * Finds the customer and the line of the message that an item stands for. What the message itself leaves out (§6.3 names no
 * line, §2.2 no sender) is read from the lines and from the history.
 */
async function findReplyAddress(item: Item): Promise<Address> {
	const refused = ({ message, description }: Explanation) =>
		refusal(item, { message, description: `${description} ${OTHERWISE}` });
	const to = readChoice(item, replyToField);
	const said = readRepliedMessage(item, OTHERWISE, to);
	const message = await withHistory(item, said);
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
				"'Message Sent or Failed' starts the workflow for your own messages, too. Put an 'If' node before this one that lets only items through whose event is 'receive'.",
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
	const lines = await linesOf(item);
	const known = lines.find((one) => isSameNumber(textValue(one.number), line));
	if (known) return { number, line_handle: known.line_handle };
	throw refused({
		message: line
			? `No line of yours has the number ${line}`
			: 'The message to reply to does not say which line it belongs to',
		description:
			'A reply leaves from the line of the message that it answers. The line may have been taken away, or belong to another credential.',
	});
}

/** The message, with its row of the history where it does not itself say who the customer is, and which line. */
async function withHistory(item: Item, message: Message): Promise<Message> {
	const { message_handle: handle, line_handle: lineHandle } = message;
	const { customer, line } = numbersOf(message);
	if (handle === undefined || (customer && (lineHandle ?? line))) return message;
	const find = async () => await findRow(item, message);
	const row = await item.once(`row ${handle}`, find);
	return { ...row, ...message, is_outbound: message.is_outbound ?? row?.is_outbound };
}
