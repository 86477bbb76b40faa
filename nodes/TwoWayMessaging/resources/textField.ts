import type { INodeProperties } from 'n8n-workflow';

/** The field for the text of a message. */
export function textField(
	more: Required<Pick<INodeProperties, 'placeholder' | 'description'>> & Partial<INodeProperties>,
): INodeProperties {
	return {
		displayName: 'Text',
		name: 'content',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		...more,
	};
}
