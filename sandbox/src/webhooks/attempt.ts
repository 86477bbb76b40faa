import type { Settings } from '../options';
import type { Timeline } from '../timeline';
import type { Endpoint } from './endpoints';
import type { Event } from './events';
import { signatureHeader } from './signature';

/** The ways to deliver an event again by hand: unchanged, with an old timestamp, with a wrong signature. */
export const REDELIVERIES = ['same', 'old-timestamp', 'broken-signature'] as const;
export type Redelivery = (typeof REDELIVERIES)[number];

/** One POST of an event, and its result. */
export type Attempt = {
	atMs: number;
	/** How a person asked for it; null for the service's own attempts. */
	by: Redelivery | null;
	headers: Record<string, string>;
	status: number | null;
	reason: string | null;
	answer: string;
	durationMs: number;
};

/** The sandbox's clock, and how far the service's own clock is behind it. */
export type ServiceTime = {
	clock: Pick<Timeline, 'now' | 'receiverNow'>;
	behindMs: number;
	signatureHeader: string;
};

const OLD_TIMESTAMP_SECONDS = 3_600;

/**
 * Posts an event to an endpoint; also returns an attempt when the endpoint cannot be reached.
 *
 * @param signal aborted when the sandbox closes
 */
export const postEvent = async (
	{ event, endpoint }: { event: Event; endpoint: Endpoint },
	by: Redelivery | null,
	time: ServiceTime,
	{ post, deliveryTimeoutMs }: Pick<Settings, 'post' | 'deliveryTimeoutMs'>,
	signal: AbortSignal,
): Promise<Attempt> => {
	const headers: Record<string, string> = {
		'content-type': 'application/json',
		// The service signs only where a secret is set (§2.4).
		...(endpoint.secret !== null && {
			[time.signatureHeader]: sign(event, endpoint.secret, by, time),
		}),
	};
	const atMs = time.clock.now();
	const started = performance.now();
	const outcome = await post({
		url: endpoint.url,
		headers,
		body: event.body,
		timeoutMs: deliveryTimeoutMs,
		signal,
	}).then(
		({ status, excerpt }) => ({ status, reason: null, answer: excerpt }),
		(cause: unknown) => ({
			status: null,
			reason: cause instanceof Error ? cause.message : String(cause),
			answer: '',
		}),
	);
	return { atMs, by, headers, ...outcome, durationMs: Math.round(performance.now() - started) };
};

/** Whether the endpoint has accepted the event. */
export const hasSucceeded = ({ status }: Attempt): boolean =>
	status !== null && status >= 200 && status < 300;

/** An attempt as the control endpoints show it. It includes the signature, which people want to debug. */
export const attemptBody = (attempt: Attempt) => ({
	at: new Date(attempt.atMs).toISOString(),
	by: attempt.by,
	headers: attempt.headers,
	status: attempt.status,
	reason: attempt.reason,
	answer: attempt.answer,
	duration_ms: attempt.durationMs,
});

const sign = (
	{ body }: Event,
	secret: string,
	by: Redelivery | null,
	time: ServiceTime,
): string => {
	const nowSeconds = Math.floor((time.clock.receiverNow() - time.behindMs) / 1000);
	switch (by) {
		case null:
		case 'same':
			return signatureHeader(secret, body, nowSeconds);
		case 'old-timestamp':
			return signatureHeader(secret, body, nowSeconds - OLD_TIMESTAMP_SECONDS);
		case 'broken-signature':
			return signatureHeader(`not ${secret}`, body, nowSeconds);
	}
};
