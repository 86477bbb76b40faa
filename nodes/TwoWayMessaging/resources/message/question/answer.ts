import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { isFields, type Message } from '../../../message';
import { questionOf, readAsked, type Asked, type Buttons } from './asked';
import { askingPage, nothingToDoPage, thanksPage, type Page } from './page';

/** Where an execution that waits for an answer is reached. n8n checks the signature of the address. */
export const ANSWER_WEBHOOKS = (['GET', 'POST'] as const).map((httpMethod) => ({
	name: 'default' as const,
	httpMethod,
	responseMode: 'onReceived' as const,
	responseData: '',
	path: '={{ $nodeId }}',
	restartWebhook: true,
	isFullPath: true,
}));

const DEFAULT_BUTTONS: Buttons = { approve: 'Approve', decline: 'Decline' };

/** Takes a visit to the page, or an answer: only the latter lets the execution go on. */
export async function receiveAnswer(webhook: IWebhookFunctions): Promise<IWebhookResponseData> {
	const asked = readAsked(webhook) ?? { question: {}, buttons: DEFAULT_BUTTONS };
	const isPost = webhook.getRequestObject().method === 'POST';
	if (!asked.buttons)
		return isPost ? takeText(webhook, asked) : show(webhook, 404, nothingToDoPage());
	const decision = isPost ? decisionOf(webhook.getBodyData(), asked.buttons) : undefined;
	if (decision === undefined) {
		const page = askingPage(asked.question.content ?? '', asked.buttons);
		return show(webhook, isPost ? 400 : 200, page);
	}
	const page = thanksPage(decision.label);
	setHeaders(webhook, page);
	return goOn(page.html, asked, { approved: decision.isApproved });
}

/** Takes the text that a trigger hands over, if it was meant for this question and no earlier one. */
function takeText(webhook: IWebhookFunctions, asked: Asked): IWebhookResponseData {
	const { token, message } = webhook.getBodyData();
	if (asked.token !== undefined && token === asked.token && isFields(message)) {
		return goOn({ answered: true }, asked, message as Message as IDataObject);
	}
	webhook.getResponseObject().status(410).json({ answered: false });
	return { noWebhookResponse: true };
}

type Decision = { isApproved: boolean; label: string };

function decisionOf(body: unknown, { approve, decline }: Buttons): Decision | undefined {
	const said = isFields(body) ? body.decision : undefined;
	if (said === 'approve') return { isApproved: true, label: approve };
	if (said === 'decline' && decline !== undefined) return { isApproved: false, label: decline };
	return undefined;
}

function show(webhook: IWebhookFunctions, status: number, page: Page): IWebhookResponseData {
	const response = webhook.getResponseObject();
	setHeaders(webhook, page);
	response.status(status).send(page.html);
	return { noWebhookResponse: true };
}

function goOn(
	webhookResponse: string | IDataObject,
	asked: Asked,
	answer: IDataObject,
): IWebhookResponseData {
	const json: IDataObject = {
		answered: true,
		answered_at: new Date().toISOString(),
		...answer,
		...questionOf(asked),
	};
	return { webhookResponse, workflowData: [[{ json, pairedItem: { item: 0 } }]] };
}

function setHeaders(webhook: IWebhookFunctions, { headers }: Page): void {
	const response = webhook.getResponseObject();
	for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}
