import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { SendRequest } from '../../contract';
import type { Message } from '../../message';
import { waitingList } from '../../waiting/list';
import { chosenLine } from '../lineChoice';
import { phoneNumber } from '../phoneNumber';
import type { Operation, Run } from '../run';
import { announce } from './question/announce';
import { keepAsked, questionOf, type Asked, type Buttons } from './question/asked';
import { questionFields } from './question/fields';
import { readTimeLimit, waitForAnswer } from './question/timeLimit';
import { sendOneMessage } from './send';

/** Asks a customer and pauses the execution until the answer. */
export const sendAndWait: Operation = {
	value: 'sendAndWait',
	name: 'Send and Wait for Answer',
	action: 'Send a message and wait for the answer',
	description: 'Ask a customer by text, and go on with the workflow when the answer is there',
	fields: questionFields,

	async run(run, itemIndex) {
		const { caller } = run;
		refuseWhatCannotWait(caller, itemIndex);
		const resumeUrl = resumeAddress(caller, itemIndex);
		const until = readTimeLimit(caller, itemIndex, Date.now());
		const content = questionText(caller, itemIndex);

		const isReply = caller.getNodeParameter('responseType', itemIndex, 'approval') === 'reply';
		const asked = isReply
			? await askForText(run, itemIndex, { content, resumeUrl, until })
			: await askForButton(run, itemIndex, { content, resumeUrl });
		keepAsked(caller, asked);
		const noAnswer: IDataObject = { answered: false, ...questionOf(asked) };
		await waitForAnswer(caller, until, { json: noAnswer, pairedItem: { item: itemIndex } });
		return [noAnswer];
	},
};

/** Asks by a text with the link to a page. */
async function askForButton(
	run: Run,
	itemIndex: number,
	{ content, resumeUrl }: { content: string; resumeUrl: string },
): Promise<Asked> {
	const buttons = readButtons(run.caller, itemIndex);
	const sent = await sendOneMessage(run, itemIndex, async () => ({
		...(await readRequest(run, itemIndex)),
		content: `${content}\n\n${resumeUrl}`,
	}));
	// The link answers for the customer, so it stays between them and the page.
	return { question: { ...(sent as Message), content }, buttons };
}

/** Asks by a text, the answer to which a trigger hands over. */
async function askForText(
	run: Run,
	itemIndex: number,
	{ content, resumeUrl, until }: { content: string; resumeUrl: string; until: Date },
): Promise<Asked> {
	const request = await readRequest(run, itemIndex);
	const question = await announce(run, itemIndex, request, resumeUrl, until);
	let isAsked = false;
	try {
		const sent = await sendOneMessage(run, itemIndex, async () => ({ ...request, content }));
		waitingList.ask(question, Date.now());
		isAsked = true;
		return { question: sent as Message, token: question.token };
	} finally {
		if (!isAsked) waitingList.forget(question);
	}
}

/** One execution waits for one answer. */
function refuseWhatCannotWait(caller: IExecuteFunctions, itemIndex: number): void {
	const node = caller.getNode();
	const count = caller.getInputData().length;
	if (count > 1) {
		throw new NodeOperationError(
			node,
			`One question can be asked at a time, and there are ${count} items [item ${itemIndex}]`,
			{
				description:
					"Nothing was sent. Put a 'Loop Over Items' node before this one to ask one after the other, or set Execute Once in the node's Settings to ask for the first item only.",
				itemIndex,
			},
		);
	}
	if (node.type.endsWith('Tool') && !isHumanReview(caller)) {
		throw new NodeOperationError(node, 'An AI agent cannot wait for an answer by this tool', {
			description:
				"To let a person decide about what the agent does, put the node between the agent and the tool as 'Human review'. To let the agent text somebody, choose the operation Send.",
			itemIndex,
		});
	}
}

/** Whether n8n made the human review of an AI agent's tools out of the node. */
function isHumanReview(caller: IExecuteFunctions): boolean {
	return caller.getNode().type.endsWith('HitlTool');
}

/** The signed address that lets this execution go on. */
function resumeAddress(caller: IExecuteFunctions, itemIndex: number): string {
	// Not in every n8n that the package works with.
	const { getSignedResumeUrl } = caller as { getSignedResumeUrl?: () => string };
	if (getSignedResumeUrl) return getSignedResumeUrl.call(caller);
	throw new NodeOperationError(
		caller.getNode(),
		`This n8n is too old to wait for an answer [item ${itemIndex}]`,
		{
			description:
				'Nothing was sent. Update n8n to 1.107 or later. Until then, use the operation Send, and a Two-Way Messaging Trigger for the answer.',
			itemIndex,
		},
	);
}

function questionText(caller: IExecuteFunctions, itemIndex: number): string {
	const name = isHumanReview(caller) ? 'message' : 'content';
	const content = String(caller.getNodeParameter(name, itemIndex, '') ?? '');
	if (content.trim() !== '') return content;
	throw new NodeOperationError(caller.getNode(), `There is no question [item ${itemIndex}]`, {
		description: 'Fill in Text with what the customer is to answer.',
		itemIndex,
	});
}

function readButtons(caller: IExecuteFunctions, itemIndex: number): Buttons {
	const label = (name: string, otherwise: string) =>
		String(caller.getNodeParameter(name, itemIndex, otherwise) ?? '').trim() || otherwise;
	const isSingle = caller.getNodeParameter('approvalType', itemIndex, 'double') === 'single';
	return {
		approve: label('approveLabel', 'Approve'),
		...(!isSingle && { decline: label('declineLabel', 'Decline') }),
	};
}

/** The body of the request (§2.1) but for its text. */
async function readRequest(run: Run, itemIndex: number): Promise<SendRequest> {
	const { caller } = run;
	const typed = caller.getNodeParameter('number', itemIndex, '');
	const number = phoneNumber(caller.getNode(), typed, itemIndex);
	const lineHandle = await chosenLine(run, itemIndex);
	return { number, ...(lineHandle && { line_handle: lineHandle }) };
}
