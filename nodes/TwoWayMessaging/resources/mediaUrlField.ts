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

/** A URL of the web whose host stands where it belongs; without one, the first part of the path would become the host. */
const WEB_URL = /^https?:\/\/[^\s/\\?#]\S*$/i;

/** Characters of a value that a message shows. */
const LONGEST_SHOWN = 100;

/**
 * The URL of a file.
 *
 * @throws NodeOperationError with the item's number where it is not a complete one, or a list of several
 */
export function readMediaUrl({ caller }: Run, itemIndex: number): string {
	const typed = readText(caller, 'mediaUrl', itemIndex);
	const value: unknown = caller.getNodeParameter('mediaUrl', itemIndex, '');
	const isList = Array.isArray(value) && value.length > 1;
	if (!isList && WEB_URL.test(typed) && URL.canParse(typed)) return typed;
	const { message, description } = isList ? LIST_OF_URLS : wordsFor(typed);
	const words = `${message} [item ${itemIndex}]`;
	throw new NodeOperationError(caller.getNode(), words, { description, itemIndex });
}

const LIST_OF_URLS = {
	message: 'Media URL is a list, and not one URL',
	description:
		'A message has one file. Choose one entry of the list in the expression, such as {{ $json.urls[0] }}.',
};

function wordsFor(typed: string) {
	return {
		message:
			typed === ''
				? 'Media URL is empty'
				: `Media URL “${typed.slice(0, LONGEST_SHOWN)}” is not a complete URL`,
		description:
			'Enter the URL of the file, beginning with https:// or http://. A message without a file has no URL to go by.',
	};
}
