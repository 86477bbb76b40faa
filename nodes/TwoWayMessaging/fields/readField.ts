import { NodeOperationError, type INodeProperties, type INodePropertyOptions } from 'n8n-workflow';
import { handleText, isFields, type Fields } from '../message';
import { amountValue, choiceValue, shownValue, switchValue, textValue } from '../parameterValues';
import type { Explanation } from '../service/credential';
import type { Item, Run } from '../service/request';

/*
 * The readers of fields. Each is given the field itself, so that its label, choices and default stand once. A person may
 * put an expression into any field; whoever chose something must not get something else, so a value that is none of the
 * field's is refused, by a NodeOperationError with the item's number.
 *
 * A field of a collection, such as Options, is read `within` it. Where nobody has added it, it is `absent`.
 */

type ChoiceField<Choice extends string> = Omit<INodeProperties, 'options'> & {
	options: Array<INodePropertyOptions & { value: Choice }>;
};

/** The field, with its choices as a type. */
export const choiceField = <Choice extends string>(
	field: ChoiceField<Choice>,
): ChoiceField<Choice> => field;

/** The choice that a field holds, in upper or lower case. */
export function readChoice<Choice extends string>(
	item: Item,
	field: ChoiceField<Choice>,
	within?: Fields,
	absent = field.default as Choice,
): Choice {
	const value = valueOf(item, field, within);
	const choices = field.options.map((option) => option.value);
	const choice = choiceValue(value, choices, absent);
	if (choice !== undefined) return choice;
	throw refusal(item, noChoice(field, value, choices));
}

const noChoice = ({ displayName }: { displayName: string }, value: unknown, choices: string[]) => ({
	message: `${displayName} has no choice “${shownValue(value)}”`,
	description: `Choose it from the list, or let the expression give one of these: ${choices.join(', ')}.`,
});

/** Whether a field is switched on. A text that says `true` or `false` counts. */
export function readSwitch(
	item: Item,
	field: INodeProperties,
	within?: Fields,
	absent = field.default as boolean,
): boolean {
	const value = valueOf(item, field, within);
	const isOn = switchValue(value, absent);
	if (isOn !== undefined) return isOn;
	throw refusal(item, noChoice(field, value, ['true', 'false']));
}

/** The amount that a field holds. A text of digits counts, and so does any number from zero up. */
export function readAmount(item: Item, field: INodeProperties, within?: Fields): number {
	const value = valueOf(item, field, within);
	const usual = Number(field.default);
	const isEmpty = typeof value === 'string' && value.trim() === '';
	if (isEmpty || value === undefined || value === null) return usual;
	const amount = amountValue(value, Number.NaN);
	if (!Number.isNaN(amount)) return amount;
	throw refusal(item, {
		message: `${field.displayName} is “${shownValue(value)}”, and not a number from 0 up`,
		description: `Enter a number, or let the expression give one. Where the field is left empty, it counts as ${usual}.`,
	});
}

/** The ID that a field holds, without the spaces around it. A number counts; an empty field is refused, too, with the advice. */
export function readId(item: Item, field: INodeProperties, advice: string, within?: Fields) {
	const value = valueOf(item, field, within);
	const id = handleText(value)?.trim();
	if (id) return id;
	const is = typeof (value ?? '') === 'string' ? 'empty' : `“${shownValue(value)}”, and not an ID`;
	throw refusal(item, { message: `${field.displayName} is ${is}`, description: advice });
}

/** What a field holds, of whatever type. */
export function valueOf(
	{ context, itemIndex }: Item,
	{ name, default: usual }: Pick<INodeProperties, 'name' | 'default'>,
	within?: Fields,
): unknown {
	return within ? within[name] : context.getNodeParameter(name, itemIndex, usual);
}

/** The text of a field, without the spaces around it. */
export function readText(item: Item, field: INodeProperties): string {
	return textValue(valueOf(item, field)).trim();
}

/** What a person has added to a collection, by the names of its fields. */
export function readCollection(item: Item, name: 'options' | 'filters'): Fields {
	const value = valueOf(item, { name, default: {} });
	return isFields(value) ? value : {};
}

/** The error for an item whose value cannot be used; without an item, for what every item would meet. */
export function refusal(
	{ context, itemIndex }: Run,
	{ message, description }: Explanation,
): NodeOperationError {
	return new NodeOperationError(context.getNode(), message, { description, itemIndex });
}

const collection =
	(displayName: string, placeholder: string) =>
	(options: INodeProperties[]): INodeProperties => ({
		displayName,
		name: displayName.toLowerCase(),
		type: 'collection',
		placeholder,
		default: {},
		options,
	});

export const optionsField = collection('Options', 'Add Option');

export const filtersField = collection('Filters', 'Add Filter');

export const limitField: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
};

export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

export const waitAtMostOption: INodeProperties = {
	displayName: 'Wait at Most (Seconds)',
	name: 'waitSeconds',
	type: 'number',
	default: 60,
	typeOptions: { minValue: 1 },
	description:
		'When to continue even though what Wait For waits for has not come. The item then shows the last known status.',
};
