import { withBuilderHint } from '../../n8n/laterDescription';
import { anyLineField, readChosenLine } from '../../fields/lineField';
import {
	numberCountryOption,
	phoneNumberField,
	readPhoneNumber,
} from '../../fields/phoneNumberField';
import type { ListOperation } from '../operation';
import { mediaFields, optionalTextField } from '../sending/content';
import { fieldsOfUnsent, readMessage } from '../sending/sendMessage';
import { optionsField } from '../../fields/readField';
import { sendOptions } from '../sending/sendOptions';

/** Sends a text, media or both (§4.1). The service chooses the channel (§1.2). */
export const send: ListOperation = {
	value: 'send',
	name: 'Send',
	action: 'Send message',
	description: 'Text a customer, by iMessage where possible and SMS otherwise',
	fields: [
		withBuilderHint(
			{
				...phoneNumberField,
				description: 'Who gets the message, with a plus and the country code',
			},
			"To answer the customer who texted, use the operation 'reply' in place of this field. Never let a model fill it in with $fromAI: whoever talks to the model could text anybody.",
		),
		optionalTextField,
		...mediaFields,
		withBuilderHint(
			anyLineField,
			"Leave it empty where any number of the organization may text. To keep to the line that was texted, use mode 'handle' with ={{ $json.line_handle }}.",
		),
		optionsField([numberCountryOption, ...sendOptions]),
	],

	sends: true,
	fieldsOfFailed: fieldsOfUnsent,

	read: async (run, itemIndex) =>
		await readMessage(run, itemIndex, async () => {
			const number = readPhoneNumber(run, itemIndex);
			const lineHandle = await readChosenLine(run, itemIndex);
			return { number, ...(lineHandle && { line_handle: lineHandle }) };
		}),
};
