import type { Clock } from '../clock';
import type { Conversation } from '../state/conversations';
import type { Line } from '../state/lines';
import type { Message } from '../state/messages';

/**
 * Holds new conversations back while a line's hourly or daily limit is used up and lets them go, in order,
 * as soon as it is not (§8.2). Messages of a conversation that has begun pass at once (§1.8).
 */
export class Pacing {
	#held = new Map<Line, Conversation[]>();
	#messages = new Map<Conversation, Message[]>();
	#wakeUps = new Map<Line, () => void>();

	constructor(
		private readonly clock: Clock,
		private readonly release: (message: Message) => void,
	) {}

	/** Takes an accepted message and releases it now or when the line's limits allow. */
	admit(message: Message): void {
		const { conversation } = message;
		if (conversation.hasBegun) {
			this.release(message);
			return;
		}
		const waiting = this.#messages.get(conversation);
		if (waiting) {
			waiting.push(message);
			return;
		}
		this.#messages.set(conversation, [message]);
		this.#queueOf(conversation.line).push(conversation);
		this.pump(conversation.line);
	}

	/** The contact wrote: the thread exists, and replies in it are never limited (§1.8). */
	begin(conversation: Conversation): void {
		conversation.hasBegun = true;
		this.#releaseAll(conversation);
	}

	/** Looks again at what a line holds; after its limits changed, say. */
	pump(line: Line): void {
		const queue = this.#queueOf(line);
		const nowMs = this.clock.now();
		for (let first = queue[0]; first; first = queue[0]) {
			if (!first.hasBegun) {
				if (line.hourly.remaining(nowMs) === 0 || line.daily.remaining(nowMs) === 0) break;
				line.hourly.take(nowMs);
				line.daily.take(nowMs);
				first.hasBegun = true;
			}
			queue.shift();
			this.#releaseAll(first);
		}
		this.#wakeUps.get(line)?.();
		this.#wakeUps.delete(line);
		if (queue.length > 0) this.#waitForReset(line, nowMs);
	}

	/** How many conversations a line holds back. */
	heldBy(line: Line): number {
		return this.#queueOf(line).filter((conversation) => !conversation.hasBegun).length;
	}

	#waitForReset(line: Line, nowMs: number): void {
		const full = [line.hourly, line.daily].filter((window) => window.remaining(nowMs) === 0);
		const waitMs = Math.max(...full.map((window) => window.msUntilReset(nowMs)));
		// A limit of 0 has no window that ends: only a changed limit lets go.
		if (waitMs > 0)
			this.#wakeUps.set(
				line,
				this.clock.after(waitMs, () => this.pump(line)),
			);
	}

	#releaseAll(conversation: Conversation): void {
		const messages = this.#messages.get(conversation) ?? [];
		this.#messages.delete(conversation);
		for (const message of messages) this.release(message);
	}

	#queueOf(line: Line): Conversation[] {
		let queue = this.#held.get(line);
		if (!queue) {
			queue = [];
			this.#held.set(line, queue);
		}
		return queue;
	}
}
