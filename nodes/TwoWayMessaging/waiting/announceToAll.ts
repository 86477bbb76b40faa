import type { IN8nHttpFullResponse } from 'n8n-workflow';
import type { Clock } from '../clock';
import { isFields } from '../message';
import type { ProcessMemory } from '../processMemory';
import { reasonOf } from '../reasonOf';
import { CREDENTIAL } from '../transport/credentialSettings';
import type { Caller } from '../transport/request';
import { announcementSecret, signAnnouncement, type AnnouncementAnswer } from './announcement';
import { Listeners, type Listener } from './listeners';
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

/** What came of an announcement: n8n has saved the question, the trigger alone has it, or the trigger was not reached. */
export type Announced = 'saved' | 'unsaved' | 'unreached';

/** Announces a question, as it is now, to these triggers. What each of them saves has every other question of the account, too. */
export async function announceToAll(
	run: Announcer,
	listeners: Listener[],
	question: Question,
	secret: string,
): Promise<Announced[]> {
	return await Promise.all(
		listeners.map(async ({ url, save }) => {
			if (url !== undefined) return await announceAt(run, url, question, secret);
			// A trigger that polls has no URL. It saves what this process remembers, in a moment or with its next check.
			save?.();
			return 'saved';
		}),
	);
}

/** Announces a question to one trigger, until the trigger answers that n8n has saved the question. */
async function announceAt(
	run: Announcer,
	url: string,
	question: Question,
	secret: string,
): Promise<Announced> {
	const queue = run.memory.part(AnnouncementQueue);
	const waitingList = run.memory.part(WaitingList);
	let announced: Announced = 'unreached';
	for (let announcements = 0; announcements < MOST_ANNOUNCEMENTS; announcements += 1) {
		const answer = await queue.add(async () => await post(run, url, question, secret));
		if (answer === undefined) break;
		const hasEnded = waitingList.find(question.token) === undefined;
		if (answer.isKept || hasEnded) return 'saved';
		announced = 'unsaved';
	}
	return announced;
}

/** Lets every trigger save what a text has changed about a question that is saved already. */
export async function saveWithTriggers(run: Announcer, question: Question): Promise<void> {
	const { caller, memory } = run;
	const secret = announcementSecret(await caller.getCredentials(CREDENTIAL));
	const listeners = memory.part(Listeners).of(question.account);
	if ((await announceToAll(run, listeners, question, secret)).includes('saved')) return;
	caller.logger.warn(
		`${caller.getNode().name}: could not save what a text did to a question; if n8n restarts, the text may count once more`,
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
