import type { INodeProperties } from 'n8n-workflow';

/** The field for the text of a message. */
export const textField: INodeProperties = {
	displayName: 'Text',
	name: 'content',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	placeholder: 'e.g. Hi Anna, your order is ready.',
	description: 'What the message says',
};
