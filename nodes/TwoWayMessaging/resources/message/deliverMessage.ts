import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { PATHS, type SendRequest } from '../../contract';
import { messageFields, toMessage, type Message } from '../../message';
import { explain, toNodeError } from '../../transport/errors';
import { stopIfCancelled } from '../../transport/pause';
import { isSuccess } from '../../transport/readJson';
import { ask, type Outcome } from '../../transport/request';
import { earliestDateMs } from '../../transport/serviceClocks';
import type { Asker } from '../run';
import { AcceptedMessages } from './acceptedMessages';
import { findAcceptedMessage } from './findAcceptedMessage';
import type { IfUnconfirmed } from './ifUnconfirmedOption';
import type { Attempt, LostAnswer } from './sendAttempts';
import { keyOfSend, SendsInFlight } from './sendsInFlight';

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
export async function deliverMessage(run: Asker, delivery: Delivery): Promise<Outcome | undefined> {
	const { attempt, ifUnconfirmed } = delivery;
	let refusedAgain: Outcome | undefined;
	if (!attempt.lost) {
		const outcome = await post(run, delivery);
		if (attempt.accepted) return undefined;
		if (!attempt.lost) return outcome;
	}
	for (;;) {
		const found = await findOrExplain(run, delivery, attempt.lost);
		if (found === 'undated') {
			// To send again might text the customer twice, as the row may well be the message.
			throw await unconfirmedError(run, delivery, {
				lost: attempt.lost,
				history: undatedInHistory(delivery),
				refusedAgain,
				isUndated: true,
			});
		}
		if (found) return accept(attempt, found);
		if (refusedAgain || ifUnconfirmed === 'fail' || attempt.sentAgain) {
			throw await unconfirmedError(run, delivery, {
				lost: attempt.lost,
				history: notInHistory(delivery, attempt.lost),
				refusedAgain,
			});
		}
		attempt.sentAgain = true;
		const outcome = await post(run, delivery);
		if (attempt.accepted) return undefined;
		// Whatever the service says of the second request, it may have accepted the first.
		if (isRefusal(outcome)) refusedAgain = outcome;
	}
}

/** Sends the request, and remembers in the attempt what has become of it, before any other send goes on. */
async function post(run: Asker, { request, attempt }: Delivery): Promise<Outcome> {
	const connection = await run.connection();
	const acceptedMessages = run.memory.part(AcceptedMessages);
	const sendsInFlight = run.memory.part(SendsInFlight);
	const key = keyOfSend(connection.settings.accountId, request);
	return await ask(connection, {
		method: 'POST',
		path: PATHS.sendMessage,
		body: request as IDataObject,
		lane: 'sendMessage',
		watchTry() {
			const sinceMs = run.clock.nowMs();
			const end = sendsInFlight.begin(key);
			const markRefused = run.watchSend?.();
			return (outcome: Outcome = { kind: 'unanswered', code: 'no answer' }) => {
				const fields = isSuccess(outcome) ? messageFields(outcome.body) : undefined;
				if (fields) {
					const message = toMessage(fields);
					acceptedMessages.add(message);
					accept(attempt, message);
				} else if (!isRefusal(outcome)) {
					attempt.lost ??= { sinceMs, outcome };
				} else {
					markRefused?.();
				}
				end();
			};
		},
	});
}

const HISTORY_UNREADABLE = 'The history, which might show it, cannot be read at the moment either.';

function notInHistory({ request: { number } }: Delivery, lost: LostAnswer): string {
	const since = new Date(earliestDateMs(lost)).toISOString();
	return `The history does not show the message so far: since ${since} it has no other message to ${number} with this text.`;
}

function undatedInHistory({ request: { number } }: Delivery): string {
	return `The history shows a message to ${number} with this text, but not to the second when it was sent, so it may be this one or an earlier one.`;
}

/** @throws NodeApiError when the history cannot be read */
async function findOrExplain(
	run: Asker,
	delivery: Delivery,
	lost: LostAnswer,
): ReturnType<typeof findAcceptedMessage> {
	try {
		return await findAcceptedMessage(run, { ...delivery, lost });
	} catch {
		stopIfCancelled(run.caller);
		throw await unconfirmedError(run, delivery, { lost, history: HISTORY_UNREADABLE });
	}
}

/** Whether the service has certainly not accepted the message. A 408 may come after the service accepted it. */
function isRefusal(outcome: Outcome): boolean {
	if (outcome.kind !== 'answer') return outcome.kind === 'unsent';
	return outcome.status >= 300 && outcome.status < 500 && outcome.status !== 408;
}

function accept(attempt: Attempt, message: Message): undefined {
	attempt.accepted = message;
	attempt.request = undefined;
}

/** What is known of a message that is not confirmed. */
type Known = {
	lost: LostAnswer;
	history: string;
	refusedAgain?: Outcome;
	/** Whether the history shows what may be the message, which is then not sent again by any option. */
	isUndated?: boolean;
};

async function unconfirmedError(
	run: Asker,
	{ attempt, itemIndex }: Delivery,
	{ lost: { outcome }, history, refusedAgain, isUndated }: Known,
): Promise<NodeApiError> {
	const connection = await run.connection();
	run.results?.mark(itemIndex, 'unconfirmed');
	const what =
		outcome.kind === 'answer'
			? `status ${outcome.status}`
			: `the connection ended: ${outcome.code}`;
	const again = refusedAgain
		? ` It then sent the message once more, which was not accepted: ${explain(refusedAgain, connection.settings.baseUrl).message}.`
		: '';
	const option =
		attempt.sentAgain || isUndated
			? ''
			: " To send the message a second time in such a case, add the option 'If Not Confirmed' and choose 'Send Once More'.";
	return toNodeError(connection, outcome, itemIndex, {
		message: 'The service has not confirmed the message, so it may or may not arrive',
		description: `The node sent the message, but got no answer that it could read (${what}).${again} ${history} Look at the conversation (Message: Get Many) before you send the message again, as the customer might get it twice. Retry On Fail does not send it again; it looks into the history again.${option}`,
	});
}
