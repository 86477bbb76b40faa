import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { SendRequest } from '../../contract';
import type { Message } from '../../message';
import { refusalKind, serviceSentence, toNodeError } from '../../transport/errors';
import { binaryField, uploadBinary } from '../binaryFile';
import { chosenLine, anyLineField } from '../lineChoice';
import { phoneNumber } from '../phoneNumber';
import type { Operation, Run } from '../run';
import { attemptOf, toolAttemptOf, type Attempt } from './attempts';
import { deliver, type IfUnconfirmed } from './deliver';
import { follow, waitOptions, type WaitFor } from './progress';
import { unconfirmedOption } from './unconfirmed';

type SendOptions = {
	ifOptedOut?: 'fail' | 'skip';
	ifUnconfirmed?: IfUnconfirmed;
	waitFor?: WaitFor;
	waitSeconds?: number;
};

/** Sends a text, media or both (§4.1). The channel is the service's choice (§1.2). */
export const send: Operation = {
	value: 'send',
	name: 'Send',
	action: 'Send a message',
	description: 'Text a customer, by iMessage where possible and SMS otherwise',
	fields: [
		{
			displayName: 'Phone Number',
			name: 'number',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. +15551230001',
			description: 'Who gets the message, with a plus and the country code',
		},
		{
			displayName: 'Text',
			name: 'content',
			type: 'string',
			typeOptions: { rows: 4 },
			default: '',
			placeholder: 'e.g. Hi Anna, your order is ready.',
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
			description: 'Address of the file. The service has to be able to reach it.',
		},
		{ ...binaryField, displayOptions: { show: { media: ['binary'] } } },
		anyLineField,
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add Option',
			default: {},
			options: [
				unconfirmedOption,
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
							description: 'Send nothing, and hand on an item with the status SKIPPED',
						},
						{
							name: 'Stop and Say Why',
							value: 'fail',
							description: 'Treat it like every other refusal',
						},
					],
				},
				...waitOptions({ name: 'Queued', description: 'The service has accepted it. No wait.' }),
			],
		},
	],

	async run(run, itemIndex) {
		const read = async () => await readRequest(run, itemIndex);
		return [await sendOneMessage(run, itemIndex, read)];
	},
};

/**
 * Sends the message of an item, once however often the item is tried.
 *
 * @param read makes the body of the request (§2.1); not called again for what was sent before
 * @throws NodeApiError or NodeOperationError with the item's number
 */
export async function sendOneMessage(
	run: Run,
	itemIndex: number,
	read: () => Promise<SendRequest>,
): Promise<IDataObject> {
	const { caller } = run;
	// n8n gives the tool variant of a node this ending.
	if (caller.getNode().type.endsWith('Tool')) {
		const request = await read();
		const { attempt, forget } = toolAttemptOf(caller, request);
		const output = await sendOnce(run, itemIndex, attempt, request);
		forget();
		return output;
	}
	const runIndex = await run.once('runIndex', async () =>
		Number(caller.evaluateExpression('{{ $runIndex }}', itemIndex)),
	);
	const attempt = attemptOf(caller, runIndex, itemIndex);
	if (!attempt.accepted) attempt.request ??= await read();
	return await sendOnce(run, itemIndex, attempt, attempt.request);
}

/** Sends what the attempt has not sent yet, and follows it as far as the options say. */
async function sendOnce(
	run: Run,
	itemIndex: number,
	attempt: Attempt,
	request: SendRequest | undefined,
): Promise<IDataObject> {
	const options = run.caller.getNodeParameter('options', itemIndex, {}) as SendOptions;
	const connection = await run.connection();
	if (!attempt.accepted && request) {
		const refused = await deliver(connection, request, attempt, options, itemIndex);
		if (refused) {
			// The service has nothing of it, so a later try may say something else.
			attempt.request = undefined;
			const isOptedOut = refused.kind === 'answer' && refusalKind(refused) === 'optedOut';
			if (!isOptedOut || options.ifOptedOut !== 'skip') {
				throw toNodeError(connection, refused, itemIndex);
			}
			return skipped(request, serviceSentence(refused.body));
		}
	}
	const { waitFor = 'queued', waitSeconds = 60 } = options;
	return await follow(connection, attempt.accepted ?? {}, waitFor, waitSeconds, itemIndex);
}

/** An item for a message that was not sent because the contact does not want any (§1.5). */
function skipped(request: SendRequest, reason: string | undefined): IDataObject {
	const message: Message = { to: request.number, is_outbound: true, status: 'SKIPPED' };
	if (request.content !== undefined) message.content = request.content;
	if (reason !== undefined) message.error_message = reason;
	return message;
}

/**
 * The body of the request (§2.1), out of the item's fields.
 *
 * @throws NodeOperationError with the item's number, before anything is sent
 */
async function readRequest(run: Run, itemIndex: number): Promise<SendRequest> {
	const { caller } = run;
	const node = caller.getNode();
	const number = phoneNumber(node, caller.getNodeParameter('number', itemIndex, ''), itemIndex);
	const request: SendRequest = { number };
	const content = caller.getNodeParameter('content', itemIndex, '') as unknown;
	const text = content === undefined || content === null ? '' : String(content);
	if (text.trim() !== '') request.content = text;
	const media = caller.getNodeParameter('media', itemIndex, 'none') as 'none' | 'url' | 'binary';
	if (media === 'url') request.media_url = readMediaUrl(run, itemIndex);
	if (request.content === undefined && media === 'none') {
		throw new NodeOperationError(node, `There is nothing to send [item ${itemIndex}]`, {
			description: 'Fill in Text, or choose a Media to send, or both.',
			itemIndex,
		});
	}
	const lineHandle = await chosenLine(run, itemIndex);
	if (lineHandle) request.line_handle = lineHandle;
	// Last, when nothing else can be amiss: an upload for nothing would count against its limit (§8.1).
	if (media === 'binary') request.media_url = await uploadBinary(run, itemIndex);
	return request;
}

function readMediaUrl({ caller }: Run, itemIndex: number): string {
	const typed = String(caller.getNodeParameter('mediaUrl', itemIndex, '') ?? '').trim();
	if (/^https?:\/\/\S+$/i.test(typed)) return typed;
	const message = typed === '' ? 'Media URL is empty' : 'Media URL is not a web address';
	throw new NodeOperationError(caller.getNode(), `${message} [item ${itemIndex}]`, {
		description:
			'Enter the address of the file, beginning with https://, or set Media to None to send only text.',
		itemIndex,
	});
}
