import { NodeOperationError } from 'n8n-workflow';
import { PREFIXES } from '../../contract';
import { bareHandle } from '../../message';
import type { Operation } from '../run';
import { follow, waitOptions, type WaitFor } from './progress';
import { readStatus } from './status';

/** Reads what became of a message (§4.4). */
export const getStatus: Operation = {
	value: 'getStatus',
	name: 'Get Status',
	action: 'Get the status of a message',
	description: 'See how far a message has come and which channel it took',
	fields: [
		{
			displayName: 'Message Handle',
			name: 'messageHandle',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. {{ $json.message_handle }}',
			description: 'The message_handle that Send, the history or an event gave you',
		},
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add Option',
			default: {},
			options: waitOptions({ name: 'Nothing', description: 'Take the status as it is now' }),
		},
	],

	async run(run, itemIndex) {
		const { caller } = run;
		const typed = String(caller.getNodeParameter('messageHandle', itemIndex, '') ?? '').trim();
		const handle = bareHandle(typed, PREFIXES.message);
		if (handle === '') {
			throw new NodeOperationError(
				caller.getNode(),
				`Message Handle is empty [item ${itemIndex}]`,
				{
					description: 'Enter the message_handle that Send, the history or an event gave you.',
					itemIndex,
				},
			);
		}
		const options = caller.getNodeParameter('options', itemIndex, {}) as {
			waitFor?: WaitFor;
			waitSeconds?: number;
		};
		const connection = await run.connection();
		const message = await readStatus(connection, handle, itemIndex);
		const { waitFor = 'queued', waitSeconds = 60 } = options;
		return [await follow(connection, message, waitFor, waitSeconds, itemIndex)];
	},
};
