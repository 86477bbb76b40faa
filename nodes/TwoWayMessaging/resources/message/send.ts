import { NodeOperationError } from 'n8n-workflow';
import type { SendRequest } from '../../contract';
import { choiceValue, readText } from '../../parameterValues';
import { binaryField, uploadBinary } from '../binaryField';
import { optionsField } from '../collectionFields';
import { anyLineField, readChosenLine } from '../lineField';
import { phoneNumberField, readPhoneNumber } from '../phoneNumberField';
import type { Operation, Run } from '../run';
import { readMessageText, textField } from '../textField';
import { waitOptions } from './followMessage';
import { ifUnconfirmedOption } from './ifUnconfirmedOption';
import { sendOnce } from './sendOnce';

/** Sends a text, media or both (§4.1). The service chooses the channel (§1.2). */
export const send: Operation = {
	value: 'send',
	name: 'Send',
	action: 'Send a message',
	description: 'Text a customer, by iMessage where possible and SMS otherwise',
	fields: [
		{
			...phoneNumberField,
			description: 'Who gets the message, with a plus and the country code',
		},
		{
			...textField,
			description: 'What the message says. May stay empty when media is sent.',
		},
		{
			displayName: 'Media',
			name: 'media',
			type: 'options',
			default: 'none',
			description: 'A picture or another file to send along',
			options: [
				{
					name: 'From Binary Field',
					value: 'binary',
					description: 'A file that an earlier node has read or downloaded',
				},
				{ name: 'From URL', value: 'url', description: 'A file that is on the web already' },
				{ name: 'None', value: 'none', description: 'Only text' },
			],
		},
		{
			displayName: 'Media URL',
			name: 'mediaUrl',
			type: 'string',
			default: '',
			required: true,
			displayOptions: { show: { media: ['url'] } },
			placeholder: 'e.g. https://example.com/menu.jpg',
			description: 'URL of the file. The service has to be able to open it.',
		},
		{ ...binaryField, displayOptions: { show: { media: ['binary'] } } },
		anyLineField,
		optionsField([
			ifUnconfirmedOption,
			{
				displayName: 'If Opted Out',
				name: 'ifOptedOut',
				type: 'options',
				default: 'fail',
				description: 'What to do when the customer has replied STOP',
				options: [
					{
						name: 'Skip',
						value: 'skip',
						description: 'Send nothing, and output an item with the status SKIPPED',
					},
					{
						name: 'Stop and Say Why',
						value: 'fail',
						description: 'Treat it like every other refusal',
					},
				],
			},
			...waitOptions({ name: 'Queued', description: 'The service has accepted it. No wait.' }),
		]),
	],

	async run(run, itemIndex) {
		return [await sendOnce(run, itemIndex, async () => await readRequest(run, itemIndex))];
	},
};

/**
 * The body of the request (§2.1), from the item's fields.
 *
 * @throws NodeOperationError with the item's number, before anything is sent
 */
async function readRequest(run: Run, itemIndex: number): Promise<SendRequest> {
	const { caller } = run;
	const request: SendRequest = { number: readPhoneNumber(run, itemIndex) };
	const text = readMessageText(run, itemIndex);
	if (text.trim() !== '') request.content = text;
	const chosen = caller.getNodeParameter('media', itemIndex, 'none');
	const media = choiceValue(chosen, ['none', 'url', 'binary'], 'none');
	if (media === 'url') request.media_url = readMediaUrl(run, itemIndex);
	if (request.content === undefined && media === 'none') {
		throw new NodeOperationError(caller.getNode(), `There is nothing to send [item ${itemIndex}]`, {
			description: 'Fill in Text, or choose a Media to send, or both.',
			itemIndex,
		});
	}
	const lineHandle = await readChosenLine(run, itemIndex);
	if (lineHandle) request.line_handle = lineHandle;
	// The upload comes last: an upload for a message that is then refused would count against its limit (§8.1).
	if (media === 'binary') request.media_url = await uploadBinary(run, itemIndex);
	return request;
}

function readMediaUrl({ caller }: Run, itemIndex: number): string {
	const typed = readText(caller, 'mediaUrl', itemIndex);
	if (/^https?:\/\/\S+$/i.test(typed)) return typed;
	const message = typed === '' ? 'Media URL is empty' : 'Media URL is not a complete URL';
	throw new NodeOperationError(caller.getNode(), `${message} [item ${itemIndex}]`, {
		description:
			'Enter the URL of the file, beginning with https://, or set Media to None to send only text.',
		itemIndex,
	});
}
