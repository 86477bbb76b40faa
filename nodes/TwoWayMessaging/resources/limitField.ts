import type { INodeProperties } from 'n8n-workflow';
import { readAmount } from './amountField';
import type { Run } from './run';

/** The field for how many results there may be. */
export const limitField: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
};

/**
 * How many results there may be.
 *
 * @throws NodeOperationError with the item's number where the field is no number from zero up
 */
export function readLimit(
	run: Run,
	itemIndex: number,
	fallback = Number(limitField.default),
): number {
	const { displayName: label, name } = limitField;
	const value: unknown = run.caller.getNodeParameter(name, itemIndex, fallback);
	return readAmount(run, value, { label, fallback, itemIndex });
}
