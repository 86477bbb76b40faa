import type { INodeProperties } from 'n8n-workflow';
import { toMessage } from '../../message';
import { downloadMedia, USUAL_MEGABYTES } from '../../service/downloadMedia';
import { binaryField, mediaUrlField, readMediaUrl } from '../../fields/mediaFields';
import {
	optionsField,
	readAmount,
	readCollection,
	readText,
	refusal,
} from '../../fields/readField';
import { inItsTurn, type Operation } from '../operation';

const outputField: INodeProperties = {
	...binaryField,
	displayName: 'Put Output File in Field',
	hint: 'The name of the output binary field to put the file in',
	description: 'Nodes that use a file look for it there, usually under the name data',
};

const largestFileOption: INodeProperties = {
	displayName: 'Largest File (Megabytes)',
	name: 'maxMegabytes',
	type: 'number',
	default: USUAL_MEGABYTES,
	typeOptions: { minValue: 0 },
	description: 'A larger file is not read to its end, and the item says so',
};

export const download: Operation = {
	value: 'download',
	name: 'Download',
	action: 'Download media',
	description: 'Get the picture or another file of a message, to look at it or to keep it',
	fields: [
		{
			...mediaUrlField,
			default: '={{ $json.media_url }}',
			description: 'URL of the file, which a message has in the field media_url',
		},
		outputField,
		optionsField([largestFileOption]),
	],

	read: inItsTurn(async (item) => {
		const { context } = item;
		const { message_handle: handle, media_url: media } = toMessage(
			context.getInputData()[item.itemIndex]?.json ?? {},
		);
		if (handle !== undefined && !media && !readText(item, mediaUrlField)) {
			item.notes.add(
				'This message has no picture. To go on only with those that have one, put a Filter before this node: media_url is not empty.',
			);
			return [{ json: { note: 'This message has no picture' } }];
		}
		const url = readMediaUrl(item);
		const name = readText(item, outputField) || 'data';
		const options = readCollection(item, 'options');
		const megabytes = readAmount(item, largestFileOption, options);
		const file = await downloadMedia(item, url, megabytes);
		if ('reason' in file) {
			const description = `Media URL was ${url.slice(0, 200)}`;
			throw refusal(item, { message: file.reason, description });
		}
		const { data, fileName, mimeType } = file;
		const binary = await context.helpers.prepareBinaryData(data, fileName, mimeType);
		const said = { media_url: url, file_name: fileName, mime_type: binary.mimeType };
		return [{ json: { ...said, size_bytes: data.length }, binary: { [name]: binary } }];
	}),
};
