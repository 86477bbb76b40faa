import type { INodeProperties } from 'n8n-workflow';
import type { SendRequest } from '../../contract';
import {
	assertBinary,
	binaryField,
	mediaUrlField,
	readMediaUrl,
	uploadBinary,
} from '../../fields/mediaFields';
import {
	choiceField,
	readAmount,
	readChoice,
	readCollection,
	refusal,
	waitAtMostOption,
} from '../../fields/readField';
import { isBlank, readMessageText, textField } from '../../fields/textField';
import { isFields, type Fields } from '../../message';
import { shownValue, textValue } from '../../parameterValues';
import { refusalWords } from '../../service/errors';
import type { Item } from '../../service/request';
import { keptText } from './ledger';

export const optionalTextField: INodeProperties = {
	...textField,
	description: 'What the message says. May stay empty when media is sent.',
};

const mediaField = choiceField({
	displayName: 'Media',
	name: 'media',
	type: 'options',
	default: 'none',
	description: 'A picture or another file to send along',
	options: [
		{ name: 'None', value: 'none', description: 'Only text' },
		{ name: 'From URL', value: 'url', description: 'A file that is on the web already' },
		{
			name: 'From Binary Field',
			value: 'binary',
			description: 'A file that an earlier node has read or downloaded',
		},
	],
});

export const mediaFields: INodeProperties[] = [
	mediaField,
	{
		...mediaUrlField,
		displayOptions: { show: { media: ['url'] } },
		description:
			'URL of the file itself, which the service has to be able to open. A link for sharing, as of Google Drive, leads to a page instead.',
	},
	{ ...binaryField, displayOptions: { show: { media: ['binary'] } } },
];

/*
 * Who adds an option wants its effect, so it arrives with one. *If Unsure It Was Sent* alone does not: a customer may get a
 * message twice only if a person chose that.
 */

/** For a line that is blocked (§3.2). Without it, the refusal stops the node. */
const ifLineBlockedOption = choiceField({
	displayName: 'If Line Blocked',
	name: 'ifLineBlocked',
	type: 'options',
	default: 'anotherLine',
	description:
		'What to do when the chosen line is blocked. Unless you add this option, the node stops. It always stops for a line that is switched off.',
	options: [
		{ name: 'Stop and Say Why', value: 'fail', description: 'Treat it like every other refusal' },
		{
			name: 'Use Another Line',
			value: 'anotherLine',
			description: 'The customer gets the message from another number of yours',
		},
	],
});

export const ifUnconfirmedOption = choiceField({
	displayName: 'If Unsure It Was Sent',
	name: 'ifUnconfirmed',
	type: 'options',
	default: 'fail',
	description:
		'What to do when the connection breaks before the service confirms the message, and the history does not show the message. Unless you add this option, the node stops.',
	options: [
		{
			name: 'Send Once More',
			value: 'sendAgain',
			description: 'In rare cases the customer gets the message twice',
		},
		{
			name: 'Stop and Say Why',
			value: 'fail',
			description: 'The customer never gets the message twice, and you decide what to do',
		},
	],
});

/** For a customer who has opted out (§1.5). Without it, the message is skipped: one customer stops no list. */
export const ifOptedOutOption = choiceField({
	displayName: 'If Opted Out',
	name: 'ifOptedOut',
	type: 'options',
	default: 'fail',
	description:
		'What to do when the customer has replied STOP. Unless you add this option, the message is skipped.',
	options: [
		{
			name: 'Skip',
			value: 'skip',
			description:
				'Send nothing: the item gets the status SKIPPED, and a question goes on at the output No Answer',
		},
		{ name: 'Stop and Say Why', value: 'fail', description: 'Treat it like every other refusal' },
	],
});

const onlyOnceForOption: INodeProperties = {
	displayName: 'Send Only Once Per',
	name: 'onlyOnceFor',
	type: 'string',
	default: '',
	placeholder: 'e.g. closed on Friday, or {{ $json.order_id }}',
	description:
		'What the message is for, such as an order number. Whoever got a message for what you enter here gets no second one: not in this execution, a later one, or a Retry. Left empty, it does nothing.',
};

