import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { isFields, type Message } from '../../../message';
import { questionOfVisit } from '../../../n8n/resumeUrl';
import type { ProcessMemory } from '../../../processMemory';
import { askingPage, nothingToDoPage, overPage, thanksPage, type Page } from './answerPage';
import {
	questionFieldsOf,
	readAskedQuestion,
	type AskedQuestion,
	type Buttons,
} from './askedQuestion';

/** The webhooks of an execution that waits for an answer. n8n checks the signature of their URL. */
export const ANSWER_WEBHOOKS = (['GET', 'POST'] as const).map((httpMethod) => ({
	name: 'default' as const,
	httpMethod,
	responseMode: 'onReceived' as const,
	responseData: '',
	path: '={{ $nodeId }}',
	restartWebhook: true,
	isFullPath: true,
}));

/**
 * Receives a visit to the page, or an answer. Only an answer to the question that the execution waits for lets it
 * continue: the URL of an earlier question still leads here, where a node asks several in one execution.
 */
export async function receiveAnswer(
	webhook: IWebhookFunctions,
	{ clock }: ProcessMemory,
): Promise<IWebhookResponseData> {
	const asked = readAskedQuestion(webhook);
	const now = new Date(clock.nowMs());
	const isPost = webhook.getRequestObject().method === 'POST';
	if (asked === undefined || questionOfVisit(webhook) !== asked.token) {
		return isJson(webhook) ? refuseText(webhook) : showPage(webhook, 410, overPage());
	}
	if (!asked.buttons) {
		return isPost ? receiveText(webhook, asked, now) : showPage(webhook, 404, nothingToDoPage());
	}
	const decision = isPost ? readDecision(webhook.getBodyData(), asked.buttons) : undefined;
	if (decision === undefined) {
		const page = askingPage(asked.question.content ?? '', asked.buttons);
		return showPage(webhook, isPost ? 400 : 200, page);
	}
	const page = thanksPage(decision.label);
	setHeaders(webhook, page);
	return continueExecution(page.html, asked, { approved: decision.isApproved }, now);
}

/** Receives the text that a trigger passes, if it answers this question and not an earlier one. */
function receiveText(
	webhook: IWebhookFunctions,
	asked: AskedQuestion,
	now: Date,
): IWebhookResponseData {
	const { token, message } = webhook.getBodyData();
	if (token === asked.token && isFields(message)) {
		return continueExecution({ answered: true }, asked, message as Message as IDataObject, now);
	}
	return refuseText(webhook);
}

function refuseText(webhook: IWebhookFunctions): IWebhookResponseData {
	webhook.getResponseObject().status(410).json({ answered: false });
	return { noWebhookResponse: true };
}

/** Whether a trigger passes a text; a browser that presses a button sends a form. */
function isJson(webhook: IWebhookFunctions): boolean {
	const { token, message } = webhook.getBodyData() ?? {};
	return typeof token === 'string' && isFields(message);
}

type Decision = { isApproved: boolean; label: string };

function readDecision(body: unknown, { approve, decline }: Buttons): Decision | undefined {
	const said = isFields(body) ? body.decision : undefined;
	if (said === 'approve') return { isApproved: true, label: approve };
	if (said === 'decline' && decline !== undefined) return { isApproved: false, label: decline };
	return undefined;
}

function showPage(webhook: IWebhookFunctions, status: number, page: Page): IWebhookResponseData {
	const response = webhook.getResponseObject();
	setHeaders(webhook, page);
	response.status(status).send(page.html);
	return { noWebhookResponse: true };
}

function continueExecution(
	webhookResponse: string | IDataObject,
	asked: AskedQuestion,
	answer: IDataObject,
	now: Date,
): IWebhookResponseData {
	const json: IDataObject = {
		answered: true,
		answered_at: now.toISOString(),
		...answer,
		...questionFieldsOf(asked),
	};
	return { webhookResponse, workflowData: [[{ json, pairedItem: { item: 0 } }]] };
}

function setHeaders(webhook: IWebhookFunctions, { headers }: Page): void {
	const response = webhook.getResponseObject();
	for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}
