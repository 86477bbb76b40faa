import type { INodeProperties } from 'n8n-workflow';
import type { Fields } from '../../message';
import { readChoice } from '../choiceField';
import type { Run } from '../run';

/** The option for a customer who has opted out (§1.5). Without it, the refusal stops the node. */
export const ifOptedOutOption: INodeProperties = {
	displayName: 'If Opted Out',
	name: 'ifOptedOut',
	type: 'options',
	// Who adds an option wants its effect, so it arrives with one.
	default: 'skip',
	description: 'What to do when the customer has replied STOP',
	options: [
		{
			name: 'Skip',
			value: 'skip',
			description: 'Send nothing, and output an item with the status SKIPPED',
		},
		{
			name: 'Stop and Say Why',
			value: 'fail',
			description: 'Treat it like every other refusal',
		},
	],
};

/**
 * Whether a message to a customer who has opted out is skipped.
 *
 * @throws NodeOperationError with the item's number
 */
export function readSkipsOptedOut(run: Run, { ifOptedOut }: Fields, itemIndex: number): boolean {
	const choices = ['fail', 'skip'] as const;
	const field = { label: 'If Opted Out', choices, fallback: 'fail', itemIndex } as const;
	return readChoice(run, ifOptedOut, field) === 'skip';
}
