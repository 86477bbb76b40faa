import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { SendRequest } from '../../contract';
import type { Message } from '../../message';
import { isLocalUrl, isLoopbackUrl } from '../../localUrl';
import {
	ANSWER_BY_BUTTONS,
	ASK_AND_WAIT,
	RESPONSE_TYPE_FIELD,
	REVIEW_TEXT_FIELD,
} from '../../n8n/humanReview';
import {
	canContinueAtSecondOutput,
	waitAndContinueAtSecondOutput,
} from '../../n8n/outputAfterWait';
import { signedResumeUrl } from '../../n8n/resumeUrl';
import { isHumanReview, isTool } from '../../n8n/toolVariant';
import { readCollection } from '../../parameterValues';
import type { Question } from '../../waiting/question';
import { WaitingList } from '../../waiting/waitingList';
import { readChoice } from '../choiceField';
import { readChosenLine } from '../lineField';
import { readPhoneNumber } from '../phoneNumberField';
import { ItemAtSecondOutput, type Operation, type Run } from '../run';
import { isBlank, readMessageText } from '../textField';
import { announceQuestion, rememberQuestion } from './question/announceQuestion';
import {
	questionFieldsOf,
	saveAskedQuestion,
	type AskedQuestion,
	type Buttons,
} from './question/askedQuestion';
import { readExpected, withChoices, type ExpectedAnswer } from './question/expectedAnswer';
import { isSinceSecondOutput, type NoAnswerReason } from './question/outputs';
import { readLinkWords, readPageWords } from './question/pageWords';
import { questionFields, RESPONSE_TYPES, USUAL_LABELS } from './question/questionFields';
import { readTimeLimit } from './question/timeLimit';
import { SendAttempts } from './sendAttempts';
import { sendOnce } from './sendOnce';
import { SKIPPED } from './skippedMessage';

/** A question as its fields say it. */
type Asking = {
	content: string;
	token: string;
	resumeUrl: string;
	until: Date;
	expected?: ExpectedAnswer;
};

/** Asks a customer and pauses the execution until the answer. */
export const sendAndWait: Operation = {
	value: ASK_AND_WAIT,
	name: 'Send and Wait for Answer',
	action: 'Send a message and wait for the answer',
	subtitle: 'Send and wait for answer',
	description: 'Ask a customer by text, and continue the workflow when the answer comes',
	fields: questionFields,

	async run(run, itemIndex) {
		const { caller } = run;
		refuseWhatCannotWait(caller, itemIndex);
		const { token } = await run.memory.part(SendAttempts).attemptOf(run, itemIndex);
		const resumeUrl = readResumeUrl(caller, itemIndex, token);
		const until = readTimeLimit(run, itemIndex, run.clock.nowMs());
		const content = readQuestionText(run, itemIndex);

		const asked = await askCustomer(run, itemIndex, { content, token, resumeUrl, until });
		const fields = questionFieldsOf(asked);
		if (asked.question.status === SKIPPED)
			return [new ItemAtSecondOutput(noAnswer('optedOut', fields))];
		const node = caller.getNode();
		const mayEnd = isSinceSecondOutput(node) && !isHumanReview(node) && canContinueAtSecondOutput();
		saveAskedQuestion(caller, { ...asked, ...(mayEnd && { mayEndEarly: true }) });
		const item = { json: noAnswer('timeLimit', fields), pairedItem: { item: itemIndex } };
		await waitAndContinueAtSecondOutput(caller, until, item);
		return [{ answered: false, ...fields }];
	},
};

function noAnswer(reason: NoAnswerReason, fields: IDataObject): IDataObject {
	return { answered: false, reason, ...fields };
}

