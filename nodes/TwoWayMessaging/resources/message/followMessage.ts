import type { INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { Fields, Message } from '../../message';
import { readChoice } from '../choiceField';
import type { Run } from '../run';
import { readWaitAtMostMs, waitAtMostOption } from '../waitAtMostOption';
import { FollowedMessages, hasComeSoFar, WAIT_FOR, type WaitFor } from './followedMessages';

/** The options of every operation that can wait for a message. */
export function waitOptions(withoutWait: { name: string; description: string }): INodeProperties[] {
	return [
		{
			displayName: 'Wait For',
			name: 'waitFor',
			type: 'options',
			// Who adds an option wants its effect; every message is sent or fails, and not every one is confirmed.
			default: 'sent',
			description: 'How far the message has to come before the workflow continues',
			options: [
				{ name: withoutWait.name, value: 'queued', description: withoutWait.description },
				{
					name: 'Sent',
					value: 'sent',
					description: 'It has left the line, and the channel is known',
				},
				{
					name: 'Delivered',
					value: 'delivered',
					description: "The customer's device has confirmed it. Not every SMS is ever confirmed.",
				},
			],
		},
		waitAtMostOption,
	];
}

/** How far a message is followed, and how long. */
export type Following = { waitFor: WaitFor; atMostMs: number };

/**
 * How far the options say that a message is followed.
 *
 * @throws NodeOperationError with the item's number
 */
export function readFollowing(run: Run, options: Fields, itemIndex: number): Following {
	const field = { label: 'Wait For', choices: WAIT_FOR, fallback: 'queued', itemIndex } as const;
	return {
		waitFor: readChoice(run, options.waitFor, field),
		atMostMs: readWaitAtMostMs(run, options, itemIndex),
	};
}

/**
 * Follows a message as its options say: until it has come far enough, could not be sent, or the time is over. All
 * messages of a run are followed together.
 *
 * @returns the last that is known of the message
 * @throws NodeOperationError only when the execution is cancelled
 */
export async function followMessage(
	run: Run,
	message: Message,
	{ waitFor, atMostMs }: Following,
	itemIndex: number,
): Promise<Message> {
	if (message.message_handle === undefined || hasComeSoFar(message, waitFor)) return message;
	const followed = await run.once('followed messages', async () => {
		return new FollowedMessages(await run.connection(), run.memory);
	});
	return await followed.follow(message, { waitFor, atMostMs, itemIndex });
}

/**
 * Follows a message that the node has sent. Whoever waits wants to know, so a message that could not be sent is an error
 * then.
 *
 * @param ifUndeliverable what is done before
 * @throws NodeOperationError with the item's number
 */
export async function followSentMessage(
	run: Run,
	message: Message,
	following: Following,
	itemIndex: number,
	ifUndeliverable = async (): Promise<void> => {},
): Promise<Message> {
	const { caller, results } = run;
	const last = await followMessage(run, message, following, itemIndex);
	if (last.status !== 'ERROR' || following.waitFor === 'queued') return last;
	results.mark(itemIndex, 'undeliverable');
	await ifUndeliverable();
	const { message_handle: handle, error_message: reason } = last;
	const why = reason || 'it gave no reason';
	throw new NodeOperationError(
		caller.getNode(),
		`The service could not send the message ${handle}: ${why} [item ${itemIndex}]`,
		{
			description: `The service had accepted the message to ${last.to ?? 'the customer'}, and then could not send it, so the customer has not got it. Check the number and what the service says, then run the node again; Retry On Fail does not send it again. To reach the customer in another way, set On Error to 'Continue (using error output)' and go on from there.`,
			itemIndex,
		},
	);
}
