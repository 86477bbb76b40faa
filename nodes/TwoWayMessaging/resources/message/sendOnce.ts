import type { SendRequest } from '../../contract';
import type { Message } from '../../message';
import { isTool } from '../../n8n/toolVariant';
import { readCollection } from '../../parameterValues';
import { refusalKind, serviceSentence, toNodeError } from '../../transport/errors';
import type { Run, Turn } from '../run';
import { deliverMessage } from './deliverMessage';
import { followSentMessage } from './followMessage';
import { readIfUnconfirmed } from './ifUnconfirmedOption';
import { SendAttempts, type Attempt } from './sendAttempts';

/** Makes the body of the request (§2.1) in the item's turn: a file is uploaded then. */
export type MakeRequest = () => Promise<SendRequest>;

/**
 * Reads an item that is a message. In its turn it is sent, and then followed as far as its options say:
 *
 * ```ts
 * read: async (run, itemIndex) => await readMessage(run, itemIndex, async () => await readRequest(run, itemIndex)),
 * ```
 *
 * @param readRequest not called for a message that an earlier try has sent
 * @throws NodeApiError or NodeOperationError with the item's number
 */
export async function readMessage(
	run: Run,
	itemIndex: number,
	readRequest: () => Promise<MakeRequest>,
): Promise<Turn> {
	const attempt = await run.memory.part(SendAttempts).attemptOf(run, itemIndex);
	if (attempt.accepted) run.results.mark(itemIndex, 'sent');
	const isKnown = attempt.accepted !== undefined || attempt.request !== undefined;
	const makeRequest = isKnown ? undefined : await readRequest();
	return async () => {
		const message = await sendOnce(run, itemIndex, makeRequest);
		return async () => [await followSentMessage(run, message, itemIndex)];
	};
}

/**
 * Sends the message of an item, once however often n8n tries the item:
 *
 * ```ts
 * const message = await sendOnce(run, itemIndex, async () => ({ number, content }));
 * ```
 *
 * @param makeRequest not called for a message of which an earlier try knows the request
 * @returns what the service said of the message, or what stands for a message that was skipped
 * @throws NodeApiError or NodeOperationError with the item's number
 */
export async function sendOnce(
	run: Run,
	itemIndex: number,
	makeRequest: MakeRequest | undefined,
): Promise<Message> {
	const { caller } = run;
	const attempts = run.memory.part(SendAttempts);
	const own = await attempts.attemptOf(run, itemIndex);
	if (own.accepted) return own.accepted;
	const request = (own.request ??= await makeRequest?.());
	if (!request) throw new TypeError('An attempt without a request needs makeRequest');
	if (!isTool(caller.getNode())) return await sendAttempt(run, itemIndex, request, own);

	const attempt = own.lost ? own : (attempts.lostCallLike(caller, request) ?? own);
	try {
		return await sendAttempt(run, itemIndex, request, attempt);
	} finally {
		if (attempt.lost && !attempt.accepted) attempts.addLostCall(caller, request, attempt);
		else attempts.forgetLostCall(caller, request);
	}
}

/** Sends the message unless an earlier try has sent it. */
async function sendAttempt(
	run: Run,
	itemIndex: number,
	request: SendRequest,
	attempt: Attempt,
): Promise<Message> {
	if (attempt.accepted) return attempt.accepted;
	const options = readCollection(run.caller, 'options', itemIndex);
	const ifUnconfirmed = readIfUnconfirmed(options);
	const refusal = await deliverMessage(run, { request, attempt, ifUnconfirmed, itemIndex });
	if (!refusal) {
		run.results.mark(itemIndex, 'sent');
		return attempt.accepted ?? {};
	}
	// The service has not accepted the message, so the next try may send another text.
	attempt.request = undefined;
	const kind = refusal.kind === 'answer' ? refusalKind(refusal) : undefined;
	if (kind !== 'optedOut' || options.ifOptedOut !== 'skip') {
		throw toNodeError(await run.connection(), refusal, itemIndex);
	}
	run.results.mark(itemIndex, 'optedOut');
	return skippedMessage(request, refusal.kind === 'answer' ? serviceSentence(refusal.body) : '');
}

/** The item for a message that was not sent because the customer has opted out (§1.5). */
function skippedMessage(request: SendRequest, reason: string | undefined): Message {
	const message: Message = { to: request.number, is_outbound: true, status: 'SKIPPED' };
	if (request.content !== undefined) message.content = request.content;
	if (reason !== undefined) message.error_message = reason;
	return message;
}
