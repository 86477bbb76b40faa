import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A small picture. */
export const PICTURE = readFileSync(
	join(__dirname, '../../nodes/TwoWayMessaging/twoWayMessaging.svg'),
);

/** The smallest picture that a browser shows: one pixel. */
export const PNG = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
	'base64',
);

/** Makes an item with the picture in the field `data`. Its file name needs escaping in a header. */
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
