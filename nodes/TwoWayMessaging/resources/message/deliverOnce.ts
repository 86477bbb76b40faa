import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { Clock } from '../../clock';
import type { SendRequest } from '../../contract';
import { reasonOf } from '../../reasonOf';
import { pause, stopIfCancelled } from '../../transport/pause';
import type { Outcome } from '../../transport/request';
import type { Run } from '../run';
import { AgingMap, KEPT_OF_SENDING } from './agingMap';
import { findAcceptedMessage } from './findAcceptedMessage';
import { OnceList } from './onceList';
import type { Attempt } from './sendAttempts';
import { SendsInFlight } from './sendsInFlight';

/** How long a message may be open because another process is still at it: a wait for the limit, and an answer. */
const OTHERS_END_WITHIN_MS = 100_000;
const LOOK_EVERY_MS = 5_000;

/** How often a message that waits for another execution checks whether its own was cancelled. */
const CANCEL_CHECK_MS = 200;

/** How much is read of the history to find a message that an earlier execution may have sent. */
const PAGES = { pageSize: 500, mostPages: 100 };

/** The messages of this process that are sent only once and are being sent at the moment. */
class OnceUnderWay extends SendsInFlight {}

/** The messages that this process has left open: no other process is at them, and nobody has to be waited for. */
class LeftOpen extends AgingMap<true> {
	constructor(clock: Clock) {
		super(clock, KEPT_OF_SENDING);
	}
}

/** A message that may be sent once for its name. */
export type OnceMessage = {
	name: string;
	request: SendRequest;
	attempt: Attempt;
	itemIndex: number;
	deliver: () => Promise<Outcome | undefined>;
};

/**
 * Delivers a message unless one was sent for the same name before, by whatever execution of the node.
 *
 * @returns `'sentBefore'`, or what `deliver` returns
 * @throws NodeOperationError where it cannot be known, and what `deliver` throws
 */
export async function deliverOnce(
	run: Run,
	message: OnceMessage,
): Promise<Outcome | 'sentBefore' | undefined> {
	const { caller, clock, memory } = run;
	const key = keyOf(caller, message.name);
	const underWay = memory.part(OnceUnderWay);
	for (let ended = underWay.ended(key); ended; ended = underWay.ended(key)) {
		await Promise.race([ended, clock.sleep(CANCEL_CHECK_MS)]);
		stopIfCancelled(caller);
	}
	const end = underWay.begin(key);
	const list = new OnceList(caller, memory);
	try {
		return await deliverInTurn(run, list, message);
	} finally {
		await settle(run, async () => await list.letGo());
		end();
	}
}

const keyOf = (caller: IExecuteFunctions, name: string): string =>
	`${caller.getWorkflow().id} ${caller.getNode().id} ${name}`;

async function deliverInTurn(
	run: Run,
	list: OnceList,
	message: OnceMessage,
): Promise<Outcome | 'sentBefore' | undefined> {
	const { attempt, name, deliver } = message;
	const sinceMs = run.clock.nowMs();
	// An attempt whose answer is missing looks into the history by itself, from the moment of its request on.
	if (!attempt.lost) {
		const isSent = await orExplain(run, message, async () => await wasSent(run, list, message));
		if (isSent) return 'sentBefore';
	}
	let isAnswered = false;
	try {
		const refusal = await deliver();
		isAnswered = true;
		if (refusal) await settle(run, async () => await list.giveBack(name, sinceMs));
		else await settle(run, async () => await list.markSent(name, sinceMs));
		return refusal;
	} finally {
		if (!isAnswered && attempt.lost) run.memory.part(LeftOpen).set(keyOf(run.caller, name), true);
		else if (!isAnswered) await settle(run, async () => await list.giveBack(name, sinceMs));
	}
}

/** Begins the message in the list, and finds out what became of it where another execution has begun it. */
async function wasSent(run: Run, list: OnceList, message: OnceMessage): Promise<boolean> {
	const { name, request, itemIndex } = message;
	const isOwn = run.memory.part(LeftOpen).get(keyOf(run.caller, name));
	const untilMs = run.clock.nowMs() + (isOwn ? 0 : OTHERS_END_WITHIN_MS);
	const takeOver = async () =>
		run.clock.nowMs() >= untilMs && (await list.takeOver(name, OTHERS_END_WITHIN_MS));
	let standing = await list.begin(name);
	while (standing === 'open' && !(await takeOver())) {
		await pause(run, LOOK_EVERY_MS);
		standing = await list.begin(name);
	}
	if (standing !== 'open') return standing === 'sent';
	const sinceMs = await list.openSinceMs(name);
	const lost = { sinceMs };
	const found = await findAcceptedMessage(run, { request, lost, itemIndex, pages: PAGES });
	if (found) await list.markSent(name, sinceMs);
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

/** Writes down how a message ended. Where that fails the message stays open, and the next execution looks into the history. */
async function settle({ caller }: Run, write: () => Promise<void>): Promise<void> {
	try {
		await write();
	} catch (thrown) {
		caller.logger.warn(
			`${caller.getNode().name}: could not write down how a message ended that is sent only once: ${reasonOf(thrown)}`,
		);
	}
}
