import type { INodeProperties } from 'n8n-workflow';
import type { Fields, Message } from '../../message';
import { choiceValue } from '../../parameterValues';
import { reasonOf } from '../../reasonOf';
import { stopIfCancelled } from '../../transport/pause';
import type { Connection } from '../../transport/request';
import { lookUntil } from '../lookUntil';
import { readWaitAtMostMs, waitAtMostOption } from '../waitAtMostOption';
import { findHistoryRow } from './findHistoryRow';
import { readStatus } from './readStatus';

/** How far a message has to come before the workflow continues. */
const WAIT_FOR = ['queued', 'sent', 'delivered'] as const;
export type WaitFor = (typeof WAIT_FOR)[number];

/** Pauses before each look; the last one repeats. */
const PAUSES_MS = [500, 1_000, 1_000, 2_000, 2_000, 5_000];

/** The options of every operation that can wait for a message. */
export function waitOptions(withoutWait: { name: string; description: string }): INodeProperties[] {
	return [
		{
			displayName: 'Wait For',
			name: 'waitFor',
			type: 'options',
			default: 'queued',
			description: 'How far the message has to come before the workflow continues',
			options: [
				{
					name: 'Delivered',
					value: 'delivered',
					description: "The customer's device has confirmed it. Not every SMS is ever confirmed.",
				},
				{ name: withoutWait.name, value: 'queued', description: withoutWait.description },
				{
					name: 'Sent',
					value: 'sent',
					description: 'It has left the line, and the channel is known',
				},
			],
		},
		waitAtMostOption,
	];
}

/**
 * Follows a message as its options say: until it has come far enough, could not be sent, or the time is over. A look
 * that fails is repeated, as the service has accepted the message: after an error, a person might send it again.
 *
 * @returns the last that is known of the message
 * @throws NodeOperationError only when the execution is cancelled
 */
export async function followMessage(
	connection: Connection,
	message: Message,
	options: Fields,
	itemIndex: number,
): Promise<Message> {
	const waitFor = choiceValue(options.waitFor, WAIT_FOR, 'queued');
	if (message.message_handle === undefined || hasComeSoFar(message, waitFor)) return message;
	const { caller } = connection;
	let last = message;
	await lookUntil(
		connection,
		{ pausesMs: PAUSES_MS, atMostMs: readWaitAtMostMs(options) },
		async () => {
			try {
				last = { ...last, ...(await readProgress(connection, last, itemIndex)) };
			} catch (thrown) {
				stopIfCancelled(caller);
				caller.logger.warn(
					`${caller.getNode().name}: could not read how far a message has come: ${reasonOf(thrown)}`,
				);
			}
			return { found: hasComeSoFar(last, waitFor) ? last : undefined };
		},
	);
	return last;
}

/** Reads what is known now. The status never says DELIVERED (§4.4): once the message is sent, only the history does. */
async function readProgress(
	connection: Connection,
	message: Message,
	itemIndex: number,
): Promise<Message | undefined> {
	const { message_handle: handle = '', status } = message;
	if (status !== 'SENT') return await readStatus(connection, handle, itemIndex);
	return await findHistoryRow(connection, message, itemIndex);
}

function hasComeSoFar({ status }: Message, waitFor: WaitFor): boolean {
	const isFinal = status === 'ERROR' || status === 'DELIVERED';
	switch (waitFor) {
		case 'queued':
			return true;
		case 'sent':
			return isFinal || status === 'SENT';
		case 'delivered':
			return isFinal;
	}
}
