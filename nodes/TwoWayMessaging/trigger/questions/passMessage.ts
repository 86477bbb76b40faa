import type { IExecuteFunctions, IN8nHttpFullResponse, ITriggerFunctions } from 'n8n-workflow';
import { isFields } from '../../message';
import { reasonOf } from '../../reasonOf';
import { classifyBrokenRequest } from '../../service/outcome';
import { retry } from '../../service/pause';
import type { PassedAnswer, PassedMessage } from '../../waiting/passedText';
import type { Question } from '../../waiting/question';
import { WaitingList, type OfferResult } from '../../waiting/waitingList';
import type { TriggerCall } from '../nodeMemory';

/**
 * Pauses before another try: three minutes together, while the question is being sent and n8n saves its execution, or while
 * it is not clear whether the execution has the message, so that nobody else may get it.
 */
const PAUSES_MS = [300, 1_000, 3_000, 5_000, 10_000, 20_000, 20_000, 60_000, 60_000];

/** So many of them while this n8n cannot be reached at its own URL. */
const PAUSES_TO_REACH = 2;

/** How long after its question an execution may still be about to wait. */
const WAITS_WITHIN_MS = 3 * 60_000;

/** How long a request to this n8n may take. While the execution asks the customer again, a later one waits for the same. */
const ANSWER_TIMEOUT_MS = 30_000;

/** What n8n and the node answer (n8n's page, and that nothing waits there); everything else is a proxy's refusal. */
const OF_N8N: ReadonlySet<number> = new Set([200, 401, 404, 409, 410]);

/** An answer is `unclear` when the request may have reached the execution all the same: it was cut, or a proxy ended it. */
type PostResult =
	{ kind: 'answer'; status: number; body: unknown } | { kind: 'unreachable' } | { kind: 'unclear' };

/**
 * Passes a message to the execution that waits for it. Only its own reply counts, as n8n shows a page in place of
 * executions that have ended.
 *
 * After a try without a clear answer only this execution may have the message. An execution that goes on with it removes
 * its question from the waiting list. One that waits no more while its question is still there was stopped.
 */
export async function passMessage(
	call: TriggerCall<IExecuteFunctions | ITriggerFunctions>,
	question: Question,
	{ message, ends }: Omit<PassedMessage, 'token'>,
): Promise<OfferResult> {
	const { context, clock } = call;
	const all = { tries: 0, mayHaveTaken: false };
	const tryOnce = async () => {
		all.tries += 1;
		const { resumeUrl, token } = question;
		const result = await post(context, resumeUrl, { token, message, ends });
		all.mayHaveTaken ||= result.kind === 'unclear';
		return result;
	};
	// Before it waits, n8n says that the execution is running.
	const isOver = (body: unknown) => isFields(body) && /\bfinished\b/.test(String(body.message));
	const mayWaitLater = (status: number, body: unknown) =>
		status === 409 && clock.nowMs() - question.askedAtMs < WAITS_WITHIN_MS && !isOver(body);
	const isFinal = (result: PostResult) =>
		result.kind === 'answer'
			? !mayWaitLater(result.status, result.body)
			: !all.mayHaveTaken && all.tries > PAUSES_TO_REACH;
	const result = await retry(call, await tryOnce(), tryOnce, {
		pausesMs: PAUSES_MS,
		askedMs: (last) => (isFinal(last) ? undefined : 0),
	});
	if (result.kind !== 'answer') {
		call.warn(
			all.mayHaveTaken
				? ' cannot tell whether the execution that waits has an answer'
				: ' cannot reach n8n at its own URL to pass on an answer',
		);
		return all.mayHaveTaken ? 'unclear' : 'unreachable';
	}
	const said: Partial<PassedAnswer> = isFields(result.body) ? result.body : {};
	if (said.answered === true) return 'taken';
	if (said.isOther === true) return 'other';
	if (said.waits === true) return 'read';
	const waits = call.processMemory.part(WaitingList).find(question.token) !== undefined;
	return all.mayHaveTaken && !waits ? 'taken' : 'gone';
}

async function post(
	context: IExecuteFunctions | ITriggerFunctions,
	url: string,
	body: PassedMessage,
): Promise<PostResult> {
	try {
		const { body: said, statusCode: status } = (await context.helpers.httpRequest({
			method: 'POST',
			url,
			body,
			json: true,
			timeout: ANSWER_TIMEOUT_MS,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		})) as IN8nHttpFullResponse;
		if (status >= 500 || status === 408) return { kind: 'unclear' };
		return OF_N8N.has(status) ? { kind: 'answer', status, body: said } : { kind: 'unreachable' };
	} catch (thrown) {
		context.logger.debug(`Passing on an answer: ${reasonOf(thrown)}`);
		return { kind: classifyBrokenRequest(thrown).kind === 'unsent' ? 'unreachable' : 'unclear' };
	}
}
