import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';
import { PREFIXES } from '../contract';
import { bareHandle, handleText, isFields } from '../message';
import { isExpression, shownValue, textValue } from '../parameterValues';
import { isSameNumber, toE164 } from '../phoneNumber';
import type { ProcessMemory } from '../processMemory';
import { linesOf, readLines, type LineFields } from '../service/lines';
import { connect, type Item, type Run } from '../service/request';
import { refusal, valueOf } from './readField';

/** The first entry of the list where any active line may send (§2.1). */
const ANY_LINE = 'Any active line';

/** The operations that ask for a line, and send nothing. */
const READING = ['get', 'getConversation'];

/**
 * A field that chooses a line: from the list, by its ID or by its number.
 *
 * @param placeholder what the list shows where no line is chosen
 */
export const lineFieldWith = (placeholder: string, description: string): INodeProperties => ({
	displayName: 'Line',
	name: 'line',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description,
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder,
			typeOptions: { searchListMethod: 'searchLines' },
		},
		{
			displayName: 'ID',
			name: 'handle',
			type: 'string',
			placeholder: 'e.g. 2f1f9d0c-6b0e-4a57-…',
			hint: 'The field line_handle of an event or a message',
		},
		{
			displayName: 'Number',
			name: 'number',
			type: 'string',
			placeholder: 'e.g. +15550100001',
		},
	],
});

/** The field that may choose a line to send from. Without a choice, any active line sends (§2.1). */
export const anyLineField = lineFieldWith(
	ANY_LINE,
	'The line to send from, which is the number the customer sees and replies to',
);

/**
 * The ID of the line that an item chooses (§2.1).
 *
 * @returns undefined when the item chooses no line
 * @throws NodeApiError or NodeOperationError when the item names a number that no line has, or its value is no line
 */
export async function readChosenLine(item: Item): Promise<string | undefined> {
	const { context } = item;
	const { mode, value } = locatorIn(valueOf(item, anyLineField));
	const field = locatorIn(context.getNode().parameters[anyLineField.name]).value;
	const entered = handleText(value)?.trim();
	if (!entered) {
		const isEmpty = typeof (value ?? '') === 'string';
		if (isEmpty && !isExpression(field)) return undefined;
		const is = isEmpty ? 'empty' : `“${shownValue(value)}”, and neither an ID nor a number`;
		throw refusal(item, {
			message: `Line is ${is}`,
			description:
				'Choose one field of the line in the expression, such as {{ $json.line_handle }}, or choose the line From List.',
		});
	}
	// Whoever drags a message's number into the field gets the mode ID, as the editor chooses it.
	if (mode !== 'number' && toE164(entered) === undefined) {
		return bareHandle(entered, PREFIXES.line);
	}
	const lines = await linesOf(item);
	const line = lines.find(({ number }) => number && isSameNumber(textValue(number), entered));
	if (line) return line.line_handle;
	throw lineNotFound(item, `the number ${shownValue(entered)}`);
}

/** Whether the node sends every item from the same line, or from any, as its field Line is no expression. */
export function isLineOfNode({ context }: Run): boolean {
	const { [anyLineField.name]: field } = context.getNode().parameters;
	return field !== undefined && !isExpression(locatorIn(field).value);
}

/** What the field holds. A workflow that was not made in the editor may have a plain text there. */
function locatorIn(field: unknown): { mode?: unknown; value?: unknown } {
	const isLocator = isFields(field) && ('value' in field || Object.keys(field).length === 0);
	return isLocator ? field : { value: field };
}

export const lineNotFound = (item: Item, what: string) =>
	refusal(isLineOfNode(item) ? { ...item, itemIndex: undefined } : item, {
		message: `No line of yours has ${what}`,
		description: "Choose one under Line 'From List', which shows every line of the credential.",
	});

/**
 * The lines to pick from: label and number. n8n keeps the name of the line that a person picks for good, so it names nothing that
 * changes, such as a block. The list shows nothing but names.
 *
 * @throws NodeApiError, which the list shows
 */
export async function searchLines(
	context: ILoadOptionsFunctions,
	memory: ProcessMemory,
): Promise<INodeListSearchResult> {
	const lines = await readLines(await connect(context, memory));
	const results = lines.map((line) => ({
		name: nameOf(line),
		value: line.line_handle,
	}));
	// Where a message leaves from a line, no choice is one, too (§2.1).
	const isToSend = !READING.includes(String(context.getCurrentNodeParameter('operation')));
	return { results: isToSend ? [{ name: ANY_LINE, value: '' }, ...results] : results };
}

/**
 * The lines to filter events by. A value contains the line's ID and its number: one form of events names only the number
 * (§6.3), and there is no time to ask the service when an event comes.
 *
 * @throws NodeApiError, which the list shows
 */
export async function loadLineOptions(
	context: ILoadOptionsFunctions,
	memory: ProcessMemory,
): Promise<INodePropertyOptions[]> {
	const lines = await readLines(await connect(context, memory));
	return lines.map((line) => ({
		name: nameOf(line),
		value: [line.line_handle, line.number].filter(Boolean).join(' '),
	}));
}

/** What a line is called in the lists, and for people. */
export const nameOf = (line: LineFields): string =>
	[line.label, line.number].filter(Boolean).join(' · ') || line.line_handle;
