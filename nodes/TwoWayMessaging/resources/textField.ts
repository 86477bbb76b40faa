import type { INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { textValue } from '../parameterValues';
import type { Run } from './run';

/** Fields of an object that a message names at most. */
const MOST_NAMED = 5;

/** The field for the text of a message. */
export const textField: INodeProperties = {
	displayName: 'Text',
	name: 'content',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	placeholder: 'e.g. Hi Anna, your order is ready.',
	description: 'What the message says',
};

/**
 * The text of a message, as it was written.
 *
 * @param name the field; n8n adds a field of its own for a human review
 * @param label the field's label in the editor
 * @throws NodeOperationError with the item's number where the value is an object or a list: customers would read
 * `[object Object]`
 */
export function readMessageText(
	{ caller }: Run,
	itemIndex: number,
	name = 'content',
	label = 'Text',
): string {
	const value: unknown = caller.getNodeParameter(name, itemIndex, '');
	const advice = adviceFor(value);
	if (advice === undefined) return textValue(value);
	const what = Array.isArray(value) ? 'a list' : 'an object';
	throw new NodeOperationError(
		caller.getNode(),
		`${label} is ${what}, and not a text [item ${itemIndex}]`,
		{ description: `Nothing was sent for this item. ${advice}`, itemIndex },
	);
}

/** What to choose in place of a value that is no text; undefined where the value can be written as a text. */
function adviceFor(value: unknown): string | undefined {
	if (Array.isArray(value)) {
		return 'Choose one entry of the list in the expression, such as {{ $json.names[0] }}, or join them, such as {{ $json.names.join(", ") }}.';
	}
	// Times are objects, too, and can be written.
	if (typeof value !== 'object' || value === null || !isUnwritable(value)) return undefined;
	const names = Object.keys(value).slice(0, MOST_NAMED).join(', ');
	const has = names === '' ? 'The object is empty.' : `The object has: ${names}.`;
	return `Choose one field of the object in the expression, such as {{ $json.customer.name }}. ${has}`;
}

function isUnwritable(value: object): boolean {
	try {
		return textValue(value).startsWith('[object ');
	} catch {
		return true;
	}
}
