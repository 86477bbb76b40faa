import { NodeOperationError } from 'n8n-workflow';
import { choiceValue, shownValue, switchValue } from '../parameterValues';
import type { Run } from './run';

/** A field with values to choose from, and the value that it has where an expression gives none. */
type ChoiceField<Choice> = {
	label: string;
	choices: readonly Choice[];
	fallback: Choice;
	itemIndex: number;
};

/**
 * The choice that a field holds:
 *
 * ```ts
 * readChoice(run, 'URL', { label: 'Media', choices: ['none', 'url'], fallback: 'none', itemIndex }); // 'url'
 * ```
 *
 * @throws NodeOperationError with the item's number where the value is none of the choices: whoever chose something must
 * not get something else
 */
export function readChoice<Choice extends string>(
	run: Run,
	value: unknown,
	field: ChoiceField<Choice>,
): Choice {
	const choice = choiceValue(value, field.choices, field.fallback);
	if (choice === undefined) throw noChoice(run, value, field);
	return choice;
}

/**
 * Whether a field is switched on. A text that says `true` or `false` counts.
 *
 * @throws NodeOperationError with the item's number where the value is neither
 */
export function readSwitch(
	run: Run,
	value: unknown,
	{ label, fallback, itemIndex }: { label: string; fallback: boolean; itemIndex: number },
): boolean {
	const isOn = switchValue(value, fallback);
	if (isOn === undefined) throw noChoice(run, value, { label, choices: SWITCHED, itemIndex });
	return isOn;
}

const SWITCHED = ['true', 'false'];

function noChoice(
	{ caller }: Run,
	value: unknown,
	{ label, choices, itemIndex }: Pick<ChoiceField<string>, 'label' | 'choices' | 'itemIndex'>,
): NodeOperationError {
	const message = `${label} has no choice “${shownValue(value)}” [item ${itemIndex}]`;
	return new NodeOperationError(caller.getNode(), message, {
		description: `Choose it from the list, or let the expression give one of these: ${choices.join(', ')}.`,
		itemIndex,
	});
}
