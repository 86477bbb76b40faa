import type { INodeProperties } from 'n8n-workflow';

/** The option for a customer who has opted out (§1.5). */
export const ifOptedOutOption: INodeProperties = {
	displayName: 'If Opted Out',
	name: 'ifOptedOut',
	type: 'options',
	default: 'fail',
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
