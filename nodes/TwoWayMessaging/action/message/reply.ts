import type { ListOperation } from '../operation';
import { findReplyAddress } from '../replying/replyAddress';
import { sendingTo } from '../sending/sendMessage';
import { choiceField, optionsField, readChoice } from '../../fields/readField';
import { mediaFields, optionalTextField, sendOptions } from '../sending/sendFields';

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
				'Who sent the message that the item is, or that started the workflow, also behind a question to somebody else',
		},
		{
			name: 'Who Was Asked Last',
			value: 'answerer',
			description: 'Who answered the last Send and Wait for Answer, or did not answer it',
		},
	],
});

/** Answers the customer whose message an item carries, or whose message started the workflow, from the same line. */
export const reply: ListOperation = {
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

	...sendingTo(
		async (run, itemIndex) =>
			await findReplyAddress(run, itemIndex, readChoice(run, replyToField, itemIndex)),
	),
};
