import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { PATHS, type SendRequest } from '../../contract';
import { toMessage } from '../../message';
import { findMessage } from '../../service/answers';
import { isSuccess } from '../../service/ask';
import { toNodeError } from '../../service/errors';
import type { Outcome } from '../../service/outcome';
import { stopIfCancelled } from '../../service/pause';
import { sendRequest, type Connection } from '../../service/request';
import { findLost } from './find';
import { inTurnOfAlike, Ledger, type Entry, type LostAnswer } from './ledger';

export type Delivery = {
	request: SendRequest;
	/** Has what became of the message afterwards. */
	entry: Entry;
	/** Whether a message that is not confirmed is sent once more. */
	sendsAgain: boolean;
	watch?: Watch;
};

/** Is told before each request that sends a message, which it may forbid by throwing, and of what is known afterwards. */
export type Watch = (state: Entry['state']) => Promise<void>;

/**
 * Sends one message at most once (§4.1). A request is repeated only where it has certainly not been accepted; where the
 * answer is missing, the history decides (§4.5).
 *
 * @returns the refusal, where the service has not accepted the message
 * @throws NodeApiError when the service has not confirmed the message
 */
export async function deliver(
	connection: Connection,
	delivery: Delivery,
): Promise<Outcome | undefined> {
	const { request, entry, sendsAgain, watch } = delivery;
	const { clock, context, memory } = connection;
	/** Remembers in the entry what becomes of each request, before any other send goes on. */
	const watchTry = async () => {
		await watch?.('onItsWay');
		const sinceMs = clock.nowMs();
		entry.state = 'onItsWay';
		return async (outcome: Outcome = { kind: 'unanswered', code: 'no answer' }) => {
			const fields = isSuccess(outcome) ? findMessage(outcome.body) : undefined;
			if (fields) {
				memory.part(Ledger).markSent(entry, toMessage(fields));
			} else if (isRefusal(outcome)) {
				entry.state = entry.lost ? 'open' : 'refused';
			} else {
				entry.state = 'open';
				entry.lost ??= { sinceMs, outcome };
			}
			await watch?.(entry.state);
		};
	};
	const body = request as IDataObject;
	const sending = { method: 'POST', path: PATHS.sendMessage, body, watchTry } as const;
	let outcome: Outcome | undefined;
	for (let isDue = !entry.lost; ; isDue = true) {
		if (isDue) {
			outcome = await inTurnOfAlike(
				connection,
				request,
				async () => await sendRequest(connection, sending),
			);
		}
		const { lost } = entry;
		if (entry.state === 'sent') return undefined;
		if (!lost) return outcome;
		const found = await findLost(connection, { request, entry, lost }).catch(() => {
			stopIfCancelled(context);
			return 'unreadable' as const;
		});
		if (found === 'found') return void (await watch?.('sent'));
		if (found || entry.isSentAgain || !sendsAgain) {
			throw unconfirmedError(connection, delivery, lost, found);
		}
		entry.isSentAgain = true;
	}
}

/** Whether the service has certainly not accepted the message. A 408 may come after the service accepted it. */
function isRefusal(outcome: Outcome): boolean {
	if (outcome.kind !== 'answer') return outcome.kind === 'unsent';
	return outcome.status >= 300 && outcome.status < 500 && outcome.status !== 408;
}

/** @param found what the history shows of the message; where it may be there, no option sends it again */
function unconfirmedError(
	connection: Connection,
	{ entry }: Delivery,
	{ outcome }: LostAnswer,
	found: 'undated' | 'unreadable' | undefined,
): NodeApiError {
	const what =
		outcome.kind === 'answer'
			? `The service did not say whether it has the message (status ${outcome.status})`
			: `The connection ended before the service answered (${outcome.code})`;
	const history = {
		unreadable: 'cannot be read now',
		undated: 'shows one like it, which may be an earlier one',
		none: 'does not show the message so far',
	};
	const said = [
		`${what}, and the history ${history[found ?? 'none']}.`,
		'Look at the conversation (Message: Get Conversation) before you send it again, as the customer might get it twice.',
	];
	if (!entry.isSentAgain && found !== 'undated') {
		said.push("The option 'If Unsure It Was Sent' can send it once more by itself.");
	}
	return toNodeError(connection, outcome, {
		message: 'The service has not confirmed the message, so it may or may not arrive',
		description: said.join(' '),
	});
}
