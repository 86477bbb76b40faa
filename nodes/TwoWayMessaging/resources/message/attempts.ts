import type { IExecuteFunctions } from 'n8n-workflow';
import type { SendRequest } from '../../contract';
import type { Message } from '../../message';
import type { Outcome } from '../../transport/request';

/**
 * What became of one item's message. Retry On Fail runs a node again with all of its items; by this memory
 * the second run knows what the first has sent.
 */
export type Attempt = {
	/** What is sent. A second run keeps it, so that a text with the time of day in it is still the same. */
	request?: SendRequest;
	/** Set once the service has accepted the message. */
	accepted?: Message;
	/** When a request went out whose answer is still open, in ms. */
	openSinceMs?: number;
	/** What came instead of that answer. */
	openOutcome?: Outcome;
	/** Whether the message went out a second time, as its option allows. */
	sentAgain: boolean;
};

/** What is kept at most. An attempt is some hundred bytes. */
const MOST_KEPT = 50_000;
/** Longer than any run that waits for its limits: 10,000 sends at 60 a minute take three hours. */
const KEPT_MS = 24 * 60 * 60 * 1_000;

/** Values by key: the oldest leave first, when they are too old or too many. */
export class BoundedMemory<T> {
	private readonly entries = new Map<string, { value: T; sinceMs: number }>();

	constructor(
		private readonly mostKept = MOST_KEPT,
		private readonly keptMs = KEPT_MS,
	) {}

	get(key: string, nowMs: number): T | undefined {
		const entry = this.entries.get(key);
		return entry && nowMs - entry.sinceMs < this.keptMs ? entry.value : undefined;
	}

	set(key: string, value: T, nowMs: number): void {
		this.entries.delete(key);
		this.entries.set(key, { value, sinceMs: nowMs });
		// Insertion order is age, so only the first ones can be due.
		for (const [oldest, { sinceMs }] of this.entries) {
			if (this.entries.size <= this.mostKept && nowMs - sinceMs < this.keptMs) break;
			this.entries.delete(oldest);
		}
	}

	delete(key: string): void {
		this.entries.delete(key);
	}
}

const attempts = new BoundedMemory<Attempt>();
const acceptedAtMs = new BoundedMemory<number>();

/** The attempt of this item in this run of this node in this execution: a new one, or the one begun before. */
export function attemptOf(caller: IExecuteFunctions, runIndex: number, itemIndex: number): Attempt {
	return attemptBy(`${nodeKey(caller)} ${runIndex} ${itemIndex}`);
}

/**
 * The attempt of an AI agent's tool call. n8n counts every try of a call as a new run, so a try is known by
 * what it sends. When it is done it is forgotten: an agent may say the same thing twice.
 */
export function toolAttemptOf(
	caller: IExecuteFunctions,
	request: SendRequest,
): { attempt: Attempt; forget: () => void } {
	const key = `${nodeKey(caller)} ${JSON.stringify(request)}`;
	return { attempt: attemptBy(key), forget: () => attempts.delete(key) };
}

function nodeKey(caller: IExecuteFunctions): string {
	const { id, name } = caller.getNode();
	return `${caller.getExecutionId()} ${id || name}`;
}

function attemptBy(key: string): Attempt {
	const nowMs = Date.now();
	const known = attempts.get(key, nowMs);
	if (known) return known;
	const attempt: Attempt = { sentAgain: false };
	attempts.set(key, attempt, nowMs);
	return attempt;
}

/** Notes a handle that the service gave to one of our messages. */
export function noteAccepted(messageHandle: string, nowMs: number): void {
	acceptedAtMs.set(messageHandle, nowMs, nowMs);
}

/** When this process learned that the message was accepted, in ms; undefined when it is not one of ours. */
export function knownSinceMs(messageHandle: string): number | undefined {
	return acceptedAtMs.get(messageHandle, Date.now());
}
