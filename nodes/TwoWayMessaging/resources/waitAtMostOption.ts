import type { INodeProperties } from 'n8n-workflow';
import type { Fields } from '../message';
import { readAmount } from './amountField';
import type { Run } from './run';

/** How long to wait unless the option says otherwise. */
export const DEFAULT_WAIT_SECONDS = 60;

/** The option that limits how long an operation waits. */
export const waitAtMostOption: INodeProperties = {
	displayName: 'Wait at Most (Seconds)',
	name: 'waitSeconds',
	type: 'number',
	default: DEFAULT_WAIT_SECONDS,
	typeOptions: { minValue: 1 },
	description:
		'When to continue even though the message has not come that far. The item then shows the last known status.',
};

/**
 * How long to wait at most, in milliseconds.
 *
 * @throws NodeOperationError with the item's number where the option is no number from zero up
 */
export function readWaitAtMostMs(
	run: Run,
	{ waitSeconds }: Fields,
	itemIndex: number,
	fallback = DEFAULT_WAIT_SECONDS,
): number {
	const { displayName: label } = waitAtMostOption;
	return readAmount(run, waitSeconds, { label, fallback, itemIndex }) * 1_000;
}
