import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A small picture. */
export const PICTURE = readFileSync(
	join(__dirname, '../../nodes/TwoWayMessaging/twoWayMessaging.svg'),
);
/** An item that holds the picture in the field `data`, under a name that is hard on headers. */
export const withPicture = () => [
	{
		json: {},
		binary: {
			data: {
				data: PICTURE.toString('base64'),
				mimeType: 'image/svg+xml',
				fileName: 'two "quotes"\r\nand a line.svg',
			},
		},
	},
];
