import { NodeOperationError } from 'n8n-workflow';
import { choiceValue, shownValue } from '../parameterValues';
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
	{ caller }: Run,
	value: unknown,
	{ label, choices, fallback, itemIndex }: ChoiceField<Choice>,
): Choice {
	const choice = choiceValue(value, choices, fallback);
	if (choice !== undefined) return choice;
	const message = `${label} has no choice “${shownValue(value)}” [item ${itemIndex}]`;
	throw new NodeOperationError(caller.getNode(), message, {
		description: `Choose it from the list, or let the expression give one of these: ${choices.join(', ')}.`,
		itemIndex,
	});
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
	const written = typeof value === 'boolean' ? String(value) : value;
	const choices = ['true', 'false'] as const;
	return (
		readChoice(run, written, { label, choices, fallback: `${fallback}`, itemIndex }) === 'true'
	);
}
