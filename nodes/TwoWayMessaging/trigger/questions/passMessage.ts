import type { IExecuteFunctions, IN8nHttpFullResponse, ITriggerFunctions } from 'n8n-workflow';
import { isFields } from '../../message';
import { reasonOf } from '../../reasonOf';
import { classifyBrokenRequest } from '../../service/outcome';
import { pause } from '../../service/pause';
import type { PassedMessage } from '../../waiting/passedText';
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

/** How long n8n may take to answer a request to itself. */
const ANSWER_TIMEOUT_MS = 10_000;

/** The same where the execution may ask the customer again, within the service's limits. */
const READING_TIMEOUT_MS = 180_000;

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
	passed: Omit<PassedMessage, 'token'>,
): Promise<OfferResult> {
	const { context, clock } = call;
	let mayHaveTaken = false;
	for (let tries = 0; ; tries += 1) {
		const result = await post(context, question, passed);
		const pauseMs = PAUSES_MS[tries];
		if (result.kind === 'answer') {
			const { body, status } = result;
			if (isFields(body) && body.answered === true) return 'taken';
			if (isFields(body) && body.isOther === true) return 'other';
			if (isFields(body) && body.waits === true) return 'read';
			const isYoung = clock.nowMs() - question.askedAtMs < WAITS_WITHIN_MS;
			const mayWaitLater = status === 409 && isYoung && !hasFinished(body);
			if (!mayWaitLater || pauseMs === undefined)
				return mayHaveTaken && !isListed(call, question) ? 'taken' : 'gone';
		} else {
			mayHaveTaken ||= result.kind === 'unclear';
			if (pauseMs === undefined || (!mayHaveTaken && tries >= PAUSES_TO_REACH)) {
				logUnreached(context, mayHaveTaken);
				return mayHaveTaken ? 'unclear' : 'unreachable';
			}
		}
		await pause(call, pauseMs);
	}
}

/** Whether no execution of this process has gone on with an answer to the question. */
function isListed({ processMemory }: TriggerCall, { token }: Question): boolean {
	return processMemory.part(WaitingList).find(token) !== undefined;
}

/** Whether n8n says that the execution is over. Before it waits, n8n says that it is running. */
function hasFinished(body: unknown): boolean {
	return isFields(body) && /\bfinished\b/.test(String(body.message));
}

function logUnreached(context: IExecuteFunctions | ITriggerFunctions, mayHaveTaken: boolean): void {
	const { name } = context.getNode();
	if (mayHaveTaken) {
		context.logger.warn(`${name} cannot tell whether the execution that waits has an answer`);
	} else {
		context.logger.warn(`${name} cannot reach n8n at its own URL to pass on an answer`);
	}
}

async function post(
	context: IExecuteFunctions | ITriggerFunctions,
	{ resumeUrl, token, isChoosy }: Question,
	passed: Omit<PassedMessage, 'token'>,
): Promise<PostResult> {
	try {
		const { body, statusCode: status } = (await context.helpers.httpRequest({
			method: 'POST',
			url: resumeUrl,
			body: { token, ...passed },
			json: true,
			timeout: isChoosy ? READING_TIMEOUT_MS : ANSWER_TIMEOUT_MS,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		})) as IN8nHttpFullResponse;
		if (status >= 500 || status === 408) return { kind: 'unclear' };
		return OF_N8N.has(status) ? { kind: 'answer', status, body } : { kind: 'unreachable' };
	} catch (thrown) {
		context.logger.debug(`Passing on an answer: ${reasonOf(thrown)}`);
		return { kind: classifyBrokenRequest(thrown).kind === 'unsent' ? 'unreachable' : 'unclear' };
	}
}
