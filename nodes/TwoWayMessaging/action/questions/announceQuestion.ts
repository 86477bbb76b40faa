import { refusal } from '../../fields/readField';
import { pause } from '../../service/pause';
import { Listeners } from '../../waiting/listeners';
import type { Question } from '../../waiting/question';
import { WaitingList } from '../../waiting/waitingList';
import { linesOf } from '../../service/lines';
import type { Run } from '../../service/run';
import type { Address } from '../sending/sendFields';

/** Pauses before each look for a trigger, as n8n may be publishing it: two seconds together. */
const LOOK_PAUSES_MS = [500, 500, 1_000];

/** The same where n8n has just started, and publishes one workflow after the other: ten seconds. */
const AFTER_START_PAUSES_MS = [...LOOK_PAUSES_MS, 2_000, 3_000, 3_000];
const JUST_STARTED_MS = 60_000;

/** How long n8n may take to answer itself. */
const ANSWER_TIMEOUT_MS = 10_000;

/** Where the answer to a question goes. */
type Asking = Pick<Question, 'resumeUrl' | 'token' | 'waitMs' | 'isByButtons'>;

/**
 * Lets the triggers of this n8n know which question an execution is about to wait for, before it is sent. One that a text
 * answers is also saved with them; one by buttons is remembered so that it can end before it is answered.
 *
 * @returns the question, which is in the waiting list from now on
 * @throws NodeOperationError when no trigger would receive the answer
 */
export async function announceQuestion(
	run: Run,
	asking: Asking,
	{ number, line_handle: handle }: Address,
	itemIndex: number,
): Promise<Question> {
	const { account: service, settings } = await run.connection();
	const question: Question = {
		...asking,
		account: settings.accountId,
		number,
		askedAtMs: run.clock.nowMs(),
		serviceOffsetMs: service.clockOffsetMs,
	};
	if (!asking.isByButtons) {
		await refuseUnanswerable(run, question, itemIndex);
		const lines = handle === undefined ? [] : await linesOf(run, itemIndex);
		const lineNumber = lines.find((one) => one.line_handle === handle)?.number;
		// An event may name the line by either (§6.2, §6.3).
		if (handle) question.line = { handle, ...(lineNumber && { number: lineNumber }) };
	}
	run.memory.part(WaitingList).add(question);
	if (!asking.isByButtons) await run.memory.part(Listeners).save(question.account);
	return question;
}

async function refuseUnanswerable(
	run: Run,
	{ account, resumeUrl }: Question,
	itemIndex: number,
): Promise<void> {
	const isListenedTo = () => run.memory.part(Listeners).of(account).length > 0;
	const hasJustStarted = run.clock.nowMs() - run.memory.sinceMs < JUST_STARTED_MS;
	for (const pauseMs of hasJustStarted ? AFTER_START_PAUSES_MS : LOOK_PAUSES_MS) {
		if (!isListenedTo()) await pause(run, pauseMs);
	}
	if (!isListenedTo()) {
		throw refusal(run, itemIndex, {
			message: 'No trigger listens for the answer',
			description:
				"The question was not sent. Publish (in n8n 1: activate) a workflow that begins with a Two-Way Messaging Trigger for 'Message Received', with the same credential as this node: it passes the answer on, also in a test. Or set Answer By to 'Buttons on a Web Page', which needs no trigger; in n8n's queue mode only buttons work.",
		});
	}
	await refuseUnreachable(run, resumeUrl, itemIndex);
}

/** The trigger passes the answer through n8n's own URL, which a firewall may keep from n8n itself. */
async function refuseUnreachable(run: Run, resumeUrl: string, itemIndex: number): Promise<void> {
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
		throw refusal(run, itemIndex, {
			message: 'This n8n cannot reach its own URL',
			description: `n8n would pass the answer to this node through ${origin}, and the machine that n8n runs on has to be able to open that URL, too. See n8n's environment variable WEBHOOK_URL (N8N_WEBHOOK_URL in newer versions, which wins), or set Answer By to 'Buttons on a Web Page'.`,
		});
	}
}
