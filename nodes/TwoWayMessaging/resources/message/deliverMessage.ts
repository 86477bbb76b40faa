import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { PATHS, type SendRequest } from '../../contract';
import { messageFields, toMessage, type Message } from '../../message';
import { toNodeError } from '../../transport/errors';
import { stopIfCancelled } from '../../transport/pause';
import { isSuccess } from '../../transport/readJson';
import { ask, type Connection, type Outcome } from '../../transport/request';
import type { Run } from '../run';
import { AcceptedMessages } from './acceptedMessages';
import { findAcceptedMessage } from './findAcceptedMessage';
import type { IfUnconfirmed } from './ifUnconfirmedOption';
import type { Attempt } from './sendAttempts';

export type Delivery = {
	request: SendRequest;
	/** Has the accepted message afterwards, unless the service refused it. */
	attempt: Attempt;
	ifUnconfirmed: IfUnconfirmed;
	itemIndex: number;
};

/**
 * Sends one message at most once (§4.1). A request is repeated only where it has certainly not been accepted; where the
 * answer is missing, the history decides (§4.5).
 *
 * ```ts
 * const refusal = await deliverMessage(run, { request, attempt, ifUnconfirmed: 'fail', itemIndex });
 * if (!refusal) return attempt.accepted;
 * ```
 *
 * @returns the refusal, where the service has not accepted the message
 * @throws NodeApiError when the service has not confirmed the message
 */
export async function deliverMessage(run: Run, delivery: Delivery): Promise<Outcome | undefined> {
	const { request, attempt, ifUnconfirmed } = delivery;
	const connection = await run.connection();
	for (;;) {
		if (attempt.openSinceMs === undefined) {
			const startedMs = run.clock.nowMs();
			const outcome = await ask(connection, {
				method: 'POST',
				path: PATHS.sendMessage,
				body: request as IDataObject,
				lane: 'sendMessage',
			});
			const fields = isSuccess(outcome) ? messageFields(outcome.body) : undefined;
			if (fields) {
				const message = toMessage(fields);
				run.memory.part(AcceptedMessages).add(message);
				return accept(attempt, message);
			}
			if (isRefusal(outcome)) return outcome;
			attempt.openSinceMs = startedMs;
			attempt.openOutcome = outcome;
		}
		const found = await findOrExplain(run, delivery, attempt.openSinceMs);
		if (found) return accept(attempt, found);
		if (ifUnconfirmed === 'fail' || attempt.sentAgain) {
			throw unconfirmedError(connection, delivery, NOT_IN_HISTORY);
		}
		attempt.sentAgain = true;
		attempt.openSinceMs = undefined;
	}
}

const NOT_IN_HISTORY = 'The history does not show the message so far.';
const HISTORY_UNREADABLE = 'The history, which might show it, cannot be read at the moment either.';

/** @throws NodeApiError when the history cannot be read */
async function findOrExplain(
	run: Run,
	delivery: Delivery,
	sentMs: number,
): Promise<Message | undefined> {
	try {
		return await findAcceptedMessage(run, { ...delivery, sentMs });
	} catch {
		stopIfCancelled(run.caller);
		throw unconfirmedError(await run.connection(), delivery, HISTORY_UNREADABLE);
	}
}

/** Whether the service has certainly not accepted the message. A 408 may come after the service accepted it. */
function isRefusal(outcome: Outcome): boolean {
	switch (outcome.kind) {
		case 'answer':
			return outcome.status >= 300 && outcome.status < 500 && outcome.status !== 408;
		case 'unsent':
			return true;
		case 'unanswered':
			return false;
	}
}

function accept(attempt: Attempt, message: Message): undefined {
	attempt.accepted = message;
	attempt.request = undefined;
}

function unconfirmedError(
	connection: Connection,
	{ attempt: { openOutcome }, itemIndex }: Delivery,
	history: string,
): NodeApiError {
	const outcome: Outcome = openOutcome ?? { kind: 'unanswered', code: 'no answer' };
	const what =
		outcome.kind === 'answer'
			? `status ${outcome.status}`
			: `the connection ended: ${outcome.code}`;
	return toNodeError(connection, outcome, itemIndex, {
		message: 'The service has not confirmed the message, so it may or may not arrive',
		description: `The node sent the message, but got no answer that it could read (${what}). ${history} Look at the conversation (Message: Get Many) before you send the message again, as the customer might get it twice. Retry On Fail does not send it again; it looks into the history again. To send the message a second time in such a case, add the option 'If Not Confirmed'.`,
	});
}
