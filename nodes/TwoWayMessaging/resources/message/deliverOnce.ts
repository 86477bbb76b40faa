import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { Clock } from '../../clock';
import type { SendRequest } from '../../contract';
import { reasonOf } from '../../reasonOf';
import { pause, stopIfCancelled } from '../../transport/pause';
import type { Outcome } from '../../transport/request';
import type { Run } from '../run';
import { AgingMap, KEPT_OF_SENDING } from './agingMap';
import { asAnswered } from './asAnswered';
import { findAcceptedMessage } from './findAcceptedMessage';
import { InFlight } from './inFlight';
import { OnceList } from './onceList';
import { OpenNote } from './openNote';
import type { Attempt } from './sendAttempts';

/** How long a message may be open because another process is still at it: a wait for the limit, and an answer. */
const OTHERS_END_WITHIN_MS = 100_000;
const LOOK_EVERY_MS = 5_000;

/** How often a message that waits for another execution checks whether its own was cancelled. */
const CANCEL_CHECK_MS = 200;

/** How much is read of the history to find a message that an earlier execution may have sent. */
const PAGES = { pageSize: 500, mostPages: 100 };

const UNDATED =
	'it shows a message that may be this one or an earlier one, and does not say to the second when it was sent';

/** The messages that are sent only once, and that this process is sending or finding out about at the moment. */
class OnceMessagesInFlight extends InFlight {}

/** The messages that this process has left open: no other process is at them, and nobody has to be waited for. */
class LeftOpen extends AgingMap<true> {
	constructor(clock: Clock) {
		super(clock, KEPT_OF_SENDING);
	}
}

/** The messages that this process has sent, or has found in the history, and could not mark as sent. */
class SentUnwritten extends AgingMap<true> {
	constructor(clock: Clock) {
		super(clock, KEPT_OF_SENDING);
	}
}

/** A message that may be sent once. */
export type OnceMessage = {
	/** What it is for. For the same words each number gets one message. */
	words: string;
	request: SendRequest;
	attempt: Attempt;
	itemIndex: number;
	deliver: () => Promise<Outcome | undefined>;
};

type NamedMessage = OnceMessage & { name: string };

/**
 * Delivers a message unless one was sent to the same number for the same words before, by whatever execution of the node.
 *
 * @returns `'sentBefore'`, or what `deliver` returns
 * @throws NodeOperationError where it cannot be known, and what `deliver` throws
 */
export async function deliverOnce(
	run: Run,
	message: OnceMessage,
): Promise<Outcome | 'sentBefore' | undefined> {
	const { caller, clock, memory } = run;
	const name = (message.attempt.onceName = nameOf(message));
	const key = keyOf(caller, name);
	const inFlight = memory.part(OnceMessagesInFlight);
	for (let ended = inFlight.ended(key); ended; ended = inFlight.ended(key)) {
		await Promise.race([ended, clock.sleep(CANCEL_CHECK_MS)]);
		stopIfCancelled(caller);
	}
	const end = inFlight.begin(key);
	const list = new OnceList(caller, memory);
	try {
		return await deliverInTurn(run, list, { ...message, name });
	} finally {
		await settle(run, async () => await list.letGo());
		end();
	}
}

/** Somebody who names a list, and not each customer in it, means a message for each. */
const nameOf = ({ request: { number }, words }: OnceMessage): string => `${number} ${words}`;

const keyOf = (caller: IExecuteFunctions, name: string): string =>
	`${caller.getWorkflow().id} ${caller.getNode().id} ${name}`;

async function deliverInTurn(
	run: Run,
	list: OnceList,
	message: NamedMessage,
): Promise<Outcome | 'sentBefore' | undefined> {
	const { attempt, name, deliver } = message;
	const request = asAnswered(await run.connection(), message.request);
	const note = OpenNote.of(request, run.clock.nowMs());
	// An attempt whose answer is missing looks into the history by itself, from the moment of its request on.
	const isNextTry = attempt.lost !== undefined;
	if (!isNextTry) {
		const isSent = await orExplain(
			run,
			message,
			async () => await wasSent(run, list, message, note),
		);
		if (isSent) return 'sentBefore';
	}
	// The note of an earlier try is another one.
	const begunWith = isNextTry ? undefined : note;
	let isAnswered = false;
	try {
		const refusal = await deliver();
		isAnswered = true;
		if (refusal) await settle(run, async () => await list.giveBack(name, begunWith));
		else await writeSent(run, list, name, begunWith);
		return refusal;
	} finally {
		if (!isAnswered && attempt.lost) run.memory.part(LeftOpen).set(keyOf(run.caller, name), true);
		else if (!isAnswered) await settle(run, async () => await list.giveBack(name, begunWith));
	}
}

