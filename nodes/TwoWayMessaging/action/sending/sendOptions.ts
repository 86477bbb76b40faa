import type { INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { isFields, type Fields } from '../../message';
import { lostValueIn, readCollection, shownValue, textValue } from '../../parameterValues';
import { choiceField, readChoice, type ChoiceField } from '../../fields/readField';
import type { Run } from '../../service/run';
import { keptText } from './find';
import { readFollowing, waitOptions, type Following } from './follow';

/** The option for a message whose line is blocked (§3.2). Without it, the refusal stops the node. */
const ifLineBlockedOption = choiceField({
	displayName: 'If Line Blocked',
	name: 'ifLineBlocked',
	type: 'options',
	// Who adds an option wants its effect, so it arrives with one.
	default: 'anotherLine',
	description: 'What to do when the chosen line is blocked',
	options: [
		{
			name: 'Stop and Say Why',
			value: 'fail',
			description: 'Treat it like every other refusal',
		},
		{
			name: 'Use Another Line',
			value: 'anotherLine',
			description: 'The customer gets the message from another number of yours',
		},
	],
});

/** The option for a message whose answer was lost and that the history does not show. */
export const ifUnconfirmedOption = choiceField({
	displayName: 'If Unsure It Was Sent',
	name: 'ifUnconfirmed',
	type: 'options',
	// This option alone arrives without an effect: a customer may get a message twice only if a person chose that.
	default: 'fail',
	description:
		'What to do when the connection breaks before the service confirms the message, and the history does not show the message',
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

/** The option for a customer who has opted out (§1.5). Without it, the message is skipped: one customer stops no list. */
export const ifOptedOutOption = choiceField({
	displayName: 'If Opted Out',
	name: 'ifOptedOut',
	type: 'options',
	// Who adds an option wants its effect, so it arrives with one.
	default: 'fail',
	description:
		'What to do when the customer has replied STOP. Unless you add this option, the message is skipped.',
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
});

/** The option for a message that may be sent once, whatever execution sends it. */
const onlyOnceForOption: INodeProperties = {
	displayName: 'Send Only Once Per',
	name: 'onlyOnceFor',
	type: 'string',
	default: '',
	placeholder: 'e.g. {{ $json.order_id }}',
	description:
		'Names what the message is for, such as an order. No later execution sends another message for the same words to the same number, and no Retry does.',
};

/** The options of every operation that sends. */
export const sendOptions: INodeProperties[] = [
	ifLineBlockedOption,
	ifOptedOutOption,
	ifUnconfirmedOption,
	onlyOnceForOption,
	...waitOptions({ name: 'Queued', description: 'The service has accepted it. No wait.' }),
];

/** The options of an item, read once. */
export type SendingOptions = {
	/** What the message is for; undefined where it may be sent any number of times. */
	onlyOnceFor: string | undefined;
	sendsAgain: boolean;
	skipsOptedOut: boolean;
	usesAnotherLine: boolean;
	following: Following;
};

/** @throws NodeOperationError with the item's number */
export function readSendingOptions(run: Run, itemIndex: number): SendingOptions {
	const options = readCollection(run.context, 'options', itemIndex);
	const read = <Choice extends string>(field: ChoiceField<Choice>, absent: Choice) =>
		readChoice(run, field, itemIndex, options, absent);
	return {
		onlyOnceFor: readOnlyOnceFor(run, options, itemIndex),
		sendsAgain: read(ifUnconfirmedOption, 'fail') === 'sendAgain',
		skipsOptedOut: read(ifOptedOutOption, 'skip') === 'skip',
		usesAnotherLine: read(ifLineBlockedOption, 'fail') === 'anotherLine',
		following: readFollowing(run, options, itemIndex),
	};
}

/** Whether an item says what its message is for. */
export function isOnlyOnce({ context }: Run, itemIndex: number): boolean {
	return textValue(readCollection(context, 'options', itemIndex).onlyOnceFor).trim() !== '';
}

/** What expressions give of values that are missing or of another type. */
const NAMES_NOTHING = /^(?:NaN|-?Infinity|undefined|null|true|false|Invalid Date)$/;

/**
 * What the message of an item is for.
 *
 * @throws NodeOperationError with the item's number where the value is an object or a list, or what comes of a missing one:
 * all messages to a number would have the same name, and only the first would be sent
 */
function readOnlyOnceFor(
	{ context }: Run,
	{ onlyOnceFor }: Fields,
	itemIndex: number,
): string | undefined {
	const node = context.getNode();
	const isList = typeof onlyOnceFor === 'object' && onlyOnceFor !== null;
	const words = isList ? shownValue(onlyOnceFor) : keptText(textValue(onlyOnceFor));
	const options: unknown = node.parameters.options;
	const written = isFields(options) ? textValue(options.onlyOnceFor) : '';
	const [before = '', ...parts] = written.split('{{');
	const fixed = before.slice(1) + parts.map((part) => part.slice(part.indexOf('}}') + 2)).join('');
	// Nothing but what stands around the expressions: they give nothing.
	const isEmpty = before.startsWith('=') && parts.length > 0 && words === keptText(fixed);
	if (!isEmpty && !isList && !NAMES_NOTHING.test(words) && lostValueIn(words) === undefined) {
		return words || undefined;
	}
	const message =
		words === ''
			? 'The expression of Send Only Once Per gives nothing'
			: `Send Only Once Per is “${shownValue(words)}”, which names nothing`;
	throw new NodeOperationError(node, message, {
		description:
			'Only the first message of each customer would be sent. Choose a field that tells messages apart, such as {{ $json.order_id }}.',
		itemIndex,
	});
}
