import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { PATHS, type SendRequest } from '../../contract';
import { messageFields, toMessage, type Fields, type Message } from '../../message';
import { toNodeError } from '../../transport/errors';
import { stopIfCancelled } from '../../transport/pause';
import { ask, type Connection, type Outcome } from '../../transport/request';
import { isSuccess } from '../../transport/read';
import { noteAccepted, type Attempt } from './attempts';
import { findAccepted } from './confirm';

/** What to do about a message that the service has not confirmed: say so, or send it once more. */
export type IfUnconfirmed = 'fail' | 'sendAgain';

/**
 * Sends one message at most once (§4.1). Only what provably did not happen is tried again; where the answer
 * is open, the history decides (§4.5).
 *
 * @param attempt holds the message afterwards, when the service has accepted it
 * @returns the refusal, where the service has nothing of the message
 * @throws NodeApiError when the service has not confirmed the message
 */
export async function deliver(
	connection: Connection,
	request: SendRequest,
	attempt: Attempt,
	{ ifUnconfirmed = 'fail' }: { ifUnconfirmed?: IfUnconfirmed },
	itemIndex: number,
): Promise<Outcome | undefined> {
	for (;;) {
		if (attempt.openSinceMs === undefined) {
			const startedMs = Date.now();
			const outcome = await ask(connection, {
				method: 'POST',
				path: PATHS.sendMessage,
				body: request as IDataObject,
				lane: 'sendMessage',
			});
			const fields = isSuccess(outcome) ? messageFields(outcome.body) : undefined;
			if (fields) return accept(attempt, answered(fields));
			if (isRefusal(outcome)) return outcome;
			attempt.openSinceMs = startedMs;
			attempt.openOutcome = outcome;
		}
		const found = await lookFor(connection, request, attempt, itemIndex);
		if (found) return accept(attempt, found);
		if (ifUnconfirmed === 'fail' || attempt.sentAgain) {
			throw unconfirmed(connection, attempt, itemIndex, NOT_IN_HISTORY);
		}
		attempt.sentAgain = true;
		attempt.openSinceMs = undefined;
	}
}

const NOT_IN_HISTORY = 'The history does not show the message so far.';
const HISTORY_UNREADABLE = 'The history, which would tell, cannot be read right now either.';

async function lookFor(
	connection: Connection,
	request: SendRequest,
	attempt: Attempt,
	itemIndex: number,
): Promise<Message | undefined> {
	try {
		return await findAccepted(connection, request, attempt.openSinceMs ?? 0, itemIndex);
	} catch {
		stopIfCancelled(connection.caller);
		throw unconfirmed(connection, attempt, itemIndex, HISTORY_UNREADABLE);
	}
}

/** Whether the message has provably not been accepted. A 408 may come after the service took it. */
function isRefusal(outcome: Outcome): boolean {
	if (outcome.kind !== 'answer') return outcome.kind === 'unsent';
	return outcome.status >= 300 && outcome.status < 500 && outcome.status !== 408;
}

/** A message that has its answer; in the history it is nobody's lost one. */
function answered(fields: Fields): Message {
	const message = toMessage(fields);
	if (message.message_handle !== undefined) noteAccepted(message.message_handle, Date.now());
	return message;
}

function accept(attempt: Attempt, message: Message): undefined {
	attempt.accepted = message;
	attempt.request = undefined;
}

function unconfirmed(
	connection: Connection,
	{ openOutcome }: Attempt,
	itemIndex: number,
	history: string,
): NodeApiError {
	const outcome: Outcome = openOutcome ?? { kind: 'unanswered', code: 'no answer' };
	const what =
		outcome.kind === 'answer'
			? `status ${outcome.status}`
			: `the connection ended: ${outcome.code}`;
	return toNodeError(connection, outcome, itemIndex, {
		message: 'The service has not confirmed the message, so it may or may not arrive',
		description: `It was handed over, but no readable answer came back (${what}). ${history} Look into the conversation (Message: Get Many) before you send it again, as the customer might get it twice. Retry On Fail only looks again; the option 'If Not Confirmed' can send once more.`,
	});
}
