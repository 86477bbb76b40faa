import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { readText } from '../parameterValues';
import { uploadMedia } from '../transport/uploadMedia';
import type { Run } from './run';

/** The field that names the binary data of an item. */
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
 * @throws NodeOperationError when the item has no file
 */
export function assertBinary({ caller }: Run, itemIndex: number): void {
	caller.helpers.assertBinaryData(itemIndex, readBinaryName(caller, itemIndex));
}

/**
 * Uploads the file of an item.
 *
 * @returns the URL of the file at the service
 * @throws NodeOperationError when the item has no file, NodeApiError when the service refuses it
 */
export async function uploadBinary(run: Run, itemIndex: number): Promise<string> {
	const { caller } = run;
	const name = readBinaryName(caller, itemIndex);
	const { fileName, fileExtension, mimeType } = caller.helpers.assertBinaryData(itemIndex, name);
	const bytes = await caller.helpers.getBinaryDataBuffer(itemIndex, name);
	const usualName = fileExtension ? `file.${fileExtension}` : 'file';
	return await uploadMedia(
		await run.connection(),
		{ bytes, fileName: fileName ?? usualName, mimeType: mimeType || 'application/octet-stream' },
		itemIndex,
	);
}

const readBinaryName = (caller: IExecuteFunctions, itemIndex: number): string =>
	readText(caller, 'binaryPropertyName', itemIndex, 'data');
