import { NodeOperationError } from 'n8n-workflow';
import { amountValue, shownValue } from '../parameterValues';
import type { Run } from './run';

/**
 * The amount that a field holds; the fallback where it is empty. A text of digits counts:
 *
 * ```ts
 * readAmount(run, '20', { label: 'Limit', fallback: 50, itemIndex }); // 20
 * ```
 *
 * @throws NodeOperationError with the item's number where the value is no number from zero up: whoever chose an amount must
 * not get another one
 */
export function readAmount(
	{ caller }: Run,
	value: unknown,
	{ label, fallback, itemIndex }: { label: string; fallback: number; itemIndex: number },
): number {
	const isEmpty = value === undefined || value === null;
	if (isEmpty || (typeof value === 'string' && value.trim() === '')) return fallback;
	const amount = amountValue(value, Number.NaN);
	if (!Number.isNaN(amount)) return amount;
	const message = `${label} is “${shownValue(value)}”, and not a number from 0 up [item ${itemIndex}]`;
	throw new NodeOperationError(caller.getNode(), message, {
		description: `Enter a number, or let the expression give one. Where the field is left empty, it counts as ${fallback}.`,
		itemIndex,
	});
}
