import type { INodeProperties } from 'n8n-workflow';
import { readText, shownValue } from '../parameterValues';
import type { Run } from '../service/run';
import { uploadMedia } from '../service/uploadMedia';
import { refusal } from './readField';

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
 * @throws NodeOperationError with the item's number where it is not a complete one, or a list of several
 */
export function readMediaUrl(run: Run, itemIndex: number): string {
	const typed = readText(run.context, mediaUrlField.name, itemIndex);
	const value: unknown = run.context.getNodeParameter(mediaUrlField.name, itemIndex, '');
	const isOne = !Array.isArray(value) || value.length === 1;
	if (isOne && WEB_URL.test(typed) && URL.canParse(typed)) return typed;
	const is = typed === '' ? 'is empty' : `“${shownValue(typed)}” is not a complete URL`;
	throw refusal(run, itemIndex, {
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
export function assertBinary({ context }: Run, itemIndex: number) {
	const name = readText(context, binaryField.name, itemIndex, 'data');
	return { name, ...context.helpers.assertBinaryData(itemIndex, name) };
}

/**
 * Uploads the file of an item.
 *
 * @returns the URL of the file at the service
 * @throws NodeOperationError when the item has no file, NodeApiError when the service refuses it
 */
export async function uploadBinary(run: Run, itemIndex: number): Promise<string> {
	const { name, fileExtension, mimeType, ...file } = assertBinary(run, itemIndex);
	const bytes = await run.context.helpers.getBinaryDataBuffer(itemIndex, name);
	const fileName = file.fileName ?? (fileExtension ? `file.${fileExtension}` : 'file');
	return await uploadMedia(
		await run.connection(),
		{ bytes, fileName, mimeType: mimeType || 'application/octet-stream' },
		itemIndex,
	);
}
