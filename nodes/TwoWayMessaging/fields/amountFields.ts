import type { INodeProperties } from 'n8n-workflow';

/** The field for how many results there may be. */
export const limitField: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
};

/** The option that limits how long an operation waits. */
export const waitAtMostOption: INodeProperties = {
	displayName: 'Wait at Most (Seconds)',
	name: 'waitSeconds',
	type: 'number',
	default: 60,
	typeOptions: { minValue: 1 },
	description:
		'When to continue even though the message has not come that far. The item then shows the last known status.',
};
