import type { INodeProperties } from 'n8n-workflow';
import { PREFIXES } from '../../contract';
import { bareHandle, withRow, type Message } from '../../message';
import { readCollection } from '../../parameterValues';
import { optionsField, readId } from '../../fields/readField';
import { readNewest } from '../../service/history';
import type { Run } from '../../service/run';
import { messageItem, type Operation } from '../operation';
import { follow, tryToRead } from '../sending/follow';
import { readFollowing, waitOptions } from '../sending/sendFields';
import { readStatus } from './readStatus';

const idField: INodeProperties = {
	displayName: 'Message ID',
	name: 'messageHandle',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. {{ $json.message_handle }}',
	description:
		'Which message it is: the message_handle that Send, the history or an event gave you',
};

/** Reads how far a message has come (§4.4); that it was delivered, only the history says (§3.1). */
export const getStatus: Operation = {
	value: 'getStatus',
	name: 'Get Status',
	action: 'Get message status',
	description:
		'See how far a message has come and which channel it took: queued, sent, delivered, or failed',
	fields: [
		idField,
		optionsField(waitOptions({ name: 'Nothing', description: 'Take the status as it is now' })),
	],

	async read(run, itemIndex) {
		const { context } = run;
		const advice = 'Enter the message_handle that Send, the history or an event gave you.';
		const handle = bareHandle(readId(run, idField, itemIndex, advice), PREFIXES.message);
		const options = readCollection(context, 'options', itemIndex);
		const following = readFollowing(run, options, itemIndex);
		return async () => {
			const status = await readStatus(await run.connection(), handle, itemIndex);
			return async () => {
				const message = await withNewestRow(run, status);
				return [{ json: messageItem(await follow(run, message, following)) }];
			};
		};
	},
};

/**
 * What the history shows of a message that is sent: the status never says DELIVERED (§4.4), only a row does (§3.1). One page of
 * the newest rows serves all items of a run; a message that is not on it stays as it is, as it does where it cannot be read.
 */
async function withNewestRow(run: Run, message: Message): Promise<Message> {
	if (message.status !== 'SENT') return message;
	const read = async () => await readNewest(await run.connection());
	const rows = await run.once('newest rows', async () => await tryToRead(run, read));
	const row = rows?.get(message.message_handle ?? '');
	return row ? withRow(message, row) : message;
}
