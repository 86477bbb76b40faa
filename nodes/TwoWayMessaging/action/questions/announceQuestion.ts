import { WAIT_INDEFINITELY } from 'n8n-workflow';
import type { SendRequest } from '../../contract';
import { pause } from '../../service/pause';
import { Listeners } from '../../waiting/listeners';
import type { Question } from '../../waiting/question';
import { WaitingList } from '../../waiting/waitingList';
import { linesOf } from '../../service/lines';
import type { Run } from '../../service/run';
import { refusal } from './refusal';

/** Questions of one account that wait at most: n8n reads all of them for every event of a trigger. */
const MOST_QUESTIONS = 5_000;

/** How often it is looked whether a trigger listens. */
const LOOK_EVERY_MS = 500;

/** How long n8n may take to answer itself. */
const ANSWER_TIMEOUT_MS = 10_000;

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
 * Lets the triggers of this n8n know and save which text an execution is about to wait for, before the question is sent.
 *
 * @returns the question, which is in the waiting list from now on
 * @throws NodeOperationError when no trigger would receive the answer, or too many questions wait already
 */
export async function announceQuestion(run: Run, asking: QuestionToAsk): Promise<Question> {
	const { itemIndex } = asking;
	const { accountId } = (await run.connection()).settings;
	const waitingList = run.memory.part(WaitingList);
	if (!(await isListenedTo(run, accountId))) {
		throw refusal(run, itemIndex, 'No trigger listens for the answer', {
			advice:
				"Publish (in n8n 1: activate) a workflow that begins with a Two-Way Messaging Trigger for the event 'Message Received' and uses the same credential as this node. The trigger then passes the answer to this node, also when you test the workflow. If the credential's key pair was changed a moment ago, the trigger listens again from its next check on. Or set Answer By to 'Buttons on a Web Page', which needs no trigger. In n8n's queue mode only buttons work.",
		});
	}
	if (waitingList.questionsOf(accountId).length >= MOST_QUESTIONS) {
		throw refusal(
			run,
			itemIndex,
			`${MOST_QUESTIONS} questions already wait for an answer by text`,
			{
				advice:
					"Switch on Limit Wait Time, so that old questions end by themselves, stop executions whose answer is no longer needed, or set Answer By to 'Buttons on a Web Page'.",
			},
		);
	}
	await refuseUnreachable(run, asking);
	const question = await makeQuestion(run, accountId, asking);
	waitingList.add(question);
	await run.memory.part(Listeners).save(accountId);
	return question;
}

/**
 * Remembers a question by buttons, so that it can end before it is answered. No text answers it, so it is asked also where
 * no trigger would tell of its end.
 */
export async function rememberQuestion(run: Run, asking: QuestionToAsk): Promise<Question> {
	const { accountId } = (await run.connection()).settings;
	const request = { number: asking.request.number };
	const question = await makeQuestion(run, accountId, { ...asking, request });
	const byButtons: Question = { ...question, isByButtons: true };
	run.memory.part(WaitingList).add(byButtons);
	return byButtons;
}

/** Whether a trigger receives the answer. Where one may listen in a moment, it is waited for. */
async function isListenedTo(run: Run, accountId: string): Promise<boolean> {
	const listeners = run.memory.part(Listeners);
	for (;;) {
		if (listeners.of(accountId).length > 0) return true;
		if (!listeners.mayBeMissing(run.memory.loadedAtMs)) return false;
		await pause(run, LOOK_EVERY_MS);
	}
}

async function makeQuestion(
	run: Run,
	account: string,
	{ request, resumeUrl, token, until, isChoosy, itemIndex }: QuestionToAsk,
): Promise<Question> {
	const line = await findLine(run, itemIndex, request.line_handle);
	const { account: service, settings } = await run.connection();
	return {
		account,
		number: request.number,
		resumeUrl,
		token,
		askedAtMs: run.clock.nowMs(),
		serviceOffsetMs: service.clockOffsetMs,
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

/** The trigger passes the answer through n8n's own URL, which a firewall may keep from n8n itself. */
async function refuseUnreachable(run: Run, { resumeUrl, itemIndex }: QuestionToAsk): Promise<void> {
	try {
		// n8n answers that nothing waits there yet.
		await run.context.helpers.httpRequest({
			method: 'GET',
			url: resumeUrl,
			timeout: ANSWER_TIMEOUT_MS,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		});
	} catch {
		const { origin } = new URL(resumeUrl);
		throw refusal(run, itemIndex, 'This n8n cannot reach its own URL', {
			advice: `n8n would pass the answer to this node through ${origin}, and the machine that n8n runs on has to be able to open that URL, too. See n8n's environment variable WEBHOOK_URL (N8N_WEBHOOK_URL in newer versions, which wins), or set Answer By to 'Buttons on a Web Page'.`,
		});
	}
}
