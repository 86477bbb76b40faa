import { setMaxListeners } from 'node:events';
import { DELIVERY } from '../serviceFacts';
import { BoundedLog } from '../boundedLog';
import { getOrAdd } from '../getOrAdd';
import type { Settings } from '../options';
import type { Timeline } from '../timeline';
import type { Attempt, Redelivery } from './attempt';
import { attemptBody, hasSucceeded, postEvent } from './attempt';
import type { Endpoint } from './endpoints';
import { countFailure } from './endpoints';
import type { Event } from './events';
import { JobQueue } from './jobQueue';

/**
 * The states of a delivery: `waiting` for its first or next attempt, `sending`, or ended as `delivered`, `failed`,
 * or `dropped` because its endpoint is disabled.
 */
export const DELIVERY_STATES = ['waiting', 'sending', 'delivered', 'failed', 'dropped'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** An event for one endpoint, with every attempt to deliver it. */
export type Delivery = {
	readonly id: string;
	readonly event: Event;
	readonly endpoint: Endpoint;
	state: DeliveryState;
	nextAttemptAtMs: number | null;
	readonly attempts: Attempt[];
};

/** What deliveries need from the world around them. */
export type DeliveryHooks = {
	/** How far the service's clock is behind the sandbox's when it signs (§6.4). */
	clockBehindMs: () => number;
	/** The header of the signature (§6.4). */
	signatureHeader: () => string;
	onChange: (delivery: Delivery) => void;
};

/** How many attempts run at the same time; further ones wait for their turn. */
const MOST_ATTEMPTS_AT_ONCE = 1_000;
const HOUR_MS = 3_600_000;

/**
 * Milliseconds before the next attempt: exponential, at most 12 h (§6.4).
 * assumption: each gap is ten times the previous one, because the document only names the cap.
 */
export const backoffMs = (attemptsMade: number, firstRetryAfterMs: number): number =>
	Math.min(firstRetryAfterMs * 10 ** (attemptsMade - 1), DELIVERY.maxBackoffHours * HOUR_MS);

/**
 * Delivers events to endpoints: signed, with a timeout, in up to six attempts (§6.4), until an endpoint has
 * failed ten times (§3.3).
 */
export class Deliveries {
	readonly log: BoundedLog<Delivery>;
	#attempts = new JobQueue(MOST_ATTEMPTS_AT_ONCE);
	#closed = new AbortController();
	/** For each endpoint the deliveries that wait for their next attempt, each with a function that cancels it. */
	#retries = new Map<Endpoint, Map<Delivery, () => void>>();

	constructor(
		private readonly timeline: Timeline,
		private readonly settings: Pick<
			Settings,
			'post' | 'deliveryTimeoutMs' | 'firstRetryAfterMs' | 'deliveryLogSize' | 'uuid'
		>,
		private readonly hooks: DeliveryHooks,
	) {
		this.log = new BoundedLog(settings.deliveryLogSize);
		// Every attempt that runs listens to this signal.
		setMaxListeners(Infinity, this.#closed.signal);
	}

	/** Delivers an event to an endpoint, now and, if that fails, later; a disabled endpoint gets nothing (§3.3). */
	deliver(event: Event, endpoint: Endpoint): void {
		const delivery: Delivery = {
			id: this.settings.uuid(),
			event,
			endpoint,
			state: 'waiting',
			nextAttemptAtMs: null,
			attempts: [],
		};
		this.log.add(delivery);
		this.hooks.onChange(delivery);
		this.#enqueue(async () => await this.#attempt(delivery));
	}

	/**
	 * Posts an event once more, at once and outside of the service's own attempts: the event keeps its id and gets a
	 * new signature. A failure is not retried and does not disable the endpoint.
	 */
	redeliver(delivery: Delivery, by: Redelivery): void {
		this.#enqueue(async () => {
			const hasEnded = delivery.state !== 'waiting' && delivery.state !== 'sending';
			const attempt = await this.#post(delivery, by);
			if (hasEnded && hasSucceeded(attempt)) delivery.state = 'delivered';
			this.hooks.onChange(delivery);
		});
	}

	/** Resolves as soon as no attempt runs; deliveries that wait for their next attempt do not count. */
	settled(): Promise<void> {
		return this.#attempts.settled();
	}

	/** Resolves as soon as the attempts have ended that run or wait for their turn by now. */
	ended(): Promise<void> {
		return this.#attempts.ended();
	}

	/** Whether an attempt runs or waits for its turn. */
	get isBusy(): boolean {
		return this.#attempts.isBusy;
	}

	/**
	 * Drops what waits for an endpoint that gets nothing any more.
	 * assumption: the retries of a disabled endpoint are dropped; their messages stay in the history (§4.5).
	 */
	dropRetriesOf(endpoint: Endpoint): void {
		const waiting = this.#retries.get(endpoint);
		this.#retries.delete(endpoint);
		for (const [delivery, cancel] of waiting ?? []) {
			cancel();
			delivery.nextAttemptAtMs = null;
			this.#end(delivery, 'dropped');
		}
	}

	/** Cancels the attempts that run and those that wait. */
	close(): void {
		this.#closed.abort();
		this.#attempts.clear();
		for (const waiting of this.#retries.values()) for (const cancel of waiting.values()) cancel();
		this.#retries.clear();
	}

	#enqueue(job: () => Promise<void>): void {
		if (!this.#closed.signal.aborted) this.#attempts.add(job);
	}

	async #attempt(delivery: Delivery): Promise<void> {
		const { endpoint } = delivery;
		delivery.nextAttemptAtMs = null;
		if (!endpoint.isEnabled) {
			this.#end(delivery, 'dropped');
			return;
		}
		delivery.state = 'sending';
		const attempt = await this.#post(delivery, null);
		if (this.#closed.signal.aborted) return;
		if (hasSucceeded(attempt)) {
			this.#end(delivery, 'delivered');
			return;
		}
		countFailure(endpoint);
		const made = delivery.attempts.filter(({ by }) => by === null).length;
		if (made >= DELIVERY.maxAttempts) this.#end(delivery, 'failed');
		else if (endpoint.isEnabled) this.#retryLater(delivery, made);
		else this.#end(delivery, 'dropped');
		if (!endpoint.isEnabled) this.dropRetriesOf(endpoint);
	}

	async #post(delivery: Delivery, by: Redelivery | null): Promise<Attempt> {
		const { signal } = this.#closed;
		const attempt = await postEvent(
			delivery,
			by,
			{
				clock: this.timeline,
				behindMs: this.hooks.clockBehindMs(),
				signatureHeader: this.hooks.signatureHeader(),
			},
			this.settings,
			signal,
		);
		delivery.attempts.push(attempt);
		return attempt;
	}

	#retryLater(delivery: Delivery, attemptsMade: number): void {
		const waitMs = backoffMs(attemptsMade, this.settings.firstRetryAfterMs);
		delivery.state = 'waiting';
		delivery.nextAttemptAtMs = this.timeline.now() + waitMs;
		const waiting = getOrAdd(
			this.#retries,
			delivery.endpoint,
			() => new Map<Delivery, () => void>(),
		);
		const attemptAgain = () => {
			waiting.delete(delivery);
			this.#enqueue(async () => await this.#attempt(delivery));
		};
		const cancel = this.timeline.after(waitMs, attemptAgain, true);
		waiting.set(delivery, cancel);
		this.hooks.onChange(delivery);
	}

	#end(delivery: Delivery, state: DeliveryState): void {
		delivery.state = state;
		this.hooks.onChange(delivery);
	}
}

/** A delivery as the control endpoints show it. */
export const deliveryBody = (delivery: Delivery) => ({
	id: delivery.id,
	event_id: delivery.event.id,
	event: delivery.event.kind,
	created_at: new Date(delivery.event.createdAtMs).toISOString(),
	url: delivery.endpoint.url,
	state: delivery.state,
	next_attempt_at:
		delivery.nextAttemptAtMs === null ? null : new Date(delivery.nextAttemptAtMs).toISOString(),
	body: delivery.event.body,
	attempts: delivery.attempts.map(attemptBody),
});
