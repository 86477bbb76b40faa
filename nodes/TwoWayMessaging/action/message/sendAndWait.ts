import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError, WAIT_INDEFINITELY } from 'n8n-workflow';
import type { SendRequest } from '../../contract';
import type { Message } from '../../message';
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
import { readChoice } from '../../fields/readField';
import type { Operation } from '../operation';
import type { Run } from '../../service/run';
import { isBlank, readMessageText } from '../../fields/textField';
import { announceQuestion } from '../questions/announceQuestion';
import {
	questionFieldsOf,
	saveAskedQuestion,
	type AskedQuestion,
} from '../questions/askedQuestion';
import { readExpected, withChoices, type ExpectedAnswer } from '../questions/expected';
import { countOutputs, type NoAnswerReason } from '../questions/outputs';
import { readLinkWords, readPageWords, type Buttons } from '../questions/page';
import {
	answerByField,
	buttonsField,
	questionFields,
	USUAL_LABELS,
} from '../questions/questionFields';
import { refusal } from '../questions/refusal';
import { readTimeLimit } from '../questions/timeLimit';
import { Ledger } from '../sending/ledger';
import { readAddress, sendMessage, SKIPPED } from '../sending/sendMessage';

/** What an execution waits for. */
type Asked = Omit<AskedQuestion, 'outputs'>;

/** A question as its fields say it. */
type Asking = {
	content: string;
	token: string;
	resumeUrl: string;
	waitMs?: number;
	expected?: ExpectedAnswer;
};

/** Asks a customer and pauses the execution until the answer. */
export const sendAndWait: Operation = {
	value: ASK_AND_WAIT,
	name: 'Send and Wait for Answer',
	action: 'Send message and wait for answer',
	subtitle: 'Send and wait for answer',
	description: 'Ask a customer by text, and continue the workflow when the answer comes',
	fields: questionFields,

	async run(run, itemIndex) {
		const { context } = run;
		refuseWhatCannotWait(run, itemIndex);
		const { token } = await run.memory.part(Ledger).entryOf(run, itemIndex);
		const resumeUrl = readResumeUrl(run, itemIndex, token);
		const waitMs = readTimeLimit(run, itemIndex);
		const content = readQuestionText(run, itemIndex);

		const asked = await askCustomer(run, itemIndex, { content, token, resumeUrl, waitMs });
		// From now on, as the service's limits may have kept the question for a while.
		const until = waitMs === undefined ? WAIT_INDEFINITELY : new Date(run.clock.nowMs() + waitMs);
		const fields = questionFieldsOf(asked);
		const node = context.getNode();
		const outputs = isHumanReview(node) ? 1 : countOutputs(node.parameters);
		const at = Math.max(1, outputs - 1);
		if (asked.question.status === SKIPPED) return [{ json: noAnswer('optedOut', fields), at }];
		saveAskedQuestion(context, { ...asked, outputs });
		const item = { json: noAnswer('timeLimit', fields), pairedItem: { item: itemIndex } };
		await waitAndContinueAt(context, until, at, item);
		// While it waits, no output has an item: the editor would show it as an answer.
		return [];
	},
};

function noAnswer(reason: NoAnswerReason, fields: IDataObject): IDataObject {
	return { answered: false, reason, ...fields };
}

async function askCustomer(run: Run, itemIndex: number, asking: Asking): Promise<Asked> {
	switch (readChoice(run, answerByField, itemIndex)) {
		case ANSWER_BY_BUTTONS:
			return await askForButton(run, itemIndex, asking);
		case 'reply': {
			const expected = readExpected(run, itemIndex);
			const content = withChoices(asking.content, expected);
			return await askForText(run, itemIndex, { ...asking, content, expected });
		}
	}
}

