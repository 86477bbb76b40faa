import type { NodeOperationError } from 'n8n-workflow';
import { refusal } from '../../fields/readField';
import { withRow, type Message } from '../../message';
import { Rounds } from '../../queue';
import { reasonOf } from '../../reasonOf';
import { FEW_ROWS, findRow, PAGE_SIZE, readRows } from '../../service/history';
import { pause, stopIfCancelled } from '../../service/pause';
import type { Run } from '../../service/request';
import { earliestDateMs } from '../../service/account';
import { serviceTimeMs } from '../../serviceTime';
import { readStatus } from '../message/readStatus';
import { Ledger } from './ledger';
import type { Following } from './sendFields';

/** Pauses before each look; the last one repeats. */
const PAUSES_MS = [500, 1_000, 1_000, 2_000, 2_000, 5_000];

/** Messages for which a page of few rows is enough, although other messages stand between them. */
const FEW_MESSAGES = 40;

/** Pages of a reading at most, as rows without a date do not tell where to stop. */
const MOST_PAGES = 20;

/** A message that is being followed, and the last that is known of it. */
type Followed = { last: Message; untilMs: number };

/** The looks of one run. However many messages it follows, one look serves all of them. */
class Looks extends Rounds<void> {
	readonly followed = new Set<Followed>();

	/** Whether the status of a message could be read the last time. */
	hasStatus = true;
}

/**
 * Follows a message until it has come far enough, could not be sent, or the time is over, together with all others of the run.
 * A look that fails is repeated, as the service has accepted the message: after an error, a person might send it again.
 *
 * @returns the last that is known of the message
 */
export async function follow(
	run: Run,
	message: Message,
	{ waitFor, atMostMs }: Following,
): Promise<Message> {
	if (message.message_handle === undefined) return message;
	const looks = await run.once('looks', async () => new Looks());
	const one = { last: message, untilMs: run.clock.nowMs() + atMostMs };
	looks.followed.add(one);
	for (let times = 0; !hasComeSoFar(one.last, waitFor); times += 1) {
		const leftMs = one.untilMs - run.clock.nowMs();
		if (!(leftMs > 0)) break;
		const pauseMs = Math.min(PAUSES_MS[times] ?? PAUSES_MS.at(-1)!, leftMs);
		await looks.join(
			async () => await look(run, looks),
			async () => await pause(run, pauseMs),
		);
	}
	looks.followed.delete(one);
	if (!hasComeSoFar(one.last, waitFor)) {
		run.notes.add(`Wait at Most was over before the service said that a message was ${waitFor}`);
	}
	return one.last;
}

/** Whether a message has come far enough. One that could not be sent comes no further. */
function hasComeSoFar({ status }: Message, waitFor: Following['waitFor']): boolean {
	if (waitFor === 'queued' || status === 'ERROR' || status === 'DELIVERED') return true;
	return waitFor === 'sent' && status === 'SENT';
}

/**
 * One reading of the history serves several messages; one that breaks off is followed by their statuses. A status may be
 * ahead of its row, so it tells of a message alone, unless the service has none that can be read.
 */
async function look(run: Run, looks: Looks): Promise<void> {
	const sinceMs = new Map<Followed, number>();
	for (const one of looks.followed) {
		const earliestMs = earliestMsOf(run, one.last);
		if (!Number.isNaN(earliestMs)) sinceMs.set(one, earliestMs);
	}
	const isByRows = sinceMs.size > (looks.hasStatus ? 1 : 0);
	const read = async () => await readHistory(run, sinceMs);
	const isRead = isByRows && (await tryToRead(run, read)) === true;
	for (const one of looks.followed) {
		if (!isRead || !sinceMs.has(one)) looks.hasStatus = await readAlone(run, one);
	}
}

/** Reads the history as far as the messages go back. Those that it does not show are asked for when their time is over. */
async function readHistory(run: Run, sinceMs: Map<Followed, number>): Promise<true> {
	const missing = new Map([...sinceMs.keys()].map((one) => [one.last.message_handle, one]));
	const earliestMs = Math.min(...sinceMs.values());
	const pageSize = sinceMs.size > FEW_MESSAGES ? PAGE_SIZE : FEW_ROWS;
	const reading = { pageSize, mostPages: MOST_PAGES, since: () => earliestMs };
	for await (const rows of readRows(run, reading)) {
		for (const { message: row } of rows) {
			const one = missing.get(row.message_handle);
			if (!one) continue;
			one.last = withRow(one.last, row);
			missing.delete(row.message_handle);
		}
		if (missing.size === 0) break;
	}
	const nowMs = run.clock.nowMs();
	for (const one of missing.values()) {
		if (nowMs >= one.untilMs) await readAlone(run, one);
	}
	return true;
}

/** Reads what is known now of one message. The status never says DELIVERED (§4.4): once it is sent, only the history does. */
async function readAlone(run: Run, one: Followed): Promise<boolean> {
	const isRead = await tryToRead(run, async () => {
		const isSent = one.last.status === 'SENT';
		const read = isSent ? {} : await readStatus(run, one.last.message_handle ?? '');
		const known = { ...one.last, ...read };
		// The history may say why a message could not be sent (§3.1), where the status does not.
		const isUnexplained = read.status === 'ERROR' && !read.error_message;
		const row = isSent || isUnexplained ? await findRow(run, known) : undefined;
		one.last = row ? withRow(known, row) : known;
		return true;
	});
	return isRead === true;
}

/** The oldest date that a message can have in the history; NaN where that is not known. */
function earliestMsOf({ account, memory }: Run, last: Message): number {
	const dateMs = serviceTimeMs(last.date_sent);
	if (!Number.isNaN(dateMs)) return dateMs;
	const sentMs = memory.part(Ledger).sentAtMs(last.message_handle) ?? Number.NaN;
	const { clockOffsetMs: serviceOffsetMs } = account;
	return earliestDateMs({ sinceMs: sentMs - memory.answerTimeoutMs, serviceOffsetMs });
}

/** The error for a message that the service accepted and then could not send; undefined where nobody waits to know. */
export function undeliverableError(
	run: Run,
	{ status, message_handle: handle, error_message: reason, to }: Message,
	{ waitFor }: Following,
): NodeOperationError | undefined {
	if (status !== 'ERROR' || waitFor === 'queued') return undefined;
	return refusal(run, {
		message: `The service could not send the message to ${to ?? 'the customer'}: ${reason || 'it gave no reason'}`,
		description: `The customer has not got it. Check the number, then run the node again. The operator finds the message by its ID, ${handle}.`,
	});
}

/** Reads how far messages have come. They are accepted, so a reading that goes wrong is logged and fails no item. */
export async function tryToRead<Read>({ context }: Run, read: () => Promise<Read>) {
	try {
		return await read();
	} catch (thrown) {
		stopIfCancelled(context);
		context.logger.warn(
			`${context.getNode().name}: could not read how far a message has come: ${reasonOf(thrown)}`,
		);
		return undefined;
	}
}
