import type { IExecuteFunctions, IN8nHttpFullResponse, IPollFunctions } from 'n8n-workflow';
import { isFields } from '../../message';
import { reasonOf } from '../../reasonOf';
import { pause } from '../../transport/pause';
import type { PassedMessage } from '../../waiting/passedText';
import type { Question } from '../../waiting/question';
import type { OfferResult } from '../../waiting/waitingList';
import type { TriggerCall } from '../nodeMemory';

/** Pauses before another try, while an execution has asked its question and does not wait yet. */
const WAITS_LATER_PAUSES_MS = [300, 1_000, 3_000];

/** How long after its question an execution may still be about to wait. */
const WAITS_WITHIN_MS = 60_000;

/** How long n8n may take to answer a request to itself. */
const ANSWER_TIMEOUT_MS = 10_000;

/** The same where the execution may ask the customer again, within the service's limits. */
const READING_TIMEOUT_MS = 180_000;

/** Pauses before another try to reach this n8n at its own URL. */
const REACH_PAUSES_MS = [500, 2_000];

/**
 * Passes a message to the execution that waits for it. Only its own reply counts, as n8n shows a page in place of
 * executions that have ended.
 */
export async function passMessage(
	call: TriggerCall<IExecuteFunctions | IPollFunctions>,
	question: Question,
	passed: Omit<PassedMessage, 'token'>,
): Promise<OfferResult> {
	const { caller, clock } = call;
	const waitsLaterPausesMs = [...WAITS_LATER_PAUSES_MS];
	const reachPausesMs = [...REACH_PAUSES_MS];
	for (;;) {
		const response = await post(caller, question, passed);
		if (response && response.statusCode < 500) {
			const { body } = response;
			if (isFields(body) && body.answered === true) return 'taken';
			if (isFields(body) && body.waits === true) return 'read';
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

async function post(
	caller: IExecuteFunctions | IPollFunctions,
	{ resumeUrl, token, isChoosy }: Question,
	passed: Omit<PassedMessage, 'token'>,
): Promise<IN8nHttpFullResponse | undefined> {
	try {
		return (await caller.helpers.httpRequest({
			method: 'POST',
			url: resumeUrl,
			body: { token, ...passed },
			json: true,
			timeout: isChoosy ? READING_TIMEOUT_MS : ANSWER_TIMEOUT_MS,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		})) as IN8nHttpFullResponse;
	} catch (thrown) {
		caller.logger.debug(`Passing on an answer: ${reasonOf(thrown)}`);
		return undefined;
	}
}
