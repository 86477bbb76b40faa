import type { INodeProperties } from 'n8n-workflow';
import { uploadMedia } from '../transport/media';
import type { Run } from './run';

/** The field that names the binary data of an item. */
export const binaryField: INodeProperties = {
	displayName: 'Input Binary Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	required: true,
	placeholder: 'e.g. data',
	hint: 'The name of the input field that holds the file',
	description: 'Nodes that read or download a file put it there, usually under the name data',
};

/**
 * Uploads the file that an item holds.
 *
 * @returns its address at the service
 * @throws NodeOperationError when the item holds no file, NodeApiError when it is refused
 */
export async function uploadBinary(run: Run, itemIndex: number): Promise<string> {
	const { caller } = run;
	const name = String(
		caller.getNodeParameter('binaryPropertyName', itemIndex, 'data') ?? '',
	).trim();
	const { fileName, fileExtension, mimeType } = caller.helpers.assertBinaryData(itemIndex, name);
	const bytes = await caller.helpers.getBinaryDataBuffer(itemIndex, name);
	const usualName = fileExtension ? `file.${fileExtension}` : 'file';
	return await uploadMedia(
		await run.connection(),
		{ bytes, fileName: fileName ?? usualName, mimeType: mimeType || 'application/octet-stream' },
		itemIndex,
	);
}
