import type { Clock } from '../clock';

/** Messages that wait at most, and how long each waits. */
const MOST_WAITING = 1_000;
const WAITS_FOR_MS = 3 * 60_000;

/** How often a message that waits looks at the time. */
const LOOK_EVERY_MS = 1_000;

/** The time in which a question is sent: from its request until the node knows what the service made of it. */
export type Sending = { ended: Promise<void>; end: () => void };

/** Begins the time in which a question is sent. */
export function newSending(): Sending {
	let end = () => {};
	const ended = new Promise<void>((resolve) => (end = resolve));
	return { ended, end };
}

/**
 * Lets messages from customers wait while a question to them is being sent, as they may answer it:
 *
 * ```ts
 * if (gate.isClosed(sendings())) await gate.pass(sendings);
 * ```
 */
export class SendingGate {
	private waiting = 0;

	constructor(private readonly clock: Clock) {}

	/** Whether a message would have to wait for these. */
	isClosed(sendings: Sending[]): boolean {
		return this.waiting < MOST_WAITING && sendings.length > 0;
	}

	/**
	 * Waits until nothing is being sent any more.
	 *
	 * @param sendings gives what is being sent at the moment that the message may have to do with
	 */
	async pass(sendings: () => Sending[]): Promise<void> {
		const untilMs = this.clock.nowMs() + WAITS_FOR_MS;
		this.waiting += 1;
		for (;;) {
			const [sending] = sendings();
			if (!sending || this.clock.nowMs() >= untilMs) break;
			await Promise.race([sending.ended, this.clock.sleep(LOOK_EVERY_MS)]);
		}
		this.waiting -= 1;
	}
}