const waitForOption = choiceField({
	displayName: 'Wait For',
	name: 'waitFor',
	type: 'options',
	// Every message is sent or fails, and not every one is confirmed.
	default: 'sent',
	description:
		'How far the message has to come before the workflow continues. Unless you add this option, it does not wait.',
	options: [
		{
			name: 'Nothing',
			value: 'queued',
			description: 'No wait: the message as the service has it now',
		},
		{
			name: 'Sent',
			value: 'sent',
			description: 'It has left the line, and the channel is known',
		},
		{
			name: 'Delivered',
			value: 'delivered',
			description: "The customer's device has confirmed it. Not every SMS is ever confirmed.",
		},
	],
});

export const waitOptions: INodeProperties[] = [waitForOption, waitAtMostOption];

export const sendOptions: INodeProperties[] = [
	ifLineBlockedOption,
	ifOptedOutOption,
	ifUnconfirmedOption,
	onlyOnceForOption,
	...waitOptions,
];

export type SendingOptions = ReturnType<typeof readSendingOptions>;

export function readSendingOptions(item: Item) {
	const options = readCollection(item, 'options');
	return {
		sendsAgain: readChoice(item, ifUnconfirmedOption, options, 'fail') === 'sendAgain',
		skipsOptedOut: readChoice(item, ifOptedOutOption, options, 'skip') === 'skip',
		usesAnotherLine: readChoice(item, ifLineBlockedOption, options, 'fail') === 'anotherLine',
		/** What the message is for; undefined where it may be sent any number of times. */
		onlyOnceFor: readOnlyOnceFor(item, options),
		following: readFollowing(item, options),
	};
}

/** Who gets a message, and the line that it leaves from (§2.1). */
export type Address = Pick<SendRequest, 'number' | 'line_handle'>;

/** Reads what a message says. The request is made when it is sent, as an upload counts against a limit (§8.1). */
export function readRequest(item: Item, address: Address): () => Promise<SendRequest> {
	const text = readMessageText(item);
	const media = readChoice(item, mediaField);
	const request: SendRequest = { ...address, ...(!isBlank(text) && { content: text }) };
	if (media === 'url') request.media_url = readMediaUrl(item);
	if (media === 'binary') assertBinary(item);
	if (request.content === undefined && media === 'none') {
		throw refusal(item, refusalWords('nothingToSend'));
	}
	if (media !== 'binary') return async () => request;
	return async () => ({ ...request, media_url: await uploadBinary(item) });
}

/** How far a message is followed, and how long. */
export type Following = ReturnType<typeof readFollowing>;

export function readFollowing(item: Item, options: Fields) {
	return {
		waitFor: readChoice(item, waitForOption, options, 'queued'),
		atMostMs: readAmount(item, waitAtMostOption, options) * 1_000,
	};
}

/** Whether an item says what its message is for. */
export function isOnlyOnce(item: Item): boolean {
	return textValue(readCollection(item, 'options').onlyOnceFor).trim() !== '';
}

/** What expressions give of values that are missing or of another type. */
const NAMES_NOTHING =
	/^(?:NaN|-?Infinity|undefined|null|true|false|Invalid Date)$|\[object \w+\]|Invalid DateTime/;

/** What the message of an item is for. An object, a list or what comes of a missing value is refused: it names nothing. */
function readOnlyOnceFor(item: Item, { onlyOnceFor }: Fields): string | undefined {
	const options: unknown = item.context.getNode().parameters.options;
	const words = keptText(textValue(onlyOnceFor));
	const written = isFields(options) ? textValue(options.onlyOnceFor) : '';
	const [before = '', ...parts] = written.split('{{');
	const fixed = before.slice(1) + parts.map((part) => part.slice(part.indexOf('}}') + 2)).join('');
	// Nothing but what stands around the expressions: they give nothing.
	const isEmpty = before.startsWith('=') && parts.length > 0 && words === keptText(fixed);
	if (!isEmpty && !Array.isArray(onlyOnceFor) && !NAMES_NOTHING.test(words))
		return words || undefined;
	const shown = shownValue(typeof onlyOnceFor === 'object' ? onlyOnceFor : words);
	throw refusal(item, {
		message:
			words === ''
				? 'The expression of Send Only Once Per gives nothing'
				: `Send Only Once Per is “${shown}”, which names nothing`,
		description:
			'Only the first message of each customer would be sent. Choose a field that tells messages apart, such as {{ $json.order_id }}.',
	});
}
