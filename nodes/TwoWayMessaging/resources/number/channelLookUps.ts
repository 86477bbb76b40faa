import { PATHS } from '../../contract';
import { isFields, serviceName } from '../../message';
import { retryAfterMs } from '../../transport/lane';
import { pause } from '../../transport/pause';
import { isSuccess } from '../../transport/readJson';
import { ask, type Connection, type Outcome } from '../../transport/request';

/** Pauses before each further question about a number; the last one repeats. */
const PAUSES_MS = [500, 1_000, 2_000, 3_000, 5_000];

/** How often the service is asked again after an answer that is not JSON. */
const MOST_UNREADABLE = 2;

/** What a look-up has shown: the channel, null while it is not known, or the outcome that ended the look-up. */
export type Prediction = { service: string | null } | { failed: Outcome };

/** The look-up of one number. */
type LookUp = {
	number: string;
	questions: number;
	unreadable: number;
	/** What is said when the time is over. */
	last: Prediction;
	/** Set once there is nothing more to ask. */
	ended?: Prediction;
	nextMs: number;
	/** Counts from the first answer: the wait for a limit is not the service's check. */
	untilMs: number;
	atMostMs: number;
};

/**
 * The look-ups of one run (§4.6). However many items hold a number, the service is asked about it once: it allows 20
 * questions a minute (§8.1). The first questions about all numbers come before the second question about any.
 *
 * ```ts
 * const prediction = (await lookUps.begin(number, 30_000)) ?? (await lookUps.end(number));
 * ```
 */
export class ChannelLookUps {
	private readonly lookUps = new Map<string, LookUp>();

	private asking: Promise<void> | undefined;

	constructor(private readonly connection: Connection) {}

	/**
	 * Asks about a number for the first time, unless another item has asked.
	 *
	 * @returns undefined where the service has to be asked again
	 * @throws NodeOperationError only when the execution is cancelled
	 */
	async begin(number: string, atMostMs: number): Promise<Prediction | undefined> {
		const known = this.lookUps.get(number);
		if (known) return known.ended;
		const lookUp: LookUp = {
			number,
			questions: 0,
			unreadable: 0,
			last: { service: null },
			nextMs: 0,
			untilMs: Number.POSITIVE_INFINITY,
			atMostMs,
		};
		await this.askAbout(lookUp);
		this.lookUps.set(number, lookUp);
		return lookUp.ended;
	}

	/**
	 * Waits until the channel of a number is known or the time is over, while the other numbers are waited for, too.
	 *
	 * @throws NodeOperationError only when the execution is cancelled
	 */
	async end(number: string): Promise<Prediction> {
		// Whoever comes first asks for everybody.
		this.asking ??= this.askOn();
		await this.asking;
		return this.lookUps.get(number)?.ended ?? { service: null };
	}

	/** Asks about the number whose turn is next, until there is nothing more to ask. */
	private async askOn(): Promise<void> {
		const { clock } = this.connection;
		for (;;) {
			const open = [...this.lookUps.values()].filter(({ ended }) => !ended);
			const [first] = open;
			if (!first) return;
			const next = open.reduce((one, other) => (other.nextMs < one.nextMs ? other : one), first);
			await pause(this.connection, Math.max(0, next.nextMs - clock.nowMs()));
			await this.askAbout(next);
		}
	}

	private async askAbout(lookUp: LookUp): Promise<void> {
		const { connection } = this;
		const outcome = await ask(connection, {
			method: 'GET',
			path: connection.settings.pathPrefix + PATHS.lookup,
			query: { number: lookUp.number },
			lane: 'lookup',
		});
		const nowMs = connection.clock.nowMs();
		lookUp.untilMs = Math.min(lookUp.untilMs, nowMs + lookUp.atMostMs);
		const service = isSuccess(outcome) ? findChannel(outcome.body) : undefined;
		if (service) lookUp.ended = { service };
		else if (!mayBeKnownLater(lookUp, outcome)) lookUp.ended = { failed: outcome };
		else lookUp.last = isPending(outcome) ? { service: null } : { failed: outcome };
		// Written so that a limit that is not a number ends the look-up, and does not let questions follow without a pause.
		if (!(nowMs < lookUp.untilMs)) lookUp.ended ??= lookUp.last;
		const pauseMs = PAUSES_MS[lookUp.questions] ?? PAUSES_MS.at(-1)!;
		const askedMs = (outcome.kind === 'answer' && retryAfterMs(outcome, nowMs)) || 0;
		lookUp.questions += 1;
		lookUp.nextMs = Math.min(nowMs + Math.max(pauseMs, askedMs), lookUp.untilMs);
	}
}

/** Whether the service may know the channel when it is asked again. */
function mayBeKnownLater(lookUp: LookUp, outcome: Outcome): boolean {
	if (isInconclusive(outcome)) return true;
	const isUnreadable = outcome.kind === 'answer' && typeof outcome.body === 'string';
	if (isUnreadable) lookUp.unreadable += 1;
	return isUnreadable && lookUp.unreadable <= MOST_UNREADABLE;
}

/** §4.6: 202 means that a live check is running. */
function isPending(outcome: Outcome): boolean {
	return outcome.kind === 'answer' && outcome.status === 202;
}

/**
 * Whether the service may know the channel when it is asked again.
 *
 * assumption: a 503 is inconclusive (§4.6: its condition is not shown).
 */
function isInconclusive(outcome: Outcome): boolean {
	switch (outcome.kind) {
		case 'answer':
			return isPending(outcome) || outcome.status >= 500;
		case 'unanswered':
			return true;
		case 'unsent':
			return false;
	}
}

/**
 * The channel that an answer names.
 *
 * assumption: the body is not shown (§4.6), so every usual name is read.
 */
function findChannel(body: unknown): string | undefined {
	for (const place of [body, isFields(body) && body.data]) {
		if (!isFields(place)) continue;
		const channel = place.service ?? place.channel;
		if (typeof channel === 'string' && channel !== '') return serviceName(channel);
		if (typeof place.is_imessage === 'boolean') return place.is_imessage ? 'iMessage' : 'SMS';
	}
	return undefined;
}
