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
import { readCollection } from '../../parameterValues';
import type { Question } from '../../waiting/question';
import { WaitingList } from '../../waiting/waitingList';
import { readChoice, refusal } from '../../fields/readField';
import { inItsTurn, type Operation } from '../operation';
import type { Run } from '../../service/run';
import { isBlank, readMessageText, textField } from '../../fields/textField';
import { announceQuestion } from '../questions/announceQuestion';
import { saveAskedQuestion } from '../questions/askedQuestion';
import { readExpected, withChoices } from '../questions/expected';
import { countOutputs, type NoAnswerReason } from '../questions/outputs';
import { readLinkWords, readPageWords, type Buttons } from '../questions/page';
import {
	answerByField,
	approveField,
	buttonsField,
	declineField,
	questionFields,
} from '../questions/questionFields';
import { readTimeLimit } from '../questions/timeLimit';
import { Ledger } from '../sending/ledger';
import { readAddress, sendMessage, SKIPPED } from '../sending/sendMessage';

/** Asks a customer and pauses the execution until the answer. */
export const sendAndWait: Operation = {
	value: ASK_AND_WAIT,
	name: 'Send and Wait for Answer',
	action: 'Send message and wait for answer',
	subtitle: 'Send and wait for answer',
	description: 'Ask a customer by text, and continue the workflow when the answer comes',
	fields: questionFields,

	read: inItsTurn(async (run, itemIndex) => {
		const { context } = run;
		const node = context.getNode();
		refuseWhatCannotWait(run, itemIndex);
		const { token } = await run.memory.part(Ledger).entryOf(run, itemIndex);
		const resumeUrl = readResumeUrl(run, itemIndex, token);
		const waitMs = readTimeLimit(run, itemIndex);
		const text = readQuestionText(run, itemIndex);
		const isByButtons = readChoice(run, answerByField, itemIndex) === ANSWER_BY_BUTTONS;
		const options = readCollection(context, 'options', itemIndex);
		const expected = isByButtons ? undefined : readExpected(run, itemIndex);
		const page = isByButtons && {
			buttons: readButtons(run, itemIndex),
			words: readPageWords(options),
		};
		if (isByButtons) await refuseUnreachablePage(run, itemIndex, resumeUrl);
		const address = await readAddress(run, itemIndex);
		const linkWords = readLinkWords(options);
		const link = linkWords === '' ? resumeUrl : `${linkWords}\n${resumeUrl}`;
		const content = isByButtons ? `${text}\n\n${link}` : withChoices(text, expected);
		const asking = { token, resumeUrl, waitMs, ...(isByButtons && { isByButtons }) };
		const announced = await announceQuestion(run, asking, address, itemIndex);
		const sent = await sendQuestion(run, itemIndex, announced, { ...address, content });
		// Whoever has the link can answer, so it stays out of the items.
		const question = isByButtons ? { ...sent, content: text } : sent;
		// From now on, as the service's limits may have kept the question for a while.
		const until = waitMs === undefined ? WAIT_INDEFINITELY : new Date(run.clock.nowMs() + waitMs);
		const outputs = isHumanReview(node) ? 1 : countOutputs(node.parameters);
		const at = Math.max(1, outputs - 1);
		const shown = inOrder(question) as IDataObject;
		const noAnswer = (reason: NoAnswerReason) => ({ answered: false, reason, question: shown });
		if (question.status === SKIPPED) return [{ json: noAnswer('optedOut'), at }];
		saveAskedQuestion(context, { question, token, outputs, expected, ...page });
		const item = { json: noAnswer('timeLimit'), pairedItem: { item: itemIndex } };
		await waitAndContinueAt(context, until, at, item);
		// While it waits, no output has an item: the editor would show it as an answer.
		return [];
	}),
};

/** Sends a question that is in the waiting list. It stays there only if it was sent. */
async function sendQuestion(
	run: Run,
	itemIndex: number,
	question: Question,
	request: SendRequest,
): Promise<Message> {
	const waitingList = run.memory.part(WaitingList);
	const { lost } = await run.memory.part(Ledger).entryOf(run, itemIndex);
	const { account } = await run.connection();
	const markAsked = (sinceMs?: number) =>
		waitingList.markAsked(question, account.clockOffsetMs, sinceMs);
	// The customer may have it since an earlier try, and may answer while the node looks whether it was accepted.
	if (lost) markAsked(lost.sinceMs);
	let isAsked = false;
	try {
		const sent = await sendMessage(
			run,
			itemIndex,
			async () => request,
			undefined,
			async (state) => {
				if (state === 'onItsWay') markAsked();
				if (state === 'refused') waitingList.markNotAsked(question);
			},
		);
		markAsked();
		isAsked = sent.status !== SKIPPED;
		return sent;
	} finally {
		if (!isAsked) waitingList.remove(question);
	}
}

/** One execution waits for one answer, and a tool of an AI agent cannot wait. */
function refuseWhatCannotWait(run: Run, itemIndex: number): void {
	const node = run.context.getNode();
	const count = run.context.getInputData().length;
	if (count > 1) {
		throw refusal(run, itemIndex, {
			message: `One question can be asked at a time, and there are ${count} items`,
			description:
				"Put a 'Loop Over Items' node before this one, and it asks one after the other. n8n keeps one answer for each execution that waits.",
		});
	}
	if (isTool(node) && !isHumanReview(node)) {
		throw refusal(run, itemIndex, {
			message: 'An AI agent cannot use this tool to wait for an answer',
			description:
				"To let a person decide about what the agent does, put the node between the agent and the tool as 'Human review'. To let the agent text somebody, choose the operation Send.",
		});
	}
}

/** A page that only this machine can open is no use to a customer, unless the service is a stand-in on this network. */
async function refuseUnreachablePage(run: Run, itemIndex: number, pageUrl: string): Promise<void> {
	const { baseUrl } = (await run.connection()).settings;
	if (!isLoopbackUrl(pageUrl) || isLocalUrl(baseUrl)) return;
	throw refusal(run, itemIndex, {
		message: 'The page with the buttons could only be opened on the machine that n8n runs on',
		description: `Its link would begin with ${new URL(pageUrl).origin}. Set n8n's environment variable WEBHOOK_URL (N8N_WEBHOOK_URL in newer versions, which wins) to its public URL, or set Answer By to 'Text Message'.`,
	});
}

function readResumeUrl(run: Run, itemIndex: number, token: string): string {
	const url = signedResumeUrl(run.context, token);
	if (url !== undefined) return url;
	throw refusal(run, itemIndex, {
		message: 'This n8n is too old to wait for an answer',
		description:
			'Update n8n to 1.107 or later. Until then, use the operation Send, and a Two-Way Messaging Trigger for the answer.',
	});
}

function readQuestionText(run: Run, itemIndex: number): string {
	const name = isHumanReview(run.context.getNode()) ? REVIEW_TEXT_FIELD : textField.name;
	const content = readMessageText(run, itemIndex, { ...textField, name });
	if (!isBlank(content)) return content;
	throw refusal(run, itemIndex, {
		message: 'There is no question',
		description: 'Fill in Text with the question to the customer.',
	});
}

function readButtons(run: Run, itemIndex: number): Buttons {
	const readLabel = (field: INodeProperties) => {
		const label = readMessageText(run, itemIndex, field).trim();
		return isBlank(label) ? String(field.default) : label;
	};
	const approve = readLabel(approveField);
	if (readChoice(run, buttonsField, itemIndex) === 'single') return { approve };
	return { approve, decline: readLabel(declineField) };
}