/** Asks by a text with the link to a page. */
async function askForButton(
	run: Run,
	itemIndex: number,
	{ content, ...asking }: Asking,
): Promise<Asked> {
	const { resumeUrl, token } = asking;
	const buttons = readButtons(run, itemIndex);
	const options = readCollection(run.context, 'options', itemIndex);
	const linkWords = readLinkWords(options);
	const words = readPageWords(options);
	await refuseUnreachablePage(run, itemIndex, resumeUrl);
	const request = await readAddress(run, itemIndex);
	const isByButtons = true;
	const question = await announceQuestion(run, { ...asking, request, isByButtons, itemIndex });
	const sent = await sendQuestion(run, itemIndex, question, {
		...request,
		content: `${content}\n\n${linkWords === '' ? '' : `${linkWords}\n`}${resumeUrl}`,
	});
	// Whoever has the link can answer, so it stays out of the items.
	return { question: { ...sent, content }, buttons, token, ...(words && { words }) };
}

/** Asks by a text; a trigger passes the customer's next text to this execution. */
async function askForText(
	run: Run,
	itemIndex: number,
	{ content, expected, ...asking }: Asking,
): Promise<Asked> {
	const request = await readAddress(run, itemIndex);
	const question = await announceQuestion(run, { ...asking, request, itemIndex });
	const { line_handle: lineHandle } = request;
	return {
		question: await sendQuestion(run, itemIndex, question, { ...request, content }),
		token: asking.token,
		...(expected && { expected }),
		...(lineHandle && { lineHandle }),
	};
}

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
		const sent = await sendMessage(run, itemIndex, async () => request, undefined, {
			begin: async () => markAsked(),
			end: async (state) => {
				if (state === 'refused') waitingList.markNotAsked(question);
			},
		});
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
		throw refusal(
			run,
			itemIndex,
			`One question can be asked at a time, and there are ${count} items`,
			{
				advice:
					"Put a 'Loop Over Items' node before this one, and it asks one after the other. n8n keeps one answer for each execution that waits.",
			},
		);
	}
	if (isTool(node) && !isHumanReview(node)) {
		throw new NodeOperationError(node, 'An AI agent cannot use this tool to wait for an answer', {
			description:
				"To let a person decide about what the agent does, put the node between the agent and the tool as 'Human review'. To let the agent text somebody, choose the operation Send.",
			itemIndex,
		});
	}
}

/** A page that only this machine can open is no use to a customer, unless the service is a stand-in on this network. */
async function refuseUnreachablePage(run: Run, itemIndex: number, pageUrl: string): Promise<void> {
	const { baseUrl } = (await run.connection()).settings;
	if (!isLoopbackUrl(pageUrl) || isLocalUrl(baseUrl)) return;
	throw refusal(
		run,
		itemIndex,
		'The page with the buttons could only be opened on the machine that n8n runs on',
		{
			advice: `Its link would begin with ${new URL(pageUrl).origin}. Set n8n's environment variable WEBHOOK_URL (N8N_WEBHOOK_URL in newer versions, which wins) to its public URL, or set Answer By to 'Text Message'.`,
		},
	);
}

function readResumeUrl(run: Run, itemIndex: number, token: string): string {
	const url = signedResumeUrl(run.context, token);
	if (url !== undefined) return url;
	throw refusal(run, itemIndex, 'This n8n is too old to wait for an answer', {
		advice:
			'Update n8n to 1.107 or later. Until then, use the operation Send, and a Two-Way Messaging Trigger for the answer.',
	});
}

function readQuestionText(run: Run, itemIndex: number): string {
	const name = isHumanReview(run.context.getNode()) ? REVIEW_TEXT_FIELD : 'content';
	const content = readMessageText(run, itemIndex, name);
	if (!isBlank(content)) return content;

	throw refusal(run, itemIndex, 'There is no question', {
		advice: 'Fill in Text with the question to the customer.',
	});
}

function readButtons(run: Run, itemIndex: number): Buttons {
	const readWords = (name: string, label: string, fallback: string) => {
		const words = readMessageText(run, itemIndex, name, label).trim();
		return isBlank(words) ? fallback : words;
	};
	const isSingle = readChoice(run, buttonsField, itemIndex) === 'single';
	return {
		approve: readWords('approveLabel', 'Approve Button Label', USUAL_LABELS.approve),
		...(!isSingle && {
			decline: readWords('declineLabel', 'Decline Button Label', USUAL_LABELS.decline),
		}),
	};
}
