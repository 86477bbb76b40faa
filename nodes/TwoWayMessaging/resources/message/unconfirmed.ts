import type { INodeProperties } from 'n8n-workflow';

/** The option for a message whose answer was lost and that the history does not show. */
export const unconfirmedOption: INodeProperties = {
	displayName: 'If Not Confirmed',
	name: 'ifUnconfirmed',
	type: 'options',
	default: 'fail',
	description:
		'What to do when the connection breaks before the service confirms the message, and its history does not show it',
	options: [
		{
			name: 'Send Once More',
			value: 'sendAgain',
			description: 'The customer gets it for sure, in rare cases twice',
		},
		{
			name: 'Stop and Say Why',
			value: 'fail',
			description: 'The customer never gets it twice, and you decide',
		},
	],
};
