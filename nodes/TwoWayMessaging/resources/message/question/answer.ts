import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { isFields } from '../../../message';
import { questionOf, readAsked, type Buttons } from './asked';
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
	if (!asked.buttons) return show(webhook, 404, nothingToDoPage());
	const decision = isPost ? decisionOf(webhook.getBodyData(), asked.buttons) : undefined;
	if (decision === undefined) {
		const page = askingPage(asked.question.content ?? '', asked.buttons);
		return show(webhook, isPost ? 400 : 200, page);
	}
	return goOn(webhook, thanksPage(decision.label), {
		answered: true,
		approved: decision.isApproved,
		answered_at: new Date().toISOString(),
		...questionOf(asked),
	});
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

function goOn(webhook: IWebhookFunctions, page: Page, json: IDataObject): IWebhookResponseData {
	setHeaders(webhook, page);
	return { webhookResponse: page.html, workflowData: [[{ json, pairedItem: { item: 0 } }]] };
}

function setHeaders(webhook: IWebhookFunctions, { headers }: Page): void {
	const response = webhook.getResponseObject();
	for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}
