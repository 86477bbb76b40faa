import { withBuilderHint } from '../../n8n/laterDescription';
import type { ListOperation, Run } from '../run';
import { mediaFields, optionalTextField, readContent, uploadContent } from './messageContent';
import { findReplyAddress } from './replyAddress';
import { refuseUnusableLine } from './refuseUnusableLine';
import { readMessage, type MakeRequest } from './sendOnce';
import { sendOptions } from './sendOptions';

/** Answers the customer whose message an item carries, or whose message started the workflow, from the same line. */
export const reply: ListOperation = {
	value: 'reply',
	name: 'Reply',
	action: 'Reply to a message',
	description:
		'Answer the customer whose message started the workflow, in the same conversation. There is no number to set.',
	fields: [
		withBuilderHint(
			optionalTextField,
			'Behind an AI Agent, use ={{ $json.output }}. The customer and the line need no field: nodes between may drop them.',
		),
		...mediaFields,
		sendOptions,
	],

	sends: true,

	read: async (run, itemIndex) =>
		await readMessage(run, itemIndex, async () => await readRequest(run, itemIndex)),
};

/**
 * The body of the request (§2.1). The customer and the line are found, and nothing in the fields can change them.
 *
 * @throws NodeOperationError with the item's number, before anything is sent
 */
async function readRequest(run: Run, itemIndex: number): Promise<MakeRequest> {
	const content = readContent(run, itemIndex);
	const address = await findReplyAddress(run, itemIndex);
	await refuseUnusableLine(run, address.line_handle, itemIndex);
	return async () => ({ ...address, ...(await uploadContent(run, content, itemIndex)) });
}
