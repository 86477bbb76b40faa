import type { IN8nHttpFullResponse } from 'n8n-workflow';
import type { Clock } from '../clock';
import { isFields } from '../message';
import type { ProcessMemory } from '../processMemory';
import { reasonOf } from '../reasonOf';
import { CREDENTIAL } from '../transport/credentialSettings';
import type { Caller } from '../transport/request';
import { announcementSecret, signAnnouncement, type AnnouncementAnswer } from './announcement';
import { Listeners } from './listeners';
import type { Question } from './question';
import { WaitingList } from './waitingList';

/** How long n8n may take to answer itself, in milliseconds. */
const ANSWER_TIMEOUT_MS = 10_000;

/** How often a question is announced to a trigger until n8n has saved it: another write may come in between. */
const MOST_ANNOUNCEMENTS = 5;

/** Who announces a question. */
type Announcer = { caller: Caller; clock: Clock; memory: ProcessMemory };

/**
 * Lets announcements go out one after the other: n8n saves a trigger's data as a whole, so of two announcements at the
 * same time one is lost.
 */
export class AnnouncementQueue {
	private last: Promise<unknown> = Promise.resolve();

	async add<T>(announce: () => Promise<T>): Promise<T> {
		const result = this.last.then(announce);
		this.last = result.catch(() => undefined);
		return await result;
	}
}

/**
 * Announces a question to one trigger, until the trigger answers that n8n has saved the question.
 *
 * @returns whether the trigger can be reached
 */
export async function postAnnouncement(
	run: Announcer,
	url: string,
	question: Question,
	secret: string,
): Promise<boolean> {
	const { caller } = run;
	const queue = run.memory.part(AnnouncementQueue);
	const waitingList = run.memory.part(WaitingList);
	let isReached = false;
	for (let announcements = 0; announcements < MOST_ANNOUNCEMENTS; announcements += 1) {
		const answer = await queue.add(async () => await post(run, url, question, secret));
		if (answer === undefined) break;
		isReached = true;
		const hasEnded = waitingList.find(question.token) === undefined;
		if (answer.isKept || hasEnded) return true;
	}
	caller.logger.warn(
		`${caller.getNode().name}: could not save a question; if n8n restarts, the answer to it starts the trigger's workflow instead`,
	);
	return isReached;
}

/**
 * Lets every trigger save what has changed about a question that it has saved, and about every other one of
 * the account.
 */
export async function saveWithTriggers(run: Announcer, question: Question): Promise<void> {
	const secret = announcementSecret(await run.caller.getCredentials(CREDENTIAL));
	await Promise.all(
		run.memory
			.part(Listeners)
			.of(question.account)
			.map(async ({ url, save }) => {
				if (url === undefined) save?.();
				else await postAnnouncement(run, url, question, secret);
			}),
	);
}

async function post(
	{ caller, clock }: Announcer,
	url: string,
	question: Question,
	secret: string,
): Promise<AnnouncementAnswer | undefined> {
	try {
		const { body, statusCode } = (await caller.helpers.httpRequest({
			method: 'POST',
			url,
			...signAnnouncement(question, secret, clock.nowMs()),
			timeout: ANSWER_TIMEOUT_MS,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		})) as IN8nHttpFullResponse;
		if (statusCode !== 200 || !isFields(body) || typeof body.isKept !== 'boolean') return undefined;
		return { isKept: body.isKept };
	} catch (thrown) {
		logUnreached(caller, thrown);
		return undefined;
	}
}

function logUnreached(caller: Caller, thrown: unknown): void {
	caller.logger.debug(
		`${caller.getNode().name}: could not announce a question to a trigger: ${reasonOf(thrown)}`,
	);
}
