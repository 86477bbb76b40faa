import { WAIT_INDEFINITELY, type IDataObject, type INodeProperties } from 'n8n-workflow';
import type { SendRequest } from '../../contract';
import { inOrder, type Message } from '../../message';
import { isLocalUrl, isLoopbackUrl } from '../../localUrl';
import {
	ANSWER_BY_BUTTONS,
	ASK_AND_WAIT,
	REVIEW_TEXT_FIELD,
	isHumanReview,
	isTool,
} from '../../n8n/agentTools';
import { waitAndContinueAt } from '../../n8n/outputAfterWait';
import { signedResumeUrl } from '../questions/resumeUrl';
import { linesOf } from '../../service/lines';
import { pause } from '../../service/pause';
import { Listeners } from '../../waiting/listeners';
import type { Question } from '../../waiting/question';
import { WaitingList } from '../../waiting/waitingList';
import { readChoice, readCollection, refusal } from '../../fields/readField';
import { inItsTurn, type Operation } from '../operation';
import type { Item } from '../../service/request';
import { isBlank, readMessageText, textField } from '../../fields/textField';
import { saveAskedQuestion } from '../questions/askedQuestion';
import { readExpected, withChoices } from '../questions/expected';
import { countOutputs } from '../questions/outputs';
import { readLinkWords, readPageWords, type Buttons } from '../questions/page';
import {
	answerByField,
	approveField,
	buttonsField,
	declineField,
	questionFields,
} from '../questions/questionFields';
import { readTimeLimit } from '../questions/timeLimit';
import type { Watch } from '../sending/deliver';
import { Ledger } from '../sending/ledger';
import { readAddress, sendMessage, SKIPPED } from '../sending/sendMessage';

/** Pauses before each look for a trigger, as n8n may be publishing it: two seconds together. */
const LOOK_PAUSES_MS = [500, 500, 1_000];

/** The same where n8n has just started, and publishes one workflow after the other: ten seconds. */
const AFTER_START_PAUSES_MS = [...LOOK_PAUSES_MS, 2_000, 3_000, 3_000];
const JUST_STARTED_MS = 60_000;

/** How long n8n may take to answer itself. */
const ANSWER_TIMEOUT_MS = 10_000;

export const sendAndWait: Operation = {
	value: ASK_AND_WAIT,
	name: 'Send and Wait for Answer',
	action: 'Send message and wait for answer',
	subtitle: 'Send and wait for answer',
	description: 'Ask a customer by text, and continue the workflow when the answer comes',
	fields: questionFields,

	read: inItsTurn(async (item) => {
		const { context } = item;
		const node = context.getNode();
		refuseWhatCannotWait(item);
		const { token } = await item.memory.part(Ledger).entryOf(item);
		const resumeUrl = readResumeUrl(item, token);
		const waitMs = readTimeLimit(item);
		const text = readQuestionText(item);
		const isByButtons = readChoice(item, answerByField) === ANSWER_BY_BUTTONS;
		const options = readCollection(item, 'options');
		const expected = isByButtons ? undefined : readExpected(item);
		const page = isByButtons && {
			buttons: readButtons(item),
			words: readPageWords(options),
		};
		if (isByButtons) await refuseUnreachablePage(item, resumeUrl);
		const address = await readAddress(item);
		const linkWords = readLinkWords(options);
		const link = linkWords === '' ? resumeUrl : `${linkWords}\n${resumeUrl}`;
		const content = isByButtons ? `${text}\n\n${link}` : withChoices(text, expected);
		const announced: Question = {
			...{ token, resumeUrl, waitMs, ...(isByButtons && { isByButtons }) },
			...{ account: item.settings.accountId, number: address.number },
			...{ askedAtMs: item.clock.nowMs(), serviceOffsetMs: item.account.clockOffsetMs },
		};
		await announceQuestion(item, announced, address.line_handle);
		const sent = await sendQuestion(item, announced, { ...address, content });
		// Whoever has the link can answer, so it stays out of the items.
		const question = isByButtons ? { ...sent, content: text } : sent;
		// From now on, as the service's limits may have kept the question for a while.
		const until = waitMs === undefined ? WAIT_INDEFINITELY : new Date(item.clock.nowMs() + waitMs);
		const outputs = isHumanReview(node) ? 1 : countOutputs(node.parameters);
		const at = Math.max(1, outputs - 1);
		const shown = inOrder(question) as IDataObject;
		const noAnswer = (reason: string) => ({ answered: false, reason, question: shown });
		if (question.status === SKIPPED) return [{ json: noAnswer('optedOut'), at }];
		saveAskedQuestion(context, { question, token, outputs, expected, ...page });
		await waitAndContinueAt(context, until, at, {
			json: noAnswer('timeLimit'),
			pairedItem: { item: item.itemIndex },
		});
		// While it waits, no output has an item: the editor would show it as an answer.
		return [];
	}),
};

/**
 * Lets the triggers of this n8n know which question an execution is about to wait for, before it is sent. One that a text
 * answers is also saved with them; one by buttons is remembered so that it can end before it is answered. The question is in
 * the waiting list from then on.
 *
 * @throws NodeOperationError when no trigger would receive the answer
 */
async function announceQuestion(item: Item, question: Question, handle?: string): Promise<void> {
	const { account, isByButtons } = question;
	if (!isByButtons) {
		await refuseUnanswerable(item, question);
		const lines = handle === undefined ? [] : await linesOf(item);
		const lineNumber = lines.find((one) => one.line_handle === handle)?.number;
		// An event may name the line by either (§6.2, §6.3).
		if (handle) question.line = { handle, ...(lineNumber && { number: lineNumber }) };
	}
	item.memory.part(WaitingList).add(question);
	if (!isByButtons) await item.memory.part(Listeners).save(account);
}

