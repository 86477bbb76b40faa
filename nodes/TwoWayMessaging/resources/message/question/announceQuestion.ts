import { NodeOperationError, WAIT_INDEFINITELY } from 'n8n-workflow';
import type { SendRequest } from '../../../contract';
import { CREDENTIAL } from '../../../transport/credentialSettings';
import { pause } from '../../../transport/pause';
import { announcementSecret } from '../../../waiting/announcement';
import { Listeners, type Listener } from '../../../waiting/listeners';
import { announceToAll } from '../../../waiting/announceToAll';
import type { Question } from '../../../waiting/question';
import { WaitingList } from '../../../waiting/waitingList';
import { linesOf } from '../../lineField';
import type { Run } from '../../run';

/** Questions of one account that wait at most: n8n reads all of them for every event of a trigger. */
const MOST_QUESTIONS = 5_000;

/** How often it is looked whether a trigger listens. */
const LOOK_EVERY_MS = 500;

/** What will be asked, and where the answer goes. */
export type QuestionToAsk = {
	request: SendRequest;
	/** The signed URL that lets the execution continue, and the name of the question in it. */
	resumeUrl: string;
	token: string;
	/** When the execution stops waiting. */
	until: Date;
	/** Whether only some texts are an answer. */
	isChoosy?: boolean;
	itemIndex: number;
};

/**
 * Announces to the triggers of this n8n which text an execution is about to wait for, before the question is sent.
 *
 * @returns the question, which is in the waiting list from now on
 * @throws NodeOperationError when no trigger would receive the answer, or when too many questions wait already
 */
export async function announceQuestion(run: Run, asking: QuestionToAsk): Promise<Question> {
	const { accountId } = (await run.connection()).settings;
	const waitingList = run.memory.part(WaitingList);
	const listeners = await findListeners(run, accountId);
	if (listeners.length === 0) throw noListenerError(run, asking);
	if (waitingList.questionsOf(accountId).length >= MOST_QUESTIONS) {
		throw tooManyQuestionsError(run, asking);
	}
	const question = await makeQuestion(run, accountId, asking);
	const secret = announcementSecret(await run.caller.getCredentials(CREDENTIAL));
	waitingList.add(question);
	const announced = await announceToAll(run, listeners, question, secret);
	if (announced.every((one) => one === 'unreached')) {
		waitingList.remove(question);
		throw notReachedError(run, asking, listeners);
	}
	if (!announced.includes('saved')) {
		run.caller.logger.warn(
			`${run.caller.getNode().name}: could not save a question; if n8n restarts, the answer to it starts the trigger's workflow instead`,
		);
	}
	return question;
}

/**
 * Remembers a question by buttons, so that it can end before it is answered. No text answers it, so it is asked also where
 * no trigger would tell of its end.
 */
export async function rememberQuestion(run: Run, asking: QuestionToAsk): Promise<Question> {
	const { accountId } = (await run.connection()).settings;
	const { number } = asking.request;
	const question = await makeQuestion(run, accountId, { ...asking, request: { number } });
	const byButtons: Question = { ...question, isByButtons: true };
	run.memory.part(WaitingList).add(byButtons);
	return byButtons;
}

/** The triggers that receive the answer. Where one may listen in a moment, the first of them is waited for. */
async function findListeners(run: Run, accountId: string): Promise<Listener[]> {
	const listeners = run.memory.part(Listeners);
	for (;;) {
		const found = listeners.of(accountId);
		if (found.length > 0 || !listeners.mayBeMissing(run.memory.loadedAtMs)) return found;
		await pause(run, LOOK_EVERY_MS);
	}
}

async function makeQuestion(
	run: Run,
	account: string,
	{ request, resumeUrl, token, until, isChoosy, itemIndex }: QuestionToAsk,
): Promise<Question> {
	const line = await findLine(run, itemIndex, request.line_handle);
	const { serviceClocks, settings } = await run.connection();
	return {
		account,
		number: request.number,
		resumeUrl,
		token,
		askedAtMs: run.clock.nowMs(),
		serviceOffsetMs: serviceClocks.offsetMs(account),
		...(settings.credentialKey && { credential: settings.credentialKey }),
		...(isChoosy && { isChoosy }),
		...(line && { line }),
		...(until < WAIT_INDEFINITELY && { untilMs: until.getTime() }),
	};
}

/** The line by its ID and its number, as an event may name it by either (§6.2, §6.3). */
async function findLine(
	run: Run,
	itemIndex: number,
	handle: string | undefined,
): Promise<Question['line']> {
	if (handle === undefined) return undefined;
	const lines = await linesOf(run, itemIndex);
	const number = lines.find((line) => line.line_handle === handle)?.number;
	return { handle, ...(number && { number }) };
}

function noListenerError({ caller }: Run, { itemIndex }: QuestionToAsk): NodeOperationError {
	const message = `No trigger listens for the answer [item ${itemIndex}]`;
	return new NodeOperationError(caller.getNode(), message, {
		description:
			"The question was not sent. Publish (in n8n 1: activate) a workflow that begins with a Two-Way Messaging Trigger for the event 'Message Received' and uses the same credential as this node. The trigger then passes the answer to this node, also when you test the workflow. If the credential's key pair was changed a moment ago, the trigger listens again from its next check on. Or set Answer By to 'Buttons on a Web Page', which needs no trigger. In n8n's queue mode only buttons work.",
		itemIndex,
	});
}

function tooManyQuestionsError({ caller }: Run, { itemIndex }: QuestionToAsk): NodeOperationError {
	const message = `${MOST_QUESTIONS} questions already wait for an answer by text [item ${itemIndex}]`;
	return new NodeOperationError(caller.getNode(), message, {
		description:
			"The question was not sent. Switch on Limit Wait Time, so that old questions end by themselves, stop executions whose answer is no longer needed, or set Answer By to 'Buttons on a Web Page'.",
		itemIndex,
	});
}

function notReachedError(
	{ caller }: Run,
	{ itemIndex }: QuestionToAsk,
	listeners: Listener[],
): NodeOperationError {
	const { url = '' } = listeners[0] ?? {};
	const host = URL.canParse(url) ? new URL(url).origin : url;
	const message = `This n8n cannot reach its own URL [item ${itemIndex}]`;
	return new NodeOperationError(caller.getNode(), message, {
		description: `The question was not sent. n8n would pass the answer to this node through ${host}, and the machine that n8n runs on has to be able to open that URL, too. See n8n's environment variable WEBHOOK_URL (N8N_WEBHOOK_URL in newer versions, which wins), or set Answer By to 'Buttons on a Web Page'.`,
		itemIndex,
	});
}
