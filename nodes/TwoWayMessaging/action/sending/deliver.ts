import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { PATHS, type SendRequest } from '../../contract';
import { toMessage } from '../../message';
import { findMessage } from '../../service/answers';
import { explain, toNodeError } from '../../service/errors';
import { stopIfCancelled } from '../../service/pause';
import { isSuccess } from '../../service/readJson';
import type { Outcome } from '../../service/outcome';
import { sendRequest } from '../../service/request';
import type { Asker } from '../../service/run';
import { earliestDateMs } from '../../service/account';
import { findLost, inTurnOfAlike } from './find';
import { Ledger, type Entry, type LostAnswer } from './ledger';

export type Delivery = {
	request: SendRequest;
	/** Has what became of the message afterwards. */
	entry: Entry;
	/** Whether a message that is not confirmed is sent once more. */
	sendsAgain: boolean;
	itemIndex: number;
	/** Is told of every request that sends the message, and may forbid it by throwing. */
	once?: { begin: () => Promise<void>; end: (state: Entry['state']) => Promise<void> };
};

/**
 * Sends one message at most once (§4.1). A request is repeated only where it has certainly not been accepted; where the
 * answer is missing, the history decides (§4.5).
 *
 * ```ts
 * const refusal = await deliver(run, { request, entry, sendsAgain: false, itemIndex });
 * if (!refusal) return entry.message;
 * ```
 *
 * @returns the refusal, where the service has not accepted the message
 * @throws NodeApiError when the service has not confirmed the message
 */
export async function deliver(run: Asker, delivery: Delivery): Promise<Outcome | undefined> {
	const { entry, sendsAgain } = delivery;
	const refusal = entry.lost ? undefined : await post(run, delivery);
	if (!entry.lost) return refusal;
	let refusedAgain: Outcome | undefined;
	while (!(await findOrExplain(run, delivery, entry.lost, refusedAgain))) {
		if (refusedAgain || entry.isSentAgain || !sendsAgain) {
			const since = new Date(earliestDateMs(entry.lost)).toISOString();
			const history = `The history does not show the message so far: since ${since} it has no other message to ${delivery.request.number} with this text.`;
			throw await unconfirmedError(run, delivery, { lost: entry.lost, history, refusedAgain });
		}
		entry.isSentAgain = true;
		const outcome = await post(run, delivery);
		if (!outcome) return undefined;
		// Whatever the service says of the second request, it may have accepted the first.
		if (isRefusal(outcome)) refusedAgain = outcome;
	}
	return undefined;
}

/**
 * Sends the request, and remembers in the entry what has become of it, before any other send goes on.
 *
 * @returns undefined where the service has accepted the message
 */
async function post(run: Asker, { request, entry, once }: Delivery): Promise<Outcome | undefined> {
	const connection = await run.connection();
	const ledger = run.memory.part(Ledger);
	const watchTry = async () => {
		await once?.begin();
		const sinceMs = run.clock.nowMs();
		const markRefused = run.watchSend?.();
		entry.state = 'onItsWay';
		return async (outcome: Outcome = { kind: 'unanswered', code: 'no answer' }) => {
			const fields = isSuccess(outcome) ? findMessage(outcome.body) : undefined;
			if (fields) {
				ledger.markSent(entry, toMessage(fields));
			} else if (isRefusal(outcome)) {
				entry.state = entry.lost ? 'open' : 'refused';
				markRefused?.();
			} else {
				entry.state = 'open';
				entry.lost ??= { sinceMs, outcome };
			}
			await once?.end(entry.state);
		};
	};
	return await inTurnOfAlike(run, request, async () => {
		const body = request as IDataObject;
		const { sendMessage: path } = PATHS;
		const outcome = await sendRequest(connection, { method: 'POST', path, body, watchTry });
		return entry.state === 'sent' ? undefined : outcome;
	});
}

/** Whether the service has certainly not accepted the message. A 408 may come after the service accepted it. */
function isRefusal(outcome: Outcome): boolean {
	if (outcome.kind !== 'answer') return outcome.kind === 'unsent';
	return outcome.status >= 300 && outcome.status < 500 && outcome.status !== 408;
}

/**
 * @returns whether the history shows the message
 * @throws NodeApiError when the history cannot be read, or shows what may be the message: to send it again might text the
 * customer twice
 */
async function findOrExplain(
	run: Asker,
	delivery: Delivery,
	lost: LostAnswer,
	refusedAgain: Outcome | undefined,
): Promise<boolean> {
	const { request, entry, itemIndex, once } = delivery;
	let found: Awaited<ReturnType<typeof findLost>>;
	try {
		found = await findLost(run, { request, entry, lost, itemIndex });
	} catch {
		stopIfCancelled(run.context);
		const history = 'The history, which might show it, cannot be read at the moment either.';
		throw await unconfirmedError(run, delivery, { lost, history });
	}
	if (found === 'undated') {
		const history = `The history shows a message to ${request.number} with this text, but not to the second when it was sent, so it may be this one or an earlier one.`;
		throw await unconfirmedError(run, delivery, { lost, history, refusedAgain, isUndated: true });
	}
	if (found) await once?.end('sent');
	return found === 'found';
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
	{ entry, itemIndex }: Delivery,
	{ lost: { outcome }, history, refusedAgain, isUndated }: Known,
): Promise<NodeApiError> {
	const connection = await run.connection();
	run.results?.set(itemIndex, 'unconfirmed');
	const what =
		outcome.kind === 'answer'
			? `status ${outcome.status}`
			: `the connection ended: ${outcome.code}`;
	const again = refusedAgain
		? ` It then sent the message once more, which was not accepted: ${explain(refusedAgain, connection.settings.baseUrl).message}.`
		: '';
	const option =
		entry.isSentAgain || isUndated
			? ''
			: " To send the message a second time in such a case, add the option 'If Unsure It Was Sent' and choose 'Send Once More'.";
	return toNodeError(connection, outcome, itemIndex, {
		message: 'The service has not confirmed the message, so it may or may not arrive',
		description: `The node sent the message, but got no answer that it could read (${what}).${again} ${history} Look at the conversation (Message: Get Many) before you send the message again, as the customer might get it twice. Retry On Fail does not send it again; it looks into the history again.${option}`,
	});
}