async function refuseUnanswerable(item: Item, { account, resumeUrl }: Question): Promise<void> {
	const isListenedTo = () => item.memory.part(Listeners).of(account).length > 0;
	const hasJustStarted = item.clock.nowMs() - item.memory.sinceMs < JUST_STARTED_MS;
	for (const pauseMs of hasJustStarted ? AFTER_START_PAUSES_MS : LOOK_PAUSES_MS) {
		if (!isListenedTo()) await pause(item, pauseMs);
	}
	if (!isListenedTo()) {
		throw refusal(item, {
			message: 'No trigger listens for the answer',
			description:
				"The question was not sent. Publish (in n8n 1: activate) a workflow with a Two-Way Messaging Trigger for 'Message Received' and the same credential. Or set Answer By to 'Buttons on a Web Page'; in n8n's queue mode only buttons work.",
		});
	}
	await refuseUnreachable(item, resumeUrl);
}

/** The trigger passes the answer through n8n's own URL, which a firewall may keep from n8n itself. */
async function refuseUnreachable(item: Item, resumeUrl: string): Promise<void> {
	try {
		// n8n answers that nothing waits there yet.
		await item.context.helpers.httpRequest({
			method: 'GET',
			url: resumeUrl,
			timeout: ANSWER_TIMEOUT_MS,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		});
	} catch {
		const { origin } = new URL(resumeUrl);
		throw refusal(item, {
			message: 'This n8n cannot reach its own URL',
			description: `The answer would come through ${origin}, so the machine that n8n runs on has to be able to open that URL, too. Check n8n's environment variable WEBHOOK_URL (N8N_WEBHOOK_URL in newer versions, which wins), or set Answer By to 'Buttons on a Web Page'.`,
		});
	}
}

/** Sends a question that is in the waiting list. It stays there only if it was sent. */
async function sendQuestion(
	item: Item,
	question: Question,
	request: SendRequest,
): Promise<Message> {
	const waitingList = item.memory.part(WaitingList);
	const { lost } = await item.memory.part(Ledger).entryOf(item);
	const { account } = item;
	const markAsked = (sinceMs?: number) =>
		waitingList.markAsked(question, account.clockOffsetMs, sinceMs);
	const watch: Watch = async (state) => {
		if (state === 'onItsWay') markAsked();
		if (state === 'refused') waitingList.markNotAsked(question);
	};
	// The customer may have it since an earlier try, and may answer while the node looks whether it was accepted.
	if (lost) markAsked(lost.sinceMs);
	let isAsked = false;
	try {
		const sent = await sendMessage(item, async () => request, undefined, watch);
		markAsked();
		isAsked = sent.status !== SKIPPED;
		return sent;
	} finally {
		if (!isAsked) waitingList.remove(question);
	}
}

/** One execution waits for one answer, and a tool of an AI agent cannot wait. */
function refuseWhatCannotWait(item: Item): void {
	const node = item.context.getNode();
	const count = item.context.getInputData().length;
	if (count > 1) {
		throw refusal(item, {
			message: `One question can be asked at a time, and there are ${count} items`,
			description:
				"Put a 'Loop Over Items' node before this one, and it asks one after the other. n8n keeps one answer for each execution that waits.",
		});
	}
	if (isTool(node) && !isHumanReview(node)) {
		throw refusal(item, {
			message: 'An AI agent cannot use this tool to wait for an answer',
			description:
				"To let a person decide about what the agent does, put the node between the agent and the tool as 'Human review'. To let the agent text somebody, choose the operation Send.",
		});
	}
}

/** A page that only this machine can open is no use to a customer, unless the service is a stand-in on this network. */
async function refuseUnreachablePage(item: Item, pageUrl: string): Promise<void> {
	const { baseUrl } = item.settings;
	if (!isLoopbackUrl(pageUrl) || isLocalUrl(baseUrl)) return;
	throw refusal(item, {
		message: 'The page with the buttons could only be opened on the machine that n8n runs on',
		description: `Its link would begin with ${new URL(pageUrl).origin}. Set n8n's environment variable WEBHOOK_URL (N8N_WEBHOOK_URL in newer versions, which wins) to its public URL, or set Answer By to 'Text Message'.`,
	});
}

function readResumeUrl(item: Item, token: string): string {
	const url = signedResumeUrl(item.context, token);
	if (url !== undefined) return url;
	throw refusal(item, {
		message: 'This n8n is too old to wait for an answer',
		description:
			'Update n8n to 1.107 or later. Until then, use the operation Send, and a Two-Way Messaging Trigger for the answer.',
	});
}

function readQuestionText(item: Item): string {
	const name = isHumanReview(item.context.getNode()) ? REVIEW_TEXT_FIELD : textField.name;
	const content = readMessageText(item, { ...textField, name });
	if (!isBlank(content)) return content;
	throw refusal(item, {
		message: 'There is no question',
		description: 'Fill in Text with the question to the customer.',
	});
}

function readButtons(item: Item): Buttons {
	const readLabel = (field: INodeProperties) => {
		const label = readMessageText(item, field).trim();
		return isBlank(label) ? String(field.default) : label;
	};
	const approve = readLabel(approveField);
	if (readChoice(item, buttonsField) === 'single') return { approve };
	return { approve, decline: readLabel(declineField) };
}
