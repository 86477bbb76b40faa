import { isExpression, type INodeProperties } from 'n8n-workflow';
import { lostValueIn, shownValue, textValue } from '../parameterValues';
import type { Run } from '../service/run';
import { refusal } from './readField';

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
	const { context } = run;
	const text = writeText(run, context.getNodeParameter(name, itemIndex, ''), { label, itemIndex });
	const field = context.getNode().parameters[name];
	if (!isExpression(field)) return text;
	const item = context.getInputData()[itemIndex]?.json;
	const missing = missingValueIn(text, field, Object.values(item ?? {}));
	if (missing === undefined) return text;
	const advice =
		'An expression in it gives this where a field is missing or is no number. Check the fields that it uses.';
	throw refusal(run, itemIndex, wordsFor(label, { what: missing, advice, isPart: true }));
}

/** What JavaScript writes in place of a value that is missing. */
const MISSING_VALUE = /(?<![\p{L}\p{N}_])(?:undefined|null|NaN)(?![\p{L}\p{N}_])/gu;

/** What joins values to a text within an expression. Without it n8n writes the text of a field as it is, and nothing of none. */
const JOINS = /\+|\$\{|\b(?:String|concat|replace|replaceAll)\(/;

/**
 * What an expression has written in place of a value that is missing; undefined where it has not. Whoever types such a word,
 * or has it in a field of the item, means it.
 */
function missingValueIn(text: string, field: string, values: unknown[]): string | undefined {
	const [typed = '', ...more] = field.split('{{');
	const parts = more.map((part) => part.split('}}'));
	if (!parts.some(([expression = '']) => JOINS.test(expression))) return undefined;
	const texts = values.filter((value) => typeof value === 'string');
	const meant = [typed, ...parts.flatMap(([, ...rest]) => rest), ...texts];
	const found = text.match(MISSING_VALUE) ?? [];
	return found.find((word) => !meant.some((words) => words.includes(word)));
}

/**
 * Writes a value that customers read.
 *
 * @throws NodeOperationError with the item's number where the value is an object, a list, or nothing that was meant, or
 * contains such: customers would read `[object Object]` or `Invalid DateTime`
 */
export function writeText(
	run: Run,
	value: unknown,
	{ label, itemIndex }: { label: string; itemIndex: number },
): string {
	const fault = faultOf(value);
	if (fault) throw refusal(run, itemIndex, wordsFor(label, fault));
	return textValue(value);
}

/** What is said of a value that customers would read. */
const wordsFor = (label: string, { what, advice, isPart }: Fault) => ({
	message: isPart
		? `${label} contains “${what}”, and customers would read it`
		: `${label} is ${what}, and not a text`,
	description: `Nothing was sent for this item. ${advice}`,
});

/** What is wrong with a value or a part of its text, and what to choose in its place. */
type Fault = { what: string; advice: string; isPart?: boolean };

/** What comes of a date that cannot be read, and of an object. n8n may write it before the node gets it. */
const NOT_MEANT = /^\s*(?:Invalid Date(?:Time)?|\[object \w+\])\s*$/;

const CHOOSE_FIELD =
	'Choose one field of the object in the expression, such as {{ $json.customer.name }}.';

/** Why a value is no text for customers; undefined where it can be written as one. */
function faultOf(value: unknown): Fault | undefined {
	if (typeof value === 'string' && !/\[object |Invalid Date/.test(value)) return undefined;
	if (Array.isArray(value)) {
		const entries = value.slice(0, MOST_NAMED).map(shownValue).join(', ');
		return {
			what: 'a list',
			advice: `Choose one entry of the list in the expression, such as {{ $json.names[0] }}, or join them, such as {{ $json.names.join(", ") }}. ${value.length === 0 ? 'The list is empty.' : `The list has: ${entries}.`}`,
		};
	}
	let written: string | undefined;
	try {
		written = textValue(value);
	} catch {
		// Times are objects, too, and can be written; an object without a prototype cannot.
	}
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
