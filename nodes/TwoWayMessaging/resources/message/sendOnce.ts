import type { IDataObject } from 'n8n-workflow';
import type { SendRequest } from '../../contract';
import type { Message } from '../../message';
import { isTool } from '../../n8n/toolVariant';
import { readCollection } from '../../parameterValues';
import { refusalKind, serviceSentence, toNodeError } from '../../transport/errors';
import type { Run } from '../run';
import { deliverMessage } from './deliverMessage';
import { followMessage } from './followMessage';
import { readIfUnconfirmed } from './ifUnconfirmedOption';
import { SendAttempts, type Attempt } from './sendAttempts';

/**
 * Sends the message of an item, once however often n8n tries the item:
 *
 * ```ts
 * const message = await sendOnce(run, itemIndex, async () => await readRequest(run, itemIndex));
 * ```
 *
 * @param readRequest makes the body of the request (§2.1); not called for a message that an earlier try has sent
 * @throws NodeApiError or NodeOperationError with the item's number
 */
export async function sendOnce(
	run: Run,
	itemIndex: number,
	readRequest: () => Promise<SendRequest>,
): Promise<IDataObject> {
	const { caller } = run;
	const attempts = run.memory.part(SendAttempts);
	const own = await attempts.attemptOf(run, itemIndex);
	if (own.accepted) return await sendAttempt(run, itemIndex, own);
	const request = (own.request ??= await readRequest());
	if (!isTool(caller.getNode())) return await sendAttempt(run, itemIndex, own);

	const attempt = own.lost ? own : (attempts.lostCallLike(caller, request) ?? own);
	try {
		return await sendAttempt(run, itemIndex, attempt);
	} finally {
		if (attempt.lost && !attempt.accepted) attempts.addLostCall(caller, request, attempt);
		else attempts.forgetLostCall(caller, request);
	}
}

/** Sends the message unless an earlier try has sent it, and follows it as far as the options say. */
async function sendAttempt(run: Run, itemIndex: number, attempt: Attempt): Promise<IDataObject> {
	const { request } = attempt;
	const options = readCollection(run.caller, 'options', itemIndex);
	const connection = await run.connection();
	if (!attempt.accepted && request) {
		const ifUnconfirmed = readIfUnconfirmed(options);
		const refusal = await deliverMessage(run, { request, attempt, ifUnconfirmed, itemIndex });
		if (refusal) {
			// The service has not accepted the message, so the next try may send another text.
			attempt.request = undefined;
			const isOptedOut = refusal.kind === 'answer' && refusalKind(refusal) === 'optedOut';
			if (!isOptedOut || options.ifOptedOut !== 'skip') {
				throw toNodeError(connection, refusal, itemIndex);
			}
			return skippedMessage(request, serviceSentence(refusal.body));
		}
	}
	return await followMessage(connection, attempt.accepted ?? {}, options, itemIndex);
}

/** The item for a message that was not sent because the customer has opted out (§1.5). */
function skippedMessage(request: SendRequest, reason: string | undefined): IDataObject {
	const message: Message = { to: request.number, is_outbound: true, status: 'SKIPPED' };
	if (request.content !== undefined) message.content = request.content;
	if (reason !== undefined) message.error_message = reason;
	return message;
}