async function askCustomer(run: Run, itemIndex: number, asking: Asking): Promise<AskedQuestion> {
	const chosen = run.caller.getNodeParameter(RESPONSE_TYPE_FIELD, itemIndex, ANSWER_BY_BUTTONS);
	const answerBy = readChoice(run, chosen, {
		label: 'Answer By',
		choices: RESPONSE_TYPES,
		fallback: ANSWER_BY_BUTTONS,
		itemIndex,
	});
	switch (answerBy) {
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
): Promise<AskedQuestion> {
	const { resumeUrl, token } = asking;
	const buttons = readButtons(run, itemIndex);
	const options = readCollection(run.caller, 'options', itemIndex);
	const linkWords = readLinkWords(run.caller.getNode(), options);
	const words = readPageWords(options);
	await refuseUnreachablePage(run, itemIndex, resumeUrl);
	const request = await readRequest(run, itemIndex);
	const question = await rememberQuestion(run, { ...asking, request, itemIndex });
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
): Promise<AskedQuestion> {
	const request = await readRequest(run, itemIndex);
	const isChoosy = expected !== undefined;
	const question = await announceQuestion(run, { ...asking, request, isChoosy, itemIndex });
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
	const { lost } = await run.memory.part(SendAttempts).attemptOf(run, itemIndex);
	// The customer may have it since an earlier try, and may answer while the node looks whether it was accepted.
	if (lost) waitingList.markSending(question, lost.sinceMs);
	let isAsked = false;
	try {
		const watched: Run = { ...run, watchSend: () => waitingList.markSending(question) };
		const sent = await sendOnce(watched, itemIndex, async () => request);
		const { serviceClocks } = await run.connection();
		waitingList.markAsked(question, serviceClocks.offsetMs(question.account));
		isAsked = sent.status !== SKIPPED;
		return sent;
	} finally {
		if (!isAsked) waitingList.remove(question);
	}
}

/** One execution waits for one answer, and a tool of an AI agent cannot wait. */
function refuseWhatCannotWait(caller: IExecuteFunctions, itemIndex: number): void {
	const node = caller.getNode();
	const count = caller.getInputData().length;
	if (count > 1) {
		const message = `One question can be asked at a time, and there are ${count} items [item ${itemIndex}]`;
		throw new NodeOperationError(node, message, {
			description:
				"No question was sent. Put a 'Loop Over Items' node before this one, and it asks one after the other. n8n keeps one answer for each execution that waits.",
			itemIndex,
		});
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
	const message = `The page with the buttons could only be opened on the machine that n8n runs on [item ${itemIndex}]`;
	throw new NodeOperationError(run.caller.getNode(), message, {
		description: `The question was not sent, as its link would begin with ${new URL(pageUrl).origin}. Set n8n's environment variable WEBHOOK_URL (N8N_WEBHOOK_URL in newer versions, which wins) to its public URL, or set Answer By to 'Text Message'.`,
		itemIndex,
	});
}

function readResumeUrl(caller: IExecuteFunctions, itemIndex: number, token: string): string {
	const url = signedResumeUrl(caller, token);
	if (url !== undefined) return url;
	const message = `This n8n is too old to wait for an answer [item ${itemIndex}]`;
	throw new NodeOperationError(caller.getNode(), message, {
		description:
			'The question was not sent. Update n8n to 1.107 or later. Until then, use the operation Send, and a Two-Way Messaging Trigger for the answer.',
		itemIndex,
	});
}

function readQuestionText(run: Run, itemIndex: number): string {
	const { caller } = run;
	const name = isHumanReview(caller.getNode()) ? REVIEW_TEXT_FIELD : 'content';
	const content = readMessageText(run, itemIndex, name);
	if (!isBlank(content)) return content;
	throw new NodeOperationError(caller.getNode(), `There is no question [item ${itemIndex}]`, {
		description: 'Fill in Text with the question to the customer.',
		itemIndex,
	});
}

function readButtons(run: Run, itemIndex: number): Buttons {
	const { caller } = run;
	const readWords = (name: string, label: string, fallback: string) => {
		const words = readMessageText(run, itemIndex, name, label).trim();
		return isBlank(words) ? fallback : words;
	};
	const usual = isSinceSecondOutput(caller.getNode()) ? USUAL_LABELS.later : USUAL_LABELS.first;
	const chosen = caller.getNodeParameter('approvalType', itemIndex, 'double');
	const choices = ['double', 'single'] as const;
	const field = { label: 'Buttons', choices, fallback: 'double', itemIndex } as const;
	const isSingle = readChoice(run, chosen, field) === 'single';
	return {
		approve: readWords('approveLabel', 'Approve Button Label', usual.approve),
		...(!isSingle && { decline: readWords('declineLabel', 'Decline Button Label', usual.decline) }),
	};
}

/** The body of the request (§2.1) without its text. */
async function readRequest(run: Run, itemIndex: number): Promise<SendRequest> {
	const number = readPhoneNumber(run, itemIndex);
	const lineHandle = await readChosenLine(run, itemIndex);
	return { number, ...(lineHandle && { line_handle: lineHandle }) };
}
