import type { INodeProperties } from 'n8n-workflow';
import { isFields } from '../message';
import { isExpression, shownValue, textValue } from '../parameterValues';
import type { Item } from '../service/request';
import { refusal, valueOf } from './readField';

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

/** The text of a message, as it was written. What cannot be written for a customer is refused. */
export function readMessageText(item: Item, field: INodeProperties = textField): string {
	const { name, displayName: label } = field;
	const text = writeText(item, valueOf(item, field), label);
	const written = item.context.getNode().parameters[name];
	if (!isExpression(written) || !JOINS.test(written)) return text;
	// Whoever types such a word means it.
	const typed = written
		.split('}}')
		.flatMap((part): string[] => part.split('{{')[0]?.match(MISSING_VALUE) ?? []);
	const missing = text.match(MISSING_VALUE)?.find((word) => !typed.includes(word));
	if (missing === undefined) return text;
	throw refusal(item, contains(label, missing));
}

/** What JavaScript writes in place of a value that is missing. */
const MISSING_VALUE = /(?<![\p{L}\p{N}_])(?:undefined|null|NaN)(?![\p{L}\p{N}_])/gu;

/** What joins values to a text within an expression. Without it n8n writes the text of a field as it is, and nothing of none. */
const JOINS = /\+|\$\{|\b(?:String|concat|replace|replaceAll)\(/;

/**
 * Writes a value that customers read. An object, a list or nothing that was meant, and what contains such, is refused:
 * customers would read `[object Object]` or `Invalid DateTime`.
 */
export function writeText(item: Item, value: unknown, label: string): string {
	if (typeof value === 'string' && !LOST.test(value)) return value;
	const isList = Array.isArray(value);
	// Times are objects, too, and can be written.
	if (isList || (isFields(value) && shownValue(value).startsWith('{'))) {
		throw refusal(item, {
			message: `${label} is ${isList ? 'a list' : 'an object'}, and not a text`,
			description: `Nothing was sent for this item. ${isList ? CHOOSE.list : CHOOSE.object}`,
		});
	}
	const written = textValue(value);
	const isNoNumber = typeof value === 'number' && !Number.isFinite(value);
	const lost = isNoNumber ? written : LOST.exec(written)?.[0];
	if (lost === undefined) return written;
	throw refusal(item, contains(label, lost));
}

/** What JavaScript and n8n write in place of an object, or of a date that cannot be read. */
const LOST = /\[object \w+\]|Invalid DateTime|^\s*Invalid Date\s*$/;

const CHOOSE = {
	list: 'Choose one entry of the list in the expression, such as {{ $json.names[0] }}, or join them, such as {{ $json.names.join(", ") }}.',
	object: 'Choose one field of the object in the expression, such as {{ $json.customer.name }}.',
};

const contains = (label: string, lost: string) => ({
	message: `${label} contains “${lost.trim()}”, and customers would read it`,
	description:
		'Nothing was sent for this item. Check the fields in the expression: one is missing, or is an object, a date or a number that cannot be read.',
});
