import type { NodeOperationError } from 'n8n-workflow';
import { refusal } from '../../fields/readField';
import { withRow, type Message } from '../../message';
import { reasonOf } from '../../reasonOf';
import { FEW_ROWS, findRow, PAGE_SIZE, readRows } from '../../service/history';
import { pause, stopIfCancelled } from '../../service/pause';
import type { Connection } from '../../service/request';
import type { Run } from '../../service/run';
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

/**
 * Follows a message until it has come far enough, could not be sent, or the time is over, together with all others of the run.
 *
 * @returns the last that is known of the message
 */
export async function follow(
	run: Run,
	message: Message,
	following: Following,
	itemIndex: number,
): Promise<Message> {
	if (message.message_handle === undefined || hasComeSoFar(message, following)) return message;
	const all = await run.once('followed', async () => new Follower(run, await run.connection()));
	return await all.follow({
		...following,
		last: message,
		itemIndex,
		untilMs: run.clock.nowMs() + following.atMostMs,
	});
}

/** The error for a message that the service accepted and then could not send; undefined where nobody waits to know. */
export function undeliverableError(
	run: Run,
	{ status, message_handle: handle, error_message: reason, to }: Message,
	{ waitFor }: Following,
	itemIndex: number,
): NodeOperationError | undefined {
	if (status !== 'ERROR' || waitFor === 'queued') return undefined;
	return refusal(run, itemIndex, {
		message: `The service could not send the message ${handle}: ${reason || 'it gave no reason'}`,
		description: `The service had accepted the message to ${to ?? 'the customer'}, and then could not send it, so the customer has not got it. Check the number and what the service says, then run the node again.`,
	});
}

/**
 * Reads how far messages have come. The messages are accepted, so a reading that goes wrong is logged and does not fail the item.
 *
 * @returns whether it went well
 * @throws NodeOperationError only when the execution is cancelled
 */
export async function tryToRead({ context }: Run, read: () => Promise<void>): Promise<boolean> {
	try {
		await read();
		return true;
	} catch (thrown) {
		stopIfCancelled(context);
		context.logger.warn(
			`${context.getNode().name}: could not read how far a message has come: ${reasonOf(thrown)}`,
		);
		return false;
	}
}

/** Whether a message has come far enough. One that could not be sent comes no further. */
function hasComeSoFar({ status }: Message, { waitFor }: Pick<Following, 'waitFor'>): boolean {
	if (waitFor === 'queued' || status === 'ERROR' || status === 'DELIVERED') return true;
	return waitFor === 'sent' && status === 'SENT';
}

/** A message that is being followed, and the last that is known of it. */
type Followed = Following & { last: Message; itemIndex: number; untilMs: number };

/**
 * Follows the messages of one run. However many there are, one look serves all of them. A look that fails is repeated, as
 * the service has accepted the messages: after an error, a person might send them again.
 */
class Follower {
	private readonly followed = new Set<Followed>();

	/** The looks that go on as long as a message is followed. */
	private looking: Promise<void> | undefined;

	/** Whether the status of a message could be read the last time. */
	private hasStatus = true;

	constructor(
		private readonly run: Run,
		private readonly connection: Connection,
	) {}

	async follow(message: Followed): Promise<Message> {
		this.followed.add(message);
		// Whoever comes first looks for everybody; who comes when all others have ended looks anew.
		while (this.followed.has(message)) {
			this.looking ??= this.lookOn().finally(() => (this.looking = undefined));
			await this.looking;
		}
		return message.last;
	}

	private async lookOn(): Promise<void> {
		const { clock } = this.connection;
		for (let looks = 0; ; looks += 1) {
			const nowMs = clock.nowMs();
			for (const one of this.followed) {
				if (hasComeSoFar(one.last, one) || nowMs >= one.untilMs) this.followed.delete(one);
			}
			if (this.followed.size === 0) return;
			const firstMs = Math.min(...[...this.followed].map(({ untilMs }) => untilMs)) - nowMs;
			await pause(this.connection, Math.min(PAUSES_MS[looks] ?? PAUSES_MS.at(-1)!, firstMs));
			await this.look();
		}
	}

	/**
	 * One reading of the history serves several messages; one that breaks off is followed by their statuses. A status may be
	 * ahead of its row, so it tells of a message alone, unless the service has none that can be read.
	 */
	private async look(): Promise<void> {
		const dated = [...this.followed].filter((one) => !Number.isNaN(this.earliestMs(one)));
		const isByRows = dated.length > (this.hasStatus ? 1 : 0);
		const isRead =
			isByRows && (await tryToRead(this.run, async () => await this.readHistory(dated)));
		for (const one of this.followed) {
			if (!isRead || !dated.includes(one)) this.hasStatus = await this.readAlone(one);
		}
	}

	/** Reads the history as far as the messages go back. Those that it does not show are asked for when their time is over. */
	private async readHistory(followed: Followed[]): Promise<void> {
		const { connection } = this;
		const missing = new Map(followed.map((one) => [one.last.message_handle, one]));
		const earliestMs = Math.min(...followed.map((one) => this.earliestMs(one)));
		const pageSize = followed.length > FEW_MESSAGES ? PAGE_SIZE : FEW_ROWS;
		const reading = { pageSize, mostPages: MOST_PAGES, since: () => earliestMs };
		for await (const rows of readRows(connection, reading, followed[0]?.itemIndex)) {
			for (const { message: row } of rows) {
				const one = missing.get(row.message_handle);
				if (!one) continue;
				one.last = withRow(one.last, row);
				missing.delete(row.message_handle);
			}
			if (missing.size === 0) break;
		}
		const nowMs = connection.clock.nowMs();
		for (const one of missing.values()) if (nowMs >= one.untilMs) await this.readAlone(one);
	}

	/** Reads what is known now of one message. The status never says DELIVERED (§4.4): once it is sent, only the history does. */
	private async readAlone(one: Followed): Promise<boolean> {
		const { connection } = this;
		const { last, itemIndex } = one;
		return await tryToRead(this.run, async () => {
			const isSent = last.status === 'SENT';
			const read = isSent ? {} : await readStatus(connection, last.message_handle ?? '', itemIndex);
			// The history may say why a message could not be sent (§3.1), where the status does not.
			const isUnexplained = read.status === 'ERROR' && !read.error_message;
			const row =
				isSent || isUnexplained ? await findRow(connection, { ...last, ...read }, itemIndex) : {};
			one.last = withRow({ ...last, ...read }, row ?? {});
		});
	}

	/** The oldest date that the message can have in the history; NaN where that is not known. */
	private earliestMs({ last }: Followed): number {
		const dateMs = serviceTimeMs(last.date_sent);
		if (!Number.isNaN(dateMs)) return dateMs;
		const sentMs = this.run.memory.part(Ledger).sentAtMs(last.message_handle) ?? Number.NaN;
		const { account, answerTimeoutMs } = this.connection;
		const serviceOffsetMs = account.clockOffsetMs;
		return earliestDateMs({ sinceMs: sentMs - answerTimeoutMs, serviceOffsetMs });
	}
}
