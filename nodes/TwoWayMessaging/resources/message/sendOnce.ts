import type { SendRequest } from '../../contract';
import { inOrder, type Message } from '../../message';
import { isTool } from '../../n8n/toolVariant';
import { readCollection } from '../../parameterValues';
import { refusalKind, serviceSentence, toNodeError } from '../../transport/errors';
import type { Outcome } from '../../transport/request';
import type { Run, Turn } from '../run';
import { OtherLines, readUsesAnotherLine } from './anotherLine';
import { deliverMessage } from './deliverMessage';
import { deliverOnce, forgetOnce } from './deliverOnce';
import { followSentMessage, readFollowing, type Following } from './followMessage';
import { readSkipsOptedOut } from './ifOptedOutOption';
import { readIfUnconfirmed, type IfUnconfirmed } from './ifUnconfirmedOption';
import { readOnlyOnceFor } from './onlyOnceForOption';
import { SendAttempts, type Attempt } from './sendAttempts';
import { skippedMessage } from './skippedMessage';

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
	const options = readSendingOptions(run, itemIndex);
	const isKnown = attempt.accepted !== undefined || attempt.request !== undefined;
	const makeRequest = isKnown ? undefined : await readRequest();
	return async () => {
		const message = await sendOnce(run, itemIndex, makeRequest, options);
		// The customer has not got it, so the next execution may send another one.
		const forget = async () => await forgetOnce(run, attempt);
		return async () => [
			inOrder(await followSentMessage(run, message, options.following, itemIndex, forget)),
		];
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
	options = readSendingOptions(run, itemIndex),
): Promise<Message> {
	const { caller } = run;
	const attempts = run.memory.part(SendAttempts);
	const own = await attempts.attemptOf(run, itemIndex);
	if (own.accepted) return own.accepted;
	const request = (own.request ??= await makeRequest?.());
	if (!request) throw new TypeError('An attempt without a request needs makeRequest');
	if (!isTool(caller.getNode())) return await sendAttempt(run, request, own, options);

	const attempt = own.lost ? own : (attempts.lostCallLike(caller, request) ?? own);
	try {
		return await sendAttempt(run, request, attempt, options);
	} finally {
		if (attempt.lost && !attempt.accepted) attempts.addLostCall(caller, request, attempt);
		else attempts.forgetLostCall(caller, request);
	}
}

/** The options of an item, read once. */
type SendingOptions = {
	itemIndex: number;
	onlyOnceFor: string | undefined;
	ifUnconfirmed: IfUnconfirmed;
	skipsOptedOut: boolean;
	usesAnotherLine: boolean;
	following: Following;
};

/** @throws NodeOperationError with the item's number */
function readSendingOptions(run: Run, itemIndex: number): SendingOptions {
	const options = readCollection(run.caller, 'options', itemIndex);
	return {
		itemIndex,
		onlyOnceFor: readOnlyOnceFor(run, options, itemIndex),
		ifUnconfirmed: readIfUnconfirmed(run, options, itemIndex),
		skipsOptedOut: readSkipsOptedOut(run, options, itemIndex),
		usesAnotherLine: readUsesAnotherLine(run, options, itemIndex),
		following: readFollowing(run, options, itemIndex),
	};
}

/** Sends the message unless an earlier try has sent it. */
async function sendAttempt(
	run: Run,
	request: SendRequest,
	attempt: Attempt,
	options: SendingOptions,
): Promise<Message> {
	if (attempt.accepted) return attempt.accepted;
	const { itemIndex, onlyOnceFor: words, ifUnconfirmed } = options;
	const deliver = async (body: SendRequest) =>
		await deliverMessage(run, { request: body, attempt, ifUnconfirmed, itemIndex });
	const deliverByLine = async () =>
		options.usesAnotherLine
			? await deliverByAnyLine(run, request, { attempt, itemIndex, deliver })
			: await deliver(request);
	const refusal =
		words === undefined
			? await deliverByLine()
			: await deliverOnce(run, {
					words,
					request,
					attempt,
					itemIndex,
					deliver: deliverByLine,
				});
	if (refusal === 'sentBefore') {
		run.results.mark(itemIndex, 'alreadySent');
		return skippedMessage(request, `A message for “${words}” was sent before`);
	}
	if (!refusal) {
		run.results.mark(itemIndex, 'sent');
		return attempt.accepted ?? {};
	}
	// The service has not accepted the message, so the next try may send another text.
	attempt.request = undefined;
	if (kindOf(refusal) !== 'optedOut' || !options.skipsOptedOut) {
		throw toNodeError(await run.connection(), refusal, itemIndex);
	}
	run.results.mark(itemIndex, 'optedOut');
	return skippedMessage(request, refusal.kind === 'answer' ? serviceSentence(refusal.body) : '');
}

type Deliver = (request: SendRequest) => Promise<Outcome | undefined>;

/**
 * Delivers a message by its line, and by another one where that is blocked. The answer to a send names no line (§2.2), so
 * the node chooses the line itself, and the item says which one it was.
 *
 * @returns the refusal, where the service has not accepted the message by any line
 */
async function deliverByAnyLine(
	run: Run,
	request: SendRequest,
	{ attempt, itemIndex, deliver }: { attempt: Attempt; itemIndex: number; deliver: Deliver },
): Promise<Outcome | undefined> {
	const otherLines = await run.once('other lines', async () => new OtherLines(run));
	let body = request;
	let refusal: Outcome | undefined;
	for (;;) {
		if (!otherLines.isBlocked(body.line_handle)) {
			refusal = await deliver(body);
			if (!refusal && attempt.accepted && body !== request) {
				attempt.accepted = { ...attempt.accepted, line_handle: body.line_handle };
			}
			if (!refusal || kindOf(refusal) !== 'lineBlocked') return refusal;
			if (body.line_handle) otherLines.markBlocked(body.line_handle);
		}
		const lineHandle = await otherLines.choose(itemIndex);
		// Without another line, the service says once more that the chosen one is blocked.
		if (lineHandle === undefined) return refusal ?? (await deliver(request));
		body = attempt.request = { ...request, line_handle: lineHandle };
	}
}

const kindOf = (refusal: Outcome) => (refusal.kind === 'answer' ? refusalKind(refusal) : undefined);
