import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { CREDENTIAL } from '../../transport/credentialSettings';
import {
	ANNOUNCEMENT_HEADER,
	announcementSecret,
	readAnnouncement,
	type AnnouncementAnswer,
} from '../../waiting/announcement';
import { accountOfWebhook, saveQuestions } from '../answers/listenForAnswers';
import type { TriggerCall } from '../nodeMemory';
import { readSaved } from '../savedState';
import { SigningKeys, TOLERANCE_SECONDS, verifySignature } from '../verifySignature';

/**
 * Receives the announcement of a question that an execution of this package is about to ask, so that the question is
 * found again after a restart: n8n saves what is written here, as no execution starts.
 *
 * @returns undefined when the request is no announcement
 */
export async function receiveAnnouncement(
	call: TriggerCall<IWebhookFunctions>,
): Promise<IWebhookResponseData | undefined> {
	const { caller, processMemory } = call;
	const header = caller.getHeaderData()[ANNOUNCEMENT_HEADER];
	if (header === undefined) return undefined;
	const { isGenuine } = verifySignature({
		header,
		rawBody: caller.getRequestObject().rawBody ?? Buffer.alloc(0),
		secrets: [announcementSecret(await caller.getCredentials(CREDENTIAL))],
		keys: processMemory.part(SigningKeys),
		nowMs: call.clock.nowMs(),
		toleranceSeconds: TOLERANCE_SECONDS,
	});
	const question = isGenuine ? readAnnouncement(caller.getBodyData()) : undefined;
	if (!question || question.account !== accountOfWebhook(call)) {
		caller.logger.warn(`${caller.getNode().name} refused the announcement of a question`);
		caller.getResponseObject().status(401).json({ message: 'The announcement was not accepted' });
		return { noWebhookResponse: true };
	}
	const saved = readSaved(caller, 'questions') ?? [];
	// As it is announced: what is known of a question changes.
	const announced = JSON.stringify(question);
	const answer: AnnouncementAnswer = {
		isKept: saved.some((one) => JSON.stringify(one) === announced),
	};
	// The list has the question already, unless it has ended since it was announced.
	saveQuestions(call);
	return { webhookResponse: answer as unknown as IDataObject };
}
