import type { INodeProperties } from 'n8n-workflow';
import { PREFIXES } from '../../contract';
import { bareHandle, withRow, type Message } from '../../message';
import { optionsField, readCollection, readId } from '../../fields/readField';
import { readNewest } from '../../service/history';
import type { Item } from '../../service/request';
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
	fields: [idField, optionsField(waitOptions)],

	async read(item) {
		const advice = 'Enter the message_handle that Send, the history or an event gave you.';
		const handle = bareHandle(readId(item, idField, advice), PREFIXES.message);
		const options = readCollection(item, 'options');
		const following = readFollowing(item, options);
		return async () => {
			const status = await readStatus(item, handle);
			return async () => {
				const message = await withNewestRow(item, status);
				return [{ json: messageItem(await follow(item, message, following)) }];
			};
		};
	},
};

/**
 * What the history shows of a message that is sent: the status never says DELIVERED (§4.4), only a row does (§3.1). One page of
 * the newest rows serves all items of a run; a message that is not on it stays as it is, as it does where it cannot be read.
 */
async function withNewestRow(item: Item, message: Message): Promise<Message> {
	if (message.status !== 'SENT') return message;
	const read = async () => await readNewest(item);
	const rows = await item.once('newest rows', async () => await tryToRead(item, read));
	const row = rows?.get(message.message_handle ?? '');
	return row ? withRow(message, row) : message;
}
