import { setMaxListeners } from 'node:events';
import { DELIVERY, HEADERS } from '../../../nodes/TwoWayMessaging/contract';
import type { Clock } from '../clock';
import type { Settings } from '../options';
import type { Endpoint } from './endpoints';
import { countFailure } from './endpoints';
import type { Event } from './events';
import { signatureHeader } from './signature';

/** Ways to deliver an event again by hand: as it is, with an old timestamp, with a wrong signature. */
export const REDELIVERIES = ['same', 'old-timestamp', 'broken-signature'] as const;
export type Redelivery = (typeof REDELIVERIES)[number];

/** One POST of an event and what came of it. */
export type Attempt = {
	atMs: number;
	/** How it was asked for by hand; null for the service's own attempts. */
	by: Redelivery | null;
	headers: Record<string, string>;
	status: number | null;
	reason: string | null;
	answer: string;
	durationMs: number;
};

/** `waiting` for its (next) attempt, `sending`, or ended: `delivered`, `failed`, `dropped` with its endpoint. */
export type DeliveryState = 'waiting' | 'sending' | 'delivered' | 'failed' | 'dropped';

/** An event for one endpoint, with every attempt made. */
export type Delivery = {
	readonly id: string;
	readonly event: Event;
	readonly endpoint: Endpoint;
	state: DeliveryState;
	nextAttemptAtMs: number | null;
	readonly attempts: Attempt[];
};

/** So many attempts are in the air at once; further ones queue. */
const MAX_IN_FLIGHT = 1_000;
const HOUR_MS = 3_600_000;
const OLD_TIMESTAMP_SECONDS = 3_600;

/**
 * Milliseconds before the next attempt: exponential, 12 h at most (§6.4).
 * assumption: each gap is ten times the last, as the document names the cap only.
 */
export const backoffMs = (attemptsMade: number, firstRetryAfterMs: number): number =>
	Math.min(firstRetryAfterMs * 10 ** (attemptsMade - 1), DELIVERY.maxBackoffHours * HOUR_MS);

/** Delivers events to endpoints: signed, with a timeout, up to six attempts, until ten failures (§6.4, §3.3). */
export class Deliveries {
	#log = new Map<string, Delivery>();
	#queue: Array<() => Promise<void>> = [];
	#inFlight = 0;
	#idle: Array<() => void> = [];
	#closed = new AbortController();
	/** What waits for its next attempt, by endpoint, with the way to call it off. */
	#retries = new Map<Endpoint, Map<Delivery, () => void>>();

