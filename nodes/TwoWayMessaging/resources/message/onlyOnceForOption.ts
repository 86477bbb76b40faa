import type { INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { Fields } from '../../message';
import { lostValueIn, shownValue, textValue } from '../../parameterValues';
import type { Run } from '../run';
import { keptText } from './keptText';

/** The option for a message that may be sent once, whatever execution sends it. */
export const onlyOnceForOption: INodeProperties = {
	displayName: 'Only Once For',
	name: 'onlyOnceFor',
	type: 'string',
	default: '',
	placeholder: 'e.g. {{ $json.order_id }}',
	description:
		'Names what the message is for, such as an order. No later execution sends another message for the same words to the same number, and no Retry does.',
};

/** What expressions give of values that are missing or of another type. */
const NAMES_NOTHING = /^(?:NaN|-?Infinity|undefined|null|true|false|Invalid Date)$/;

/**
 * What the message of an item is for.
 *
 * @returns undefined where it may be sent any number of times
 * @throws NodeOperationError with the item's number where the value is an object or a list, or what comes of a missing one:
 * all messages to a number would have the same name, and only the first would be sent
 */
export function readOnlyOnceFor(
	{ caller }: Run,
	{ onlyOnceFor }: Fields,
	itemIndex: number,
): string | undefined {
	if (typeof onlyOnceFor === 'object' && onlyOnceFor !== null) {
		const message = `Only Once For is not a text: “${shownValue(onlyOnceFor)}” [item ${itemIndex}]`;
		throw new NodeOperationError(caller.getNode(), message, {
			description:
				'Choose one field that tells messages apart, such as {{ $json.order_id }}, or write several behind each other.',
			itemIndex,
		});
	}
	const words = keptText(textValue(onlyOnceFor));
	if (NAMES_NOTHING.test(words) || lostValueIn(words) !== undefined) {
		const message = `Only Once For is “${shownValue(words)}”, which names nothing [item ${itemIndex}]`;
		throw new NodeOperationError(caller.getNode(), message, {
			description:
				'Nothing was sent. The expression gives this for many items, for example where a field is missing or is no number, and only the first message of each customer would be sent. Choose a field that tells messages apart, such as {{ $json.order_id }}.',
			itemIndex,
		});
	}
	return words || undefined;
}
