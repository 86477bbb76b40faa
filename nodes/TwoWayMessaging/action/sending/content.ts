import type { INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { SendRequest } from '../../contract';
import { assertBinary, binaryField, mediaUrlField, readMediaUrl } from '../../fields/mediaFields';
import { choiceField, readChoice } from '../../fields/readField';
import type { Run } from '../../service/run';
import { isBlank, readMessageText, textField } from '../../fields/textField';

/** What a message says, as its fields say it. */
type Content = Pick<SendRequest, 'content' | 'media_url'> & {
	/** Whether the file in the item's binary field is sent along. */
	hasFile: boolean;
};

/** The field for the text of a message that may consist of media only. */
export const optionalTextField: INodeProperties = {
	...textField,
	description: 'What the message says. May stay empty when media is sent.',
};

const mediaField = choiceField({
	displayName: 'Media',
	name: 'media',
	type: 'options',
	default: 'none',
	description: 'A picture or another file to send along',
	options: [
		{ name: 'None', value: 'none', description: 'Only text' },
		{ name: 'From URL', value: 'url', description: 'A file that is on the web already' },
		{
			name: 'From Binary Field',
			value: 'binary',
			description: 'A file that an earlier node has read or downloaded',
		},
	],
});

/** The fields for media that is sent along. */
export const mediaFields: INodeProperties[] = [
	mediaField,
	{
		...mediaUrlField,
		displayOptions: { show: { media: ['url'] } },
		description: 'URL of the file. The service has to be able to open it.',
	},
	{ ...binaryField, displayOptions: { show: { media: ['binary'] } } },
];

/**
 * Reads the text and the media of an item.
 *
 * @throws NodeOperationError with the item's number, also where there is neither
 */
export function readContent(run: Run, itemIndex: number): Content {
	const { context } = run;
	const text = readMessageText(run, itemIndex);
	const media = readChoice(run, mediaField, itemIndex);
	const content: Content = { hasFile: media === 'binary' };
	if (!isBlank(text)) content.content = text;
	if (media === 'url') content.media_url = readMediaUrl(run, itemIndex);
	if (media === 'binary') assertBinary(run, itemIndex);
	if (content.content === undefined && media === 'none') {
		throw new NodeOperationError(context.getNode(), 'There is nothing to send', {
			description: 'Fill in Text, or choose a Media to send, or both.',
			itemIndex,
		});
	}
	return content;
}
