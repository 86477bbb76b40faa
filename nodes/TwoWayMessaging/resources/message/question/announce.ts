import { randomUUID } from 'crypto';
import type { IExecuteFunctions, IN8nHttpFullResponse } from 'n8n-workflow';
import { NodeOperationError, WAIT_INDEFINITELY } from 'n8n-workflow';
import type { SendRequest } from '../../../contract';
import { isFields } from '../../../message';
import { readLines } from '../../../transport/lines';
import { CREDENTIAL } from '../../../transport/settings';
import { waitingList, type Listener } from '../../../waiting/list';
import { noteSecret, signedNote } from '../../../waiting/note';
import type { Question } from '../../../waiting/question';
import type { Run } from '../../run';

/** How long n8n may take to answer itself. */
const REACH_TIMEOUT_MS = 10_000;

/** Questions of one account that wait at most: n8n reads all of them for every event of a trigger. */
const MOST_QUESTIONS = 5_000;

/** Times a trigger is told until the question has been saved: another write may come in between. */
const MOST_NOTES = 5;

/**
 * Tells the triggers of this n8n which text an execution is about to wait for, before it is asked for.
 *
 * @throws NodeOperationError when no trigger would hear the answer, or too many questions wait already
 */
export async function announce(
	run: Run,
	itemIndex: number,
	request: SendRequest,
	resumeUrl: string,
	until: Date,
): Promise<Question> {
	const { caller } = run;
	const { settings } = await run.connection();
	const nowMs = Date.now();
	const listeners = waitingList.listenersOf(settings.accountId, nowMs);
	if (listeners.length === 0) throw nobodyListens(caller, itemIndex);
	if (waitingList.questionsOf(settings.accountId, nowMs).length >= MOST_QUESTIONS) {
		throw tooManyWait(caller, itemIndex);
	}
	const line = await lineOf(run, itemIndex, request.line_handle);
	const question: Question = {
		account: settings.accountId,
		number: request.number,
		resumeUrl,
		token: randomUUID(),
		askedAtMs: nowMs,
		...(line && { line }),
		...(until < WAIT_INDEFINITELY && { untilMs: until.getTime() }),
	};
	const secret = noteSecret(await caller.getCredentials(CREDENTIAL));
	waitingList.announce(question);
	const told = await Promise.all(
		listeners.map(async (listener) => await tell(caller, listener, question, secret)),
	);
	if (told.includes(true)) return question;
	waitingList.forget(question);
	throw noneReached(caller, itemIndex, listeners);
}

/** The line by both of its names, as events tell it by either (§6.2, §6.3). */
async function lineOf(
	run: Run,
	itemIndex: number,
	handle: string | undefined,
): Promise<Question['line']> {
	if (handle === undefined) return undefined;
	const connection = await run.connection();
	const lines = await run.once('lines', async () => await readLines(connection, itemIndex));
	const number = lines.find((line) => line.line_handle === handle)?.number;
	return { handle, ...(number && { number }) };
}

/**
 * Tells one trigger, until it says that the question has been saved.
 *
 * @returns whether the trigger can be reached
 */
async function tell(
	caller: IExecuteFunctions,
	{ url }: Listener,
	question: Question,
	secret: string,
): Promise<boolean> {
	// One that polls shares this process's memory, and saves at its next check.
	if (url === undefined) return true;
	let isReached = false;
	for (let note = 0; note < MOST_NOTES; note += 1) {
		const answer = await inTurn(async () => await post(caller, url, question, secret));
		if (answer === undefined) break;
		isReached = true;
		if (answer.isKept) return true;
	}
	caller.logger.warn(
		`${caller.getNode().name}: a question could not be saved, and will not be found again after a restart`,
	);
	return isReached;
}

let lastNote: Promise<unknown> = Promise.resolve();

/** One note after the other: n8n saves all that a trigger keeps, or nothing, and of two at once one is lost. */
async function inTurn<T>(send: () => Promise<T>): Promise<T> {
	const mine = lastNote.then(send);
	lastNote = mine.catch(() => undefined);
	return await mine;
}

async function post(
	caller: IExecuteFunctions,
	url: string,
	question: Question,
	secret: string,
): Promise<{ isKept: boolean } | undefined> {
	try {
		const response = (await caller.helpers.httpRequest({
			method: 'POST',
			url,
			...signedNote(question, secret, Date.now()),
			timeout: REACH_TIMEOUT_MS,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		})) as IN8nHttpFullResponse;
		const { body, statusCode } = response;
		if (statusCode !== 200 || !isFields(body) || typeof body.isKept !== 'boolean') return undefined;
		return { isKept: body.isKept };
	} catch (thrown) {
		caller.logger.debug(`Telling a trigger of a question: ${(thrown as Error).message}`);
		return undefined;
	}
}

function nobodyListens(caller: IExecuteFunctions, itemIndex: number): NodeOperationError {
	return new NodeOperationError(
		caller.getNode(),
		`No trigger listens for the answer [item ${itemIndex}]`,
		{
			description:
				"Nothing was sent. Publish a workflow that begins with a Two-Way Messaging Trigger for the event 'Message Received', with the same credential as this node; it hands the answer on, also in tests. Or set Answer By to 'Buttons on a Web Page', which needs no trigger. In n8n's queue mode only buttons work.",
			itemIndex,
		},
	);
}

function tooManyWait(caller: IExecuteFunctions, itemIndex: number): NodeOperationError {
	return new NodeOperationError(
		caller.getNode(),
		`${MOST_QUESTIONS} questions wait for an answer by text already [item ${itemIndex}]`,
		{
			description:
				"Nothing was sent. Switch on Limit Wait Time, so that old questions end by themselves, stop executions that nobody waits for, or set Answer By to 'Buttons on a Web Page'.",
			itemIndex,
		},
	);
}

function noneReached(
	caller: IExecuteFunctions,
	itemIndex: number,
	listeners: Listener[],
): NodeOperationError {
	const { url = '' } = listeners[0] ?? {};
	return new NodeOperationError(
		caller.getNode(),
		`This n8n cannot reach its own address [item ${itemIndex}]`,
		{
			description: `Nothing was sent. The answer is handed on through ${url.replace(/^(\w+:\/\/[^/]+).*$/, '$1')}, which has to be reachable from the machine that n8n runs on as well. See n8n's setting WEBHOOK_URL, or set Answer By to 'Buttons on a Web Page'.`,
			itemIndex,
		},
	);
}