	constructor(
		private readonly clock: Clock,
		private readonly settings: Pick<
			Settings,
			'post' | 'deliveryTimeoutMs' | 'firstRetryAfterMs' | 'deliveryLogSize' | 'uuid'
		>,
		private readonly onChange: (delivery: Delivery) => void,
	) {
		// Every attempt in the air listens for the end.
		setMaxListeners(Infinity, this.#closed.signal);
	}

	/** Sends an event to an endpoint, now and, where that fails, later; a disabled one gets nothing (§3.3). */
	deliver(event: Event, endpoint: Endpoint): void {
		const delivery: Delivery = {
			id: this.settings.uuid(),
			event,
			endpoint,
			state: 'waiting',
			nextAttemptAtMs: null,
			attempts: [],
		};
		this.#record(delivery);
		this.#enqueue(async () => await this.#attempt(delivery));
	}

	/**
	 * Posts an event once more, at once and outside the count: its id stays, its signature is made anew, and
	 * what comes of it neither disables the endpoint nor is retried.
	 */
	redeliver(delivery: Delivery, by: Redelivery): void {
		this.#enqueue(async () => {
			const isOver = delivery.state !== 'waiting' && delivery.state !== 'sending';
			const attempt = await this.#post(delivery, by);
			if (isOver && isSuccess(attempt)) delivery.state = 'delivered';
			this.onChange(delivery);
		});
	}

	/** A delivery that the log still holds. */
	get(id: string): Delivery | undefined {
		return this.#log.get(id);
	}

	/** Up to `limit` deliveries older than `before`, the newest first. */
	latest(limit: number, before?: Delivery): Delivery[] {
		const all = [...this.#log.values()];
		const end = before ? all.indexOf(before) : all.length;
		return all.slice(Math.max(0, end - limit), end).reverse();
	}

	/** Resolves as soon as nothing is being sent; what waits for its next attempt does not count. */
	settled(): Promise<void> {
		if (this.#inFlight === 0 && this.#queue.length === 0) return Promise.resolve();
		return new Promise((resolve) => this.#idle.push(resolve));
	}

	/** Calls off what is in the air and what waits. */
	close(): void {
		this.#closed.abort();
		this.#queue = [];
		for (const waiting of this.#retries.values()) for (const cancel of waiting.values()) cancel();
		this.#retries.clear();
	}

	#record(delivery: Delivery): void {
		this.#log.set(delivery.id, delivery);
		if (this.#log.size > this.settings.deliveryLogSize) {
			const oldest = this.#log.keys().next();
			if (!oldest.done) this.#log.delete(oldest.value);
		}
		this.onChange(delivery);
	}

	#enqueue(job: () => Promise<void>): void {
		if (this.#closed.signal.aborted) return;
		this.#queue.push(job);
		this.#next();
	}

	#next(): void {
		while (this.#inFlight < MAX_IN_FLIGHT) {
			const job = this.#queue.shift();
			if (!job) break;
			this.#inFlight++;
			void job().finally(() => {
				this.#inFlight--;
				this.#next();
				if (this.#inFlight === 0) for (const resolve of this.#idle.splice(0)) resolve();
			});
		}
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
		if (isSuccess(attempt)) {
			this.#end(delivery, 'delivered');
			return;
		}
		countFailure(endpoint);
		const made = delivery.attempts.filter(({ by }) => by === null).length;
		if (made >= DELIVERY.maxAttempts) this.#end(delivery, 'failed');
		else if (endpoint.isEnabled) this.#retryLater(delivery, made);
		else this.#end(delivery, 'dropped');
		if (!endpoint.isEnabled) this.#dropRetriesOf(endpoint);
	}

	async #post(delivery: Delivery, by: Redelivery | null): Promise<Attempt> {
		const { event, endpoint } = delivery;
		const headers = this.#headersFor(delivery, by);
		const atMs = this.clock.now();
		const started = performance.now();
		const outcome = await this.settings
			.post({
				url: endpoint.url,
				headers,
				body: event.body,
				timeoutMs: this.settings.deliveryTimeoutMs,
				signal: this.#closed.signal,
			})
			.then(
				({ status, excerpt }) => ({ status, reason: null, answer: excerpt }),
				(cause: unknown) => ({
					status: null,
					reason: cause instanceof Error ? cause.message : String(cause),
					answer: '',
				}),
			);
		const attempt: Attempt = {
			atMs,
			by,
			headers,
			...outcome,
			durationMs: Math.round(performance.now() - started),
		};
		delivery.attempts.push(attempt);
		return attempt;
	}

	#headersFor({ event, endpoint }: Delivery, by: Redelivery | null): Record<string, string> {
		const headers: Record<string, string> = { 'content-type': 'application/json' };
		// A signature is only added when a secret is set (§2.4).
		if (endpoint.secret === null) return headers;
		let seconds = Math.floor(this.clock.receiverNow() / 1000);
		if (by === 'old-timestamp') seconds -= OLD_TIMESTAMP_SECONDS;
		const secret = by === 'broken-signature' ? `not ${endpoint.secret}` : endpoint.secret;
		headers[HEADERS.signature] = signatureHeader(secret, event.body, seconds);
		return headers;
	}

	#retryLater(delivery: Delivery, attemptsMade: number): void {
		const waitMs = backoffMs(attemptsMade, this.settings.firstRetryAfterMs);
		delivery.state = 'waiting';
		delivery.nextAttemptAtMs = this.clock.now() + waitMs;
		const waiting = this.#retries.get(delivery.endpoint) ?? new Map<Delivery, () => void>();
		this.#retries.set(delivery.endpoint, waiting);
		const cancel = this.clock.after(waitMs, () => {
			waiting.delete(delivery);
			this.#enqueue(async () => await this.#attempt(delivery));
		});
		waiting.set(delivery, cancel);
		this.onChange(delivery);
	}

	/** assumption: what waits for a disabled endpoint is given up; the history keeps it (§4.5). */
	#dropRetriesOf(endpoint: Endpoint): void {
		const waiting = this.#retries.get(endpoint);
		this.#retries.delete(endpoint);
		for (const [delivery, cancel] of waiting ?? []) {
			cancel();
			delivery.nextAttemptAtMs = null;
			this.#end(delivery, 'dropped');
		}
	}

	#end(delivery: Delivery, state: DeliveryState): void {
		delivery.state = state;
		this.onChange(delivery);
	}
}

const isSuccess = ({ status }: Attempt): boolean =>
	status !== null && status >= 200 && status < 300;

/** A delivery as the control endpoints show it. The signature is shown: it is what people debug. */
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
	attempts: delivery.attempts.map((attempt) => ({
		at: new Date(attempt.atMs).toISOString(),
		by: attempt.by,
		headers: attempt.headers,
		status: attempt.status,
		reason: attempt.reason,
		answer: attempt.answer,
		duration_ms: attempt.durationMs,
	})),
});
