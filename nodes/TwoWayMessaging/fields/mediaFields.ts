import type { INodeProperties } from 'n8n-workflow';
import { shownValue } from '../parameterValues';
import type { Item } from '../service/request';
import { uploadMedia } from '../service/uploadMedia';
import { readText, refusal, valueOf } from './readField';

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

/**
 * The URL of a file.
 *
 * @throws NodeOperationError where it is not a complete one, or a list of several
 */
export function readMediaUrl(item: Item): string {
	const typed = readText(item, mediaUrlField);
	const value = valueOf(item, mediaUrlField);
	const isOne = !Array.isArray(value) || value.length === 1;
	if (isOne && WEB_URL.test(typed) && URL.canParse(typed)) return typed;
	const is = typed === '' ? 'is empty' : `“${shownValue(typed)}” is not a complete URL`;
	throw refusal(item, {
		message: `Media URL ${is}`,
		description:
			'Enter the URL of one file, beginning with https:// or http://. To leave out messages without a file, put a Filter before this node: media_url is not empty.',
	});
}

export const binaryField: INodeProperties = {
	displayName: 'Input Binary Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	required: true,
	placeholder: 'e.g. data',
	hint: 'The name of the input field that contains the file',
	description: 'Nodes that read or download a file put it there, usually under the name data',
};

/**
 * Makes sure that an item has its file.
 *
 * @returns the name of its binary data, and what n8n knows of it
 * @throws NodeOperationError when the item has no file
 */
export function assertBinary(item: Item) {
	const name = readText(item, binaryField);
	return { name, ...item.context.helpers.assertBinaryData(item.itemIndex, name) };
}

/**
 * Uploads the file of an item.
 *
 * @returns the URL of the file at the service
 * @throws NodeOperationError when the item has no file, NodeApiError when the service refuses it
 */
export async function uploadBinary(item: Item): Promise<string> {
	const { name, fileExtension, mimeType, ...file } = assertBinary(item);
	const bytes = await item.context.helpers.getBinaryDataBuffer(item.itemIndex, name);
	const fileName = file.fileName ?? (fileExtension ? `file.${fileExtension}` : 'file');
	return await uploadMedia(item, {
		bytes,
		fileName,
		mimeType: mimeType || 'application/octet-stream',
	});
}
