import type { IExecuteFunctions, IN8nHttpFullResponse } from 'n8n-workflow';
import { isFields, type Message } from '../../message';
import { reasonOf } from '../../reasonOf';
import { pause } from '../../transport/pause';
import type { Question } from '../../waiting/question';
import { WaitingList, type OfferResult } from '../../waiting/waitingList';
import type { Arrival } from '../handover';
import type { TriggerCall } from '../nodeMemory';
import { toCustomerText } from './awaitedTexts';

/** Pauses before another try, while an execution has asked its question and does not wait yet. */
const WAITS_LATER_PAUSES_MS = [300, 1_000, 3_000];

/** How long after its question an execution may still be about to wait. */
const WAITS_WITHIN_MS = 60_000;

/** How long n8n may take to answer a request to itself. */
const ANSWER_TIMEOUT_MS = 10_000;

/** Pauses before another try to reach this n8n at its own URL. */
const REACH_PAUSES_MS = [500, 2_000];

/**
 * Offers answers to the executions that wait for them.
 *
 * @returns what is left: an answer that no execution has taken starts the workflow as usual, so that it is never
 * lost
 */
export async function offerAnswers(
	call: TriggerCall<IExecuteFunctions>,
	arrivals: Arrival[],
): Promise<Arrival[]> {
	const left: Arrival[] = [];
	for (const arrival of arrivals) {
		const { handover } = arrival;
		if (handover?.kind !== 'answer') {
			left.push(arrival);
			continue;
		}
		const { account, name, message, createdAt, mayStart } = handover;
		const isTaken = await call.processMemory
			.part(WaitingList)
			.offer(account, name, toCustomerText(message, createdAt), async (question) => {
				return await passAnswer(call, question, message);
			});
		if (!isTaken && mayStart) left.push(arrival);
	}
	return left;
}

/**
 * Passes an answer to the execution that waits for it. Only its own reply counts, as n8n shows a page in place of
 * executions that have ended.
 */
async function passAnswer(
	call: TriggerCall<IExecuteFunctions>,
	question: Question,
	message: Message,
): Promise<OfferResult> {
	const { caller, clock } = call;
	const waitsLaterPausesMs = [...WAITS_LATER_PAUSES_MS];
	const reachPausesMs = [...REACH_PAUSES_MS];
	for (;;) {
		const response = await postAnswer(caller, question, message);
		if (response && response.statusCode < 500) {
			if (isFields(response.body) && response.body.answered === true) return 'taken';
			const mayWaitLater =
				response.statusCode === 409 && clock.nowMs() - question.askedAtMs < WAITS_WITHIN_MS;
			const pauseMs = mayWaitLater ? waitsLaterPausesMs.shift() : undefined;
			if (pauseMs === undefined) return 'gone';
			await pause(call, pauseMs);
		} else {
			const pauseMs = reachPausesMs.shift();
			if (pauseMs === undefined) {
				caller.logger.warn(
					`${caller.getNode().name} cannot reach n8n at its own URL to pass on an answer`,
				);
				return 'unreachable';
			}
			await pause(call, pauseMs);
		}
	}
}

async function postAnswer(
	caller: IExecuteFunctions,
	{ resumeUrl, token }: Question,
	message: Message,
): Promise<IN8nHttpFullResponse | undefined> {
	try {
		return (await caller.helpers.httpRequest({
			method: 'POST',
			url: resumeUrl,
			body: { token, message },
			json: true,
			timeout: ANSWER_TIMEOUT_MS,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		})) as IN8nHttpFullResponse;
	} catch (thrown) {
		caller.logger.debug(`Passing on an answer: ${reasonOf(thrown)}`);
		return undefined;
	}
}
