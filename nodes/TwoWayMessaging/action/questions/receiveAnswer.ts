import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import type { SendRequest } from '../../contract';
import { inOrder, isFields, type Message } from '../../message';
import { itemsAt } from '../../n8n/outputAfterWait';
import type { ProcessMemory } from '../../processMemory';
import { Queue } from '../../queue';
import { reasonOf } from '../../reasonOf';
import { refusalKind } from '../../service/errors';
import { connect } from '../../service/request';
import { Listeners } from '../../waiting/listeners';
import { readPassed, type PassedAnswer, type PassedMessage } from '../../waiting/passedText';
import { isQuoteOf, reactionIn } from '../../waiting/reaction';
import { writtenBefore } from '../../waiting/question';
import { WaitingList } from '../../waiting/waitingList';
import { deliver } from '../sending/deliver';
import { Ledger, newEntry } from '../sending/ledger';
import { askingPage, overPage, PAGE_HEADERS, thanksPage, type Buttons } from './page';
import { readAskedQuestion, type AskedQuestion } from './askedQuestion';
import { answerIn, askAgainText } from './expected';
import { questionOfVisit } from './resumeUrl';

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

/** The buttons with which executions are about to go on, by their questions: of two presses at the same moment, one counts. */
class Pressed {
	readonly buttons = new Map<string, { label: string; atMs: number }>();
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

function receivePress(waiting: Waiting, buttons: Buttons, isPost: boolean): IWebhookResponseData {
	const { webhook, asked, memory } = waiting;
	const { token, words, question } = asked;
	const { to: from, content } = question;
	const thanks = (label: string) => thanksPage(label, content ?? '', words);
	const pressed = memory.part(Pressed).buttons;
	const atMs = memory.clock.nowMs();
	for (const [one, { atMs: before }] of pressed) {
		if (before < atMs - CONTINUES_WITHIN_MS) pressed.delete(one);
	}
	const given = pressed.get(token)?.label;
	if (given !== undefined) return showPage(webhook, 200, thanks(given));
	const body: unknown = isPost ? webhook.getBodyData() : undefined;
	const decision = isFields(body) ? body.decision : undefined;
	const approved = decision === 'approve';
	const label = approved ? buttons.approve : decision === 'decline' ? buttons.decline : undefined;
	if (label === undefined) {
		return showPage(webhook, isPost ? 400 : 200, askingPage(content ?? '', buttons, words));
	}
	pressed.set(token, { label, atMs });
	setPageHeaders(webhook);
	return goOn(waiting, true, { approved, ...(from && { from }), content: label }, thanks(label));
}

/** Receives a message that a trigger passes, if it is about this question and not about an earlier one. */
async function receivePassed(
	waiting: Waiting,
	{ token, message, ends }: PassedMessage,
): Promise<IWebhookResponseData> {
	const { webhook, asked, memory } = waiting;
	const { buttons, expected, question } = asked;
	if (token !== asked.token || (buttons && !ends)) {
		return answerTrigger(webhook, 410, { answered: false });
	}
	const waits = memory.part(WaitingList).find(token);
	const before = waits ? writtenBefore(waits, message.message_handle) : [];
	const content = [...before, message.content].filter(Boolean).join('\n');
	// The customer knows the URL of a question by buttons, so nobody else is taken from what comes there.
	const said = (buttons ? { from: question.to, content } : { ...message, content }) as IDataObject;
	if (ends !== undefined) {
		const { message_handle: handle } = question;
		const isMeant =
			ends !== 'failed' || (handle !== undefined && handle === message.message_handle);
		if (!isMeant || asked.outputs === 1) return answerTrigger(webhook, 200, STILL_WAITS);
		if (ends !== 'failed') return goOn(waiting, false, { reason: ends, ...said });
		const failed = { ...question, ...message, content: question.content };
		return goOn({ ...waiting, asked: { ...asked, question: failed } }, false, { reason: ends });
	}
	const [text, asking] = [message.content ?? '', question.content ?? ''];
	const reaction = reactionIn(text);
	const questions = [asking, askAgainText(expected)];
	const isAboutOther = reaction && !questions.some((one) => isQuoteOf(reaction.quoted, one));
	if (isAboutOther) return answerTrigger(webhook, 200, { ...STILL_WAITS, isOther: true });
	if (!expected) return goOn(waiting, true, said);
	// “👍” or “ok” to “Please answer with yes or no” may mean no more than that it was read.
	const answer = reaction?.emoji ?? text;
	const word = answer.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
	const isMereNod = waits?.askedAgain && ['', 'ok', 'okay', 'okey'].includes(word);
	const understood = isMereNod ? undefined : answerIn(answer, expected, asking);
	if (understood) return goOn(waiting, true, { ...understood, ...said });
	const outcome = await askAgain(webhook, memory, asked, message);
	if (outcome === 'asked') return answerTrigger(webhook, 200, STILL_WAITS);
	return goOn(waiting, false, { reason: outcome, ...said });
}

/** What came of asking again: `notUnderstood` means that it was asked as often as it may be, or that the service refused to. */
type AskedAgain = 'asked' | 'notUnderstood' | 'optedOut';

/**
 * Asks a customer again after a text that is not understood, in the same conversation.
 *
 * How often it was asked is saved before the text goes out. A text that comes here twice, as n8n ended while it was read,
 * asks once: the history tells whether it has.
 */
async function askAgain(
	webhook: IWebhookFunctions,
	memory: ProcessMemory,
	{ expected, token, question: asked }: AskedQuestion,
	{ message_handle: name = '', line_handle: line = asked.line_handle, from, content }: Message,
): Promise<AskedAgain> {
	return await memory.part(Queue).inTurn(`asked again ${token}`, async () => {
		const waitingList = memory.part(WaitingList);
		const question = waitingList.find(token);
		if (!expected?.askAgain || !question) return 'notUnderstood';
		const { texts, atMs } = question.askedAgain ?? { texts: [], atMs: 0 };
		const before = texts.findIndex((text) => name !== '' && text.name === name);
		const isRepeated = before !== -1;
		if (!isRepeated && texts.length >= expected.askAgain.times) return 'notUnderstood';
		const request: SendRequest = {
			number: asked.to ?? from ?? '',
			content: askAgainText(expected),
			// From the line that the customer's text came to.
			...(line && { line_handle: line }),
		};
		const connection = await connect(webhook, memory);
		const ledger = memory.part(Ledger);
		const key = `asked again ${token} ${isRepeated ? before : texts.length}`;
		const entry = ledger.find(key) ?? ledger.file(key, newEntry());
		if (entry.state === 'sent') return 'asked';
		if (!isRepeated) {
			waitingList.markAskedAgain(token, { name, content: content ?? '' });
			await memory.part(Listeners).save(question.account);
		} else if (entry.state === 'untried') {
			// The process that was asking ended, and whether it had asked only the history tells.
			const outcome = { kind: 'unanswered', code: 'n8n was started again' } as const;
			entry.lost = { sinceMs: atMs, outcome };
		}
		const sendsAgain = entry.lost !== undefined;
		try {
			const refusal = await deliver(connection, { request, entry, sendsAgain });
			if (refusal?.kind === 'answer' && refusalKind(refusal) === 'optedOut') return 'optedOut';
			if (refusal) return 'notUnderstood';
		} catch (thrown) {
			// The customer may answer all the same, as the first question has arrived.
			webhook.logger.warn(
				`${webhook.getNode().name}: could not ask a customer again: ${reasonOf(thrown)}`,
			);
		}
		return 'asked';
	});
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

function showPage(webhook: IWebhookFunctions, status: number, page: string): IWebhookResponseData {
	setPageHeaders(webhook);
	webhook.getResponseObject().status(status).send(page);
	return { noWebhookResponse: true };
}

function setPageHeaders(webhook: IWebhookFunctions): void {
	const response = webhook.getResponseObject();
	for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
}

/** Lets the execution continue at the output of its answer, or at the last one where there is none. It waits no more. */
function goOn(
	{ asked, memory }: Waiting,
	answered: boolean,
	said: IDataObject,
	webhookResponse: string | IDataObject = ANSWERED,
): IWebhookResponseData {
	const waitingList = memory.part(WaitingList);
	const question = waitingList.find(asked.token);
	if (question) waitingList.remove(question);
	const answered_at = new Date(memory.clock.nowMs()).toISOString();
	const json = {
		...{ answered, ...(said.content !== undefined && { content: said.content }) },
		...{ ...said, ...(answered && { answered_at }) },
		question: inOrder(asked.question) as IDataObject,
	};
	const output = answered ? outputOf(asked, said) : asked.outputs - 1;
	return { webhookResponse, workflowData: itemsAt(output, { json, pairedItem: { item: 0 } }) };
}

/** The place of the answer's output: of a yes, a no or a choice where each has its own, else the first one. */
function outputOf({ outputs, expected }: AskedQuestion, answer: IDataObject): number {
	if (outputs === 3 && answer.approved === false) return 1;
	const isOfChoice = expected?.kind === 'choice' && outputs === expected.choices.length + 1;
	return isOfChoice && outputs > 2 ? Number(answer.choice_index) : 0;
}
