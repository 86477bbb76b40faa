import type { INodeProperties } from 'n8n-workflow';
import type { Fields } from '../../message';
import { readChoice } from '../choiceField';
import type { Run } from '../run';

/** What to do about a message that the service has not confirmed: say so, or send it once more. */
export type IfUnconfirmed = 'fail' | 'sendAgain';

/** The option for a message whose answer was lost and that the history does not show. */
export const ifUnconfirmedOption: INodeProperties = {
	displayName: 'If Not Confirmed',
	name: 'ifUnconfirmed',
	type: 'options',
	// This option alone arrives without an effect: a customer may get a message twice only if a person chose that.
	default: 'fail',
	description:
		'What to do when the connection breaks before the service confirms the message, and the history does not show the message',
	options: [
		{
			name: 'Send Once More',
			value: 'sendAgain',
			description: 'In rare cases the customer gets the message twice',
		},
		{
			name: 'Stop and Say Why',
			value: 'fail',
			description: 'The customer never gets the message twice, and you decide what to do',
		},
	],
};

/** @throws NodeOperationError with the item's number */
export function readIfUnconfirmed(
	run: Run,
	{ ifUnconfirmed }: Fields,
	itemIndex: number,
): IfUnconfirmed {
	return readChoice(run, ifUnconfirmed, {
		label: 'If Not Confirmed',
		choices: ['fail', 'sendAgain'],
		fallback: 'fail',
		itemIndex,
	});
}
