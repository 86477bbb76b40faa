import { binaryField, uploadBinary } from '../../fields/mediaFields';
import { inItsTurn, type Operation } from '../operation';

/** Uploads a file for later messages (§4.8). */
export const upload: Operation = {
	value: 'upload',
	name: 'Upload',
	action: 'Upload media',
	description: 'Upload a picture or another file once, to send it in as many messages as you like',
	fields: [binaryField],

	read: inItsTurn(async (item) => {
		return [{ json: { media_url: await uploadBinary(item) } }];
	}),
};
