import type { INodeProperties } from 'n8n-workflow';
import { toMessage, type Message } from '../../message';
import { historyPages } from '../../transport/pages';
import { pause, stopIfCancelled } from '../../transport/pause';
import type { Connection } from '../../transport/request';
import { readStatus } from './status';

/** How far a message has to come before the workflow goes on. */
export type WaitFor = 'queued' | 'sent' | 'delivered';

/** Pauses between two looks; the last one repeats. */
const LOOK_PAUSES_MS = [500, 1_000, 1_000, 2_000, 2_000, 5_000];

/** Rows looked through for a delivery, newest first. */
const PAGE_ROWS = 100;
const MOST_PAGES = 5;

/** The options that wait, for every operation that follows a message. */
export function waitOptions(withoutWait: { name: string; description: string }): INodeProperties[] {
	return [
		{
			displayName: 'Wait For',
			name: 'waitFor',
			type: 'options',
			default: 'queued',
			description: 'How far the message has to come before the workflow goes on',
			options: [
				{
					name: 'Delivered',
					value: 'delivered',
					description: "The recipient's device has confirmed it. Not every SMS is ever confirmed.",
				},
				{ name: withoutWait.name, value: 'queued', description: withoutWait.description },
				{
					name: 'Sent',
					value: 'sent',
					description: 'It has left the line, and the channel is known',
				},
			],
		},
		{
			displayName: 'Wait at Most (Seconds)',
			name: 'waitSeconds',
			type: 'number',
			default: 60,
			typeOptions: { minValue: 1 },
			description:
				'When to go on regardless. The item then shows the last known status; nothing is lost.',
		},
	];
}

/**
 * Follows a message until it has come far enough, has gone wrong, or the time is over. A look that fails is
 * no reason to call an accepted message anything else, or somebody would send it again.
 *
 * @returns the last that is known of it
 * @throws NodeOperationError only when the execution is cancelled
 */
export async function follow(
	connection: Connection,
	message: Message,
	waitFor: WaitFor,
	waitSeconds: number,
	itemIndex: number,
): Promise<Message> {
	if (waitFor === 'queued' || message.message_handle === undefined) return message;
	const { caller } = connection;
	const untilMs = Date.now() + waitSeconds * 1_000;
	let last = message;
	for (let look = 0; !isFarEnough(last, waitFor); look += 1) {
		const pauseMs = LOOK_PAUSES_MS[Math.min(look, LOOK_PAUSES_MS.length - 1)] ?? 0;
		const leftMs = untilMs - Date.now();
		if (leftMs <= 0) break;
		await pause(caller, Math.min(pauseMs, leftMs));
		try {
			last = { ...last, ...(await lookAfter(connection, last, itemIndex)) };
		} catch (thrown) {
			stopIfCancelled(caller);
			caller.logger.warn(`Waiting for a message: ${(thrown as Error).message}`);
		}
	}
	return last;
}

/** What is known now. The status never says DELIVERED (§4.4): once sent, only the history tells. */
async function lookAfter(
	connection: Connection,
	message: Message,
	itemIndex: number,
): Promise<Message | undefined> {
	const handle = message.message_handle ?? '';
	return message.status === 'SENT'
		? await findRow(connection, handle, message, itemIndex)
		: await readStatus(connection, handle, itemIndex);
}

function isFarEnough({ status }: Message, waitFor: WaitFor): boolean {
	if (status === 'ERROR' || status === 'DELIVERED') return true;
	return waitFor === 'sent' && status === 'SENT';
}

async function findRow(
	connection: Connection,
	handle: string,
	{ conversation_handle: conversationHandle }: Message,
	itemIndex: number,
): Promise<Message | undefined> {
	let pages = 0;
	const query = { conversationHandle, pageSize: PAGE_ROWS };
	for await (const rows of historyPages(connection, query, itemIndex)) {
		const row = rows.map(toMessage).find((candidate) => candidate.message_handle === handle);
		if (row) return row;
		if (++pages === MOST_PAGES) break;
	}
	return undefined;
}
