import type { INodeProperties } from 'n8n-workflow';

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
