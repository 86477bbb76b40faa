import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { CREDENTIAL } from '../transport/credentialSettings';
import { processMemory } from '../processMemory';
import { WaitingList } from '../waiting/waitingList';
import {
	ANNOUNCEMENT_HEADER as NOTE_HEADER,
	announcementSecret as noteSecret,
	readAnnouncement as readNote,
	type AnnouncementAnswer as NoteAnswer,
} from '../waiting/announcement';
import { accountOfWebhook, keepQuestions, keptQuestions } from './questions';
import { TOLERANCE_SECONDS, verifySignature } from './signature';

/**
 * Takes a note that an execution of this package is about to ask a customer, so that the question is found
 * again after a restart: n8n saves what is written here, as no execution starts.
 *
 * @returns undefined when the request is no note
 */
export async function receiveNote(
	webhook: IWebhookFunctions,
): Promise<IWebhookResponseData | undefined> {
	const header = webhook.getHeaderData()[NOTE_HEADER];
	if (header === undefined) return undefined;
	const { rawBody } = webhook.getRequestObject();
	const { isGenuine } = verifySignature({
		header,
		rawBody: rawBody ?? Buffer.alloc(0),
		secrets: [noteSecret(await webhook.getCredentials(CREDENTIAL))],
		nowMs: Date.now(),
		toleranceSeconds: TOLERANCE_SECONDS,
	});
	const question = isGenuine ? readNote(webhook.getBodyData()) : undefined;
	if (!question || question.account !== accountOfWebhook(webhook)) {
		webhook.logger.warn(`${webhook.getNode().name} refused a note of a question`);
		webhook.getResponseObject().status(401).json({ message: 'The note was not accepted' });
		return { noWebhookResponse: true };
	}
	const isKept = keptQuestions(webhook).some(({ token }) => token === question.token);
	processMemory.part(WaitingList).restore([question]);
	keepQuestions(webhook);
	const answer: NoteAnswer = { isKept };
	return { webhookResponse: answer as unknown as IDataObject };
}
