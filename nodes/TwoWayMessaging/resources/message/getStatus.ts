import { NodeOperationError } from 'n8n-workflow';
import { PREFIXES } from '../../contract';
import { bareHandle, inOrder } from '../../message';
import { readCollection } from '../../parameterValues';
import { optionsField } from '../collectionFields';
import { readId } from '../idField';
import type { ListOperation } from '../run';
import { followMessage, readFollowing, waitOptions } from './followMessage';
import { withNewestRow } from './newestRows';
import { readStatus } from './readStatus';

/** Reads how far a message has come (§4.4); that it was delivered, only the history says (§3.1). */
export const getStatus: ListOperation = {
	value: 'getStatus',
	name: 'Get Status',
	action: 'Get the status of a message',
	description:
		'See how far a message has come and which channel it took: queued, sent, delivered, or failed',
	fields: [
		{
			displayName: 'Message ID',
			name: 'messageHandle',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. {{ $json.message_handle }}',
			description:
				'Which message it is: the message_handle that Send, the history or an event gave you',
		},
		optionsField(waitOptions({ name: 'Nothing', description: 'Take the status as it is now' })),
	],

	sends: false,

	async read(run, itemIndex) {
		const { caller } = run;
		const entered: unknown = caller.getNodeParameter('messageHandle', itemIndex, '');
		const field = {
			label: 'Message ID',
			advice: 'Enter the message_handle that Send, the history or an event gave you.',
			itemIndex,
		};
		const handle = bareHandle(readId(run, entered, field), PREFIXES.message);
		if (handle === '') {
			throw new NodeOperationError(caller.getNode(), `Message ID is empty [item ${itemIndex}]`, {
				description: field.advice,
				itemIndex,
			});
		}
		const options = readCollection(caller, 'options', itemIndex);
		const following = readFollowing(run, options, itemIndex);
		return async () => {
			const status = await readStatus(await run.connection(), handle, itemIndex);
			return async () => {
				const message = await withNewestRow(run, status);
				return [inOrder(await followMessage(run, message, following, itemIndex))];
			};
		};
	},
};
