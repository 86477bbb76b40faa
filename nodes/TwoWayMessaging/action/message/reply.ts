import { withBuilderHint } from '../../n8n/laterDescription';
import type { ListOperation } from '../operation';
import { findReplyAddress } from '../replying/replyAddress';
import { fieldsOfUnsent, readMessage } from '../sending/sendMessage';
import { optionsField } from '../../fields/readField';
import { mediaFields, optionalTextField, sendOptions } from '../sending/sendFields';

/** Answers the customer whose message an item carries, or whose message started the workflow, from the same line. */
export const reply: ListOperation = {
	value: 'reply',
	name: 'Reply',
	action: 'Reply to message',
	description:
		'Answer the customer whose message started the workflow, in the same conversation. There is no number to set.',
	fields: [
		withBuilderHint(
			optionalTextField,
			'Behind an AI Agent, use ={{ $json.output }}. The customer and the line need no field: nodes between may drop them.',
		),
		...mediaFields,
		optionsField(sendOptions),
	],

	sends: true,
	fieldsOfFailed: fieldsOfUnsent,

	read: readMessage(findReplyAddress),
};
