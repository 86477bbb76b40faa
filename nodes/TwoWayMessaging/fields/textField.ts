import type { INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { lostValueIn, shownValue, textValue } from '../parameterValues';
import type { Run } from '../service/run';

/** Fields of an object, or entries of a list, that a message names at most. */
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

/** What no one sees: spaces, and characters that are nothing by themselves, such as U+200B. */
const BLANK = /^[\s\p{Default_Ignorable_Code_Point}\p{Control}\u2800]*$/u;

/** Whether a customer would see nothing of a text. */
export function isBlank(text: string): boolean {
	return BLANK.test(text);
}

/**
 * The text of a message, as it was written.
 *
 * @param name the field; n8n adds a field of its own for a human review
 * @param label the field's label in the editor
 * @throws NodeOperationError with the item's number where the value cannot be written for a customer
 */
export function readMessageText(
	run: Run,
	itemIndex: number,
	name = 'content',
	label = 'Text',
): string {
	return writeText(run, run.context.getNodeParameter(name, itemIndex, ''), { label, itemIndex });
}

/**
 * Writes a value that customers read.
 *
 * @throws NodeOperationError with the item's number where the value is an object, a list, or nothing that was meant, or
 * contains such: customers would read `[object Object]` or `Invalid DateTime`
 */
export function writeText(
	{ context }: Run,
	value: unknown,
	{ label, itemIndex }: { label: string; itemIndex: number },
): string {
	const fault = faultOf(value);
	if (!fault) return textValue(value);
	const message = fault.isPart
		? `${label} contains “${fault.what}”, and customers would read it [item ${itemIndex}]`
		: `${label} is ${fault.what}, and not a text [item ${itemIndex}]`;
	throw new NodeOperationError(context.getNode(), message, {
		description: `Nothing was sent for this item. ${fault.advice}`,
		itemIndex,
	});
}

/** What is wrong with a value or a part of its text, and what to choose in its place. */
type Fault = { what: string; advice: string; isPart?: boolean };

/** What comes of a date that cannot be read, and of an object. n8n may write it before the node gets it. */
const NOT_MEANT = /^\s*(?:Invalid Date(?:Time)?|\[object \w+\])\s*$/;

const CHOOSE_FIELD =
	'Choose one field of the object in the expression, such as {{ $json.customer.name }}.';

/** Why a value is no text for customers; undefined where it can be written as one. */
function faultOf(value: unknown): Fault | undefined {
	if (Array.isArray(value)) {
		const entries = value.slice(0, MOST_NAMED).map(shownValue).join(', ');
		return {
			what: 'a list',
			advice: `Choose one entry of the list in the expression, such as {{ $json.names[0] }}, or join them, such as {{ $json.names.join(", ") }}. ${value.length === 0 ? 'The list is empty.' : `The list has: ${entries}.`}`,
		};
	}
	const written = writtenValue(value);
	if (written === undefined || (typeof value !== 'string' && written.startsWith('[object '))) {
		const names = Object.keys(Object(value)).slice(0, MOST_NAMED).join(', ');
		const has = names === '' ? 'The object is empty.' : `The object has: ${names}.`;
		return { what: 'an object', advice: `${CHOOSE_FIELD} ${has}` };
	}
	const isMeant = typeof value === 'number' ? Number.isFinite(value) : !NOT_MEANT.test(written);
	// An error may come from another realm, as expressions have one of their own.
	if (!isMeant || Object.prototype.toString.call(value) === '[object Error]') {
		return {
			what: `“${shownValue(written)}”`,
			advice:
				'The expression gives this where it cannot make a text, for example of a date or a number that is missing or written in another way. Check the fields that it uses.',
		};
	}
	const lost = lostValueIn(written);
	if (lost === undefined) return undefined;
	return {
		what: lost,
		advice:
			lost === 'Invalid DateTime'
				? 'An expression in it gives this where a date is missing or written in another way. Check the fields that it uses.'
				: `An expression in it gives an object. ${CHOOSE_FIELD}`,
		isPart: true,
	};
}

/** Times are objects, too, and can be written; an object without a prototype cannot. */
function writtenValue(value: unknown): string | undefined {
	try {
		return textValue(value);
	} catch {
		return undefined;
	}
}
