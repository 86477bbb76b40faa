import type { INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { readText } from '../parameterValues';
import type { Run } from './run';

/** The field for the URL of a file. */
export const mediaUrlField: INodeProperties = {
	displayName: 'Media URL',
	name: 'mediaUrl',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. https://example.com/menu.jpg',
};

/**
 * The URL of a file.
 *
 * @throws NodeOperationError with the item's number where it is not a complete one
 */
export function readMediaUrl({ caller }: Run, itemIndex: number): string {
	const typed = readText(caller, 'mediaUrl', itemIndex);
	if (/^https?:\/\/\S+$/i.test(typed)) return typed;
	const message = typed === '' ? 'Media URL is empty' : 'Media URL is not a complete URL';
	throw new NodeOperationError(caller.getNode(), `${message} [item ${itemIndex}]`, {
		description:
			'Enter the URL of the file, beginning with https://. A message without a file has no URL to go by.',
		itemIndex,
	});
}
