import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import type { Clock } from '../../clock';
import { isFields, type Message } from '../../message';
import { itemsAt } from '../../n8n/outputAfterWait';
import { questionOfVisit } from './resumeUrl';
import type { ProcessMemory } from '../../processMemory';
import { readPassed, type PassedAnswer, type PassedMessage } from '../../waiting/passedText';
import { isQuoteOf, reactionIn } from '../../waiting/reaction';
import { WaitingList } from '../../waiting/waitingList';
import { askingPage, overPage, thanksPage, type Buttons, type Page } from './page';
import { askAgain } from './askAgain';
import { questionFieldsOf, readAskedQuestion, type AskedQuestion } from './askedQuestion';
import { answerIn, askAgainText } from './expected';
import type { NoAnswerReason } from './outputs';

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

/** How long n8n may take to let an execution go on. A later press counts again, in case n8n could not. */
const CONTINUES_WITHIN_MS = 30_000;

/** The answers with which executions are about to go on: of two presses at the same moment, one counts. */
class GivenAnswers {
	private readonly given = new Map<string, { label: string; atMs: number }>();

	constructor(private readonly clock: Clock) {}

	/** The label of the button that was pressed a moment ago; undefined when none was. */
	labelOf(token: string): string | undefined {
		const sinceMs = this.clock.nowMs() - CONTINUES_WITHIN_MS;
		for (const [one, { atMs }] of this.given) if (atMs < sinceMs) this.given.delete(one);
		return this.given.get(token)?.label;
	}

	add(token: string, label: string): void {
		this.given.set(token, { label, atMs: this.clock.nowMs() });
	}
}

/** A question that is answered or ends, and what it takes to let its execution go on. */
type Waiting = { webhook: IWebhookFunctions; asked: AskedQuestion; memory: ProcessMemory };

/**
 * Receives a visit to the page, or a message that a trigger passes. Only an answer to the question that the execution
 * waits for lets it continue: the URL of an earlier question still leads here, where a node asks several in one execution.
 */
export async function receiveAnswer(
	webhook: IWebhookFunctions,
	memory: ProcessMemory,
): Promise<IWebhookResponseData> {
	const asked = readAskedQuestion(webhook);
	const visited = questionOfVisit(webhook);
	const isPost = webhook.getRequestObject().method === 'POST';
	const passed = isPost ? readPassed(webhook.getBodyData()) : undefined;
	if (asked === undefined || visited !== asked.token) {
		if (passed) return answerTrigger(webhook, 410, { answered: false });
		return showPage(webhook, 410, overPage(asked?.words));
	}
	const waiting = { webhook, asked, memory };
	if (passed) return await receivePassed(waiting, passed);
	if (asked.buttons) return receivePress(waiting, asked.buttons, isPost);
	// The URL of a question by text is known to nobody but this n8n.
	return answerTrigger(webhook, isPost ? 410 : 404, { answered: false });
}

/** Receives a visit to the page with the buttons. */
function receivePress(waiting: Waiting, buttons: Buttons, isPost: boolean): IWebhookResponseData {
	const { webhook, asked, memory } = waiting;
	const content = asked.question.content ?? '';
	const givenAnswers = memory.part(GivenAnswers);
	const given = givenAnswers.labelOf(asked.token);
	if (given !== undefined) return showPage(webhook, 200, thanksPage(given, content, asked.words));
	const decision = isPost ? readDecision(webhook.getBodyData(), buttons) : undefined;
	if (decision === undefined) {
		return showPage(webhook, isPost ? 400 : 200, askingPage(content, buttons, asked.words));
	}
	givenAnswers.add(asked.token, decision.label);
	const page = thanksPage(decision.label, content, asked.words);
	setHeaders(webhook, page);
	const { to: from } = asked.question;
	const said = { ...(from && { from }), content: decision.label };
	return continueAnswered(waiting, page.html, { approved: decision.isApproved, ...said });
}