/** Forgets that a message was sent, as the service could not deliver it. */
export async function forgetOnce(run: Run, attempt: Attempt): Promise<void> {
	const { onceName: name } = attempt;
	if (name === undefined) return;
	// A second try of the node sees the failure again, when another execution may have sent the message since.
	attempt.onceName = undefined;
	const list = new OnceList(run.caller, run.memory);
	await settle(run, async () => await list.giveBack(name));
}

/** Begins the message in the list, and finds out what became of it where another execution has begun it. */
async function wasSent(
	run: Run,
	list: OnceList,
	message: NamedMessage,
	note: OpenNote,
): Promise<boolean> {
	const { name, request, itemIndex } = message;
	const key = keyOf(run.caller, name);
	if (run.memory.part(SentUnwritten).get(key)) {
		await writeSent(run, list, name);
		return true;
	}
	const isOwn = run.memory.part(LeftOpen).get(key);
	// From now on another process may take it over.
	run.memory.part(LeftOpen).delete(key);
	const untilMs = run.clock.nowMs() + (isOwn ? 0 : OTHERS_END_WITHIN_MS);
	const takeOver = async () =>
		run.clock.nowMs() >= untilMs && (await list.takeOver(name, OTHERS_END_WITHIN_MS));
	let standing = await list.begin(name, note);
	while (standing === 'open' && !(await takeOver())) {
		await pause(run, LOOK_EVERY_MS);
		standing = await list.begin(name, note);
	}
	if (standing !== 'open') return standing === 'sent';
	const left = await list.openNote(name);
	const found = await findAcceptedMessage(run, {
		request,
		// The words of the message may be others by now, and another message may have the same.
		...(left && { isSame: (row) => left.isOf(row) }),
		lost: { sinceMs: left?.sinceMs ?? 0 },
		itemIndex,
		pages: PAGES,
	});
	if (found === 'undated') throw new Error(UNDATED);
	if (found) await writeSent(run, list, name);
	else await list.beginAgain(name, note);
	return found !== undefined;
}

/** @throws NodeOperationError with the item's number where the work throws */
async function orExplain(
	{ caller }: Run,
	{ itemIndex }: OnceMessage,
	work: () => Promise<boolean>,
): Promise<boolean> {
	try {
		return await work();
	} catch (thrown) {
		stopIfCancelled(caller);
		const message = `Whether the message was sent before cannot be found out [item ${itemIndex}]`;
		throw new NodeOperationError(caller.getNode(), message, {
			description: `The message was not sent now. Only Once For needs n8n's database, and after an interruption the history of the service: ${reasonOf(thrown)}`,
			itemIndex,
		});
	}
}

/** Writes down that a message was sent. Where that fails this process remembers it, as it would not take the row again. */
async function writeSent(run: Run, list: OnceList, name: string, note?: OpenNote): Promise<void> {
	const isWritten = await settle(run, async () => await list.markSent(name, note));
	const unwritten = run.memory.part(SentUnwritten);
	const key = keyOf(run.caller, name);
	if (isWritten) unwritten.delete(key);
	else unwritten.set(key, true);
}

/**
 * Writes down how a message ended. Where that fails the message stays open, and the next execution looks into the history.
 *
 * @returns whether it was written
 */
async function settle({ caller }: Run, write: () => Promise<void>): Promise<boolean> {
	try {
		await write();
		return true;
	} catch (thrown) {
		caller.logger.warn(
			`${caller.getNode().name}: could not write down how a message ended that is sent only once: ${reasonOf(thrown)}`,
		);
		return false;
	}
}
