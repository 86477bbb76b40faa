import { withBuilderHint } from '../../n8n/laterDescription';
import { anyLineField, readChosenLine } from '../lineField';
import { phoneNumberField, readPhoneNumber } from '../phoneNumberField';
import type { ListOperation, Run } from '../run';
import { mediaFields, optionalTextField, readContent, uploadContent } from './messageContent';
import { refuseUnusableLine } from './refuseUnusableLine';
import { readMessage, type MakeRequest } from './sendOnce';
import { sendOptions } from './sendOptions';

/** Sends a text, media or both (§4.1). The service chooses the channel (§1.2). */
export const send: ListOperation = {
	value: 'send',
	name: 'Send',
	action: 'Send a message',
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
		sendOptions,
	],

	sends: true,

	read: async (run, itemIndex) =>
		await readMessage(run, itemIndex, async () => await readRequest(run, itemIndex)),
};

/**
 * The body of the request (§2.1), from the item's fields.
 *
 * @throws NodeOperationError with the item's number, before anything is sent
 */
async function readRequest(run: Run, itemIndex: number): Promise<MakeRequest> {
	const number = readPhoneNumber(run, itemIndex);
	const content = readContent(run, itemIndex);
	const lineHandle = await readChosenLine(run, itemIndex);
	await refuseUnusableLine(run, lineHandle, itemIndex);
	return async () => ({
		number,
		...(lineHandle && { line_handle: lineHandle }),
		...(await uploadContent(run, content, itemIndex)),
	});
}
