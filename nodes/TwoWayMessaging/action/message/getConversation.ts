import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Message } from '../../message';
import { toE164 } from '../../phoneNumber';
import { serviceTimeMs } from '../../serviceTime';
import {
	choiceField,
	limitField as usualLimitField,
	optionsField,
	readAmount,
	readChoice,
} from '../../fields/readField';
import { lineFieldWith, readChosenLine } from '../../fields/lineField';
import {
	numberCountryOption,
	phoneNumberField,
	readPhoneNumber,
} from '../../fields/phoneNumberField';
import { inItsTurn, type Operation } from '../operation';
import { readRepliedMessage } from '../replying/repliedMessage';
import { conversationOf, readConversation, type Conversation } from './conversation';
import { withoutAnswerLinks, writeTranscript } from './transcript';

const limitField: INodeProperties = { ...usualLimitField, default: 20 };

const OTHERWISE =
	"To read the conversation with a number that you choose yourself, set With to 'Phone Number'.";

const ONLY_BY_NUMBER = { show: { with: ['number'] } };

const withField = choiceField({
	displayName: 'With',
	name: 'with',
	type: 'options',
	default: 'message',
	description: 'Whose conversation to read',
	options: [
		{
			name: 'Customer of the Message',
			value: 'message',
			description:
				'The customer whose message the item is, or whose message started the workflow: the one whom Reply answers',
		},
		{
			name: 'Phone Number',
			value: 'number',
			description: 'A customer whom you choose by number',
		},
	],
	builderHint: {
		propertyHint:
			"Keep 'message' behind a Two-Way Messaging Trigger, and for a tool of an AI agent: then a model cannot be made to read another customer's texts.",
	},
});

/** Reads what a customer and a line have said to each other (§4.5), as one item. */
export const getConversation: Operation = {
	value: 'getConversation',
	name: 'Get Conversation',
	action: 'Get conversation',
	description: 'Read what was said so far, as one item with a text that an AI agent can read',
	fields: [
		withField,
		{ ...phoneNumberField, displayOptions: ONLY_BY_NUMBER },
		{
			...lineFieldWith(
				'Newest conversation',
				'The line that the conversation is with. Without one, it is the newest conversation with the customer, on whichever line.',
			),
			displayOptions: ONLY_BY_NUMBER,
		},
		limitField,
		{ ...optionsField([numberCountryOption]), displayOptions: ONLY_BY_NUMBER },
	],

	read: inItsTurn(async (item) => {
		const limit = Math.max(1, readAmount(item, limitField));
		const known: Conversation =
			readChoice(item, withField) === 'message'
				? conversationOf(readRepliedMessage(item, OTHERWISE))
				: { customer: readPhoneNumber(item), line_handle: await readChosenLine(item) };
		const rows = await readConversation(item, known, { limit, notes: item.notes });
		const messages = oldestFirst(rows.map(({ message }) => withoutAnswerLinks(message)));
		const said = [known, ...messages.map(conversationOf)];
		const firstSaid = (name: keyof Conversation) => {
			const value = said.map((one) => one[name]).find(Boolean);
			return value && { [name]: name === 'customer' ? (toE164(value) ?? value) : value };
		};
		const transcript = writeTranscript(messages, item.context.getTimezone());
		const json: IDataObject = {
			...{ ...firstSaid('customer'), transcript, messages },
			...firstSaid('line_handle'),
			...firstSaid('conversation_handle'),
		};
		return [{ json }];
	}),
};

/** Rows may stand a little out of order. One without a time stays behind the one that it came after. */
function oldestFirst(newestFirst: Message[]): Message[] {
	let placedMs = Number.NEGATIVE_INFINITY;
	return newestFirst
		.reverse()
		.map((message) => {
			const sentMs = serviceTimeMs(message.date_sent);
			if (!Number.isNaN(sentMs)) placedMs = sentMs;
			return { message, placedMs };
		})
		.sort((one, other) => (one.placedMs === other.placedMs ? 0 : one.placedMs - other.placedMs))
		.map(({ message }) => message);
}
