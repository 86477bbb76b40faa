import { NodeOperationError } from 'n8n-workflow';
import { idValue, shownValue } from '../parameterValues';
import type { Run } from './run';

/**
 * The ID that a field holds, without the spaces around it; an empty text where it is empty. A number counts.
 *
 * @param advice what to enter in place of a value that is none
 * @throws NodeOperationError with the item's number where the value is no ID: the service would be asked for
 * `[object Object]`
 */
export function readId(
	{ caller }: Run,
	value: unknown,
	{ label, advice, itemIndex }: { label: string; advice: string; itemIndex: number },
): string {
	const id = idValue(value);
	if (id !== undefined) return id;
	const message = `${label} is “${shownValue(value)}”, and not an ID [item ${itemIndex}]`;
	throw new NodeOperationError(caller.getNode(), message, { description: advice, itemIndex });
}
