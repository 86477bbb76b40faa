import { anyLineField } from '../../fields/lineField';
import { numberCountryOption, phoneNumberField } from '../../fields/phoneNumberField';
import type { Operation } from '../operation';
import { readAddress, sendingTo } from '../sending/sendMessage';
import { optionsField } from '../../fields/readField';
import { mediaFields, optionalTextField, sendOptions } from '../sending/sendFields';

/** Sends a text, media or both (§4.1). The service chooses the channel (§1.2). */
export const send: Operation = {
	value: 'send',
	name: 'Send',
	action: 'Send message',
	description: 'Text a customer, by iMessage where possible and SMS otherwise',
	fields: [
		{
			...phoneNumberField,
			description: 'Who gets the message, with a plus and the country code',
			builderHint: {
				propertyHint:
					"To answer the customer who texted, use the operation 'reply' in place of this field. Never let a model fill it in with $fromAI: whoever talks to the model could text anybody.",
			},
		},
		optionalTextField,
		...mediaFields,
		{
			...anyLineField,
			builderHint: {
				propertyHint:
					"Leave it empty where any number of the organization may text. To keep to the line that was texted, use mode 'handle' with the field 'line_handle' of its item.",
			},
		},
		optionsField([numberCountryOption, ...sendOptions]),
	],

	...sendingTo(readAddress),
};