/** Receives a message that a trigger passes, if it is about this question and not about an earlier one. */
async function receivePassed(
	waiting: Waiting,
	{ token, message, ends }: PassedMessage,
): Promise<IWebhookResponseData> {
	const { webhook, asked, memory } = waiting;
	const said = message as IDataObject;
	if (token !== asked.token) return answerTrigger(webhook, 410, { answered: false });
	if (ends !== undefined) {
		const isMeant = ends !== 'failed' || isSameMessage(message, asked.question);
		if (!isMeant || asked.outputs === 1) return answerTrigger(webhook, 200, STILL_WAITS);
		if (ends !== 'failed') return continueWithoutAnswer(waiting, ends, said);
		const question = { ...asked.question, ...message, content: asked.question.content };
		return continueWithoutAnswer({ ...waiting, asked: { ...asked, question } }, ends, {});
	}
	if (asked.buttons) return answerTrigger(webhook, 410, { answered: false });
	const { expected, question } = asked;
	const text = message.content ?? '';
	const reaction = reactionIn(text);
	const questions = [question.content ?? '', askAgainText(expected)];
	const isAboutOther = reaction && !questions.some((one) => isQuoteOf(reaction.quoted, one));
	if (isAboutOther) return answerTrigger(webhook, 200, { ...STILL_WAITS, isOther: true });
	if (!expected) return continueAnswered(waiting, ANSWERED, said);
	const understood = answerIn(reaction?.emoji ?? text, {
		...expected,
		question: question.content ?? '',
	});
	if (understood) return continueAnswered(waiting, ANSWERED, { ...understood, ...said });
	const outcome = expected.askAgain ? await askAgain(webhook, memory, asked, message) : 'enough';
	if (outcome === 'asked') return answerTrigger(webhook, 200, STILL_WAITS);
	const reason = outcome === 'enough' ? 'notUnderstood' : outcome;
	return continueWithoutAnswer(waiting, reason, said);
}

function isSameMessage(one: Message, other: Message): boolean {
	return one.message_handle !== undefined && one.message_handle === other.message_handle;
}

const ANSWERED: PassedAnswer = { answered: true };
const STILL_WAITS: PassedAnswer = { answered: false, waits: true };

function answerTrigger(
	webhook: IWebhookFunctions,
	status: number,
	answer: PassedAnswer,
): IWebhookResponseData {
	webhook.getResponseObject().status(status).json(answer);
	return { noWebhookResponse: true };
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

/** Lets the execution continue at the output of its answer. */
function continueAnswered(
	waiting: Waiting,
	webhookResponse: string | IDataObject,
	answer: IDataObject,
): IWebhookResponseData {
	const { asked, memory } = waiting;
	const at = new Date(memory.clock.nowMs()).toISOString();
	const json = { answered: true, ...answer, answered_at: at };
	return continueAt(waiting, outputOf(asked, answer), json, webhookResponse);
}

/** The place of the answer's output: of a yes, a no or a choice where each has its own, else the first one. */
function outputOf({ outputs, expected }: AskedQuestion, answer: IDataObject): number {
	if (outputs === 3 && answer.approved === false) return 1;
	const isOfChoice = expected?.kind === 'choice' && outputs === expected.choices.length + 1;
	return isOfChoice && outputs > 2 ? Number(answer.choice_index) : 0;
}

/** Lets the execution continue at the last output. */
function continueWithoutAnswer(
	waiting: Waiting,
	reason: NoAnswerReason,
	said: IDataObject,
): IWebhookResponseData {
	const json = { answered: false, reason, ...said };
	return continueAt(waiting, waiting.asked.outputs - 1, json, ANSWERED);
}

function continueAt(
	{ asked, memory }: Waiting,
	output: number,
	said: IDataObject,
	webhookResponse: string | IDataObject,
): IWebhookResponseData {
	forget(asked, memory);
	const json = { ...said, ...questionFieldsOf(asked) };
	const workflowData = itemsAt(output, { json, pairedItem: { item: 0 } });
	return { webhookResponse, workflowData };
}

/** The execution waits no more, so no text is passed to it. */
function forget({ token }: AskedQuestion, memory: ProcessMemory): void {
	const waitingList = memory.part(WaitingList);
	const question = waitingList.find(token);
	if (question) waitingList.remove(question);
}

function setHeaders(webhook: IWebhookFunctions, { headers }: Page): void {
	const response = webhook.getResponseObject();
	for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}
