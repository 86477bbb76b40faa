import { getOrAdd } from '../getOrAdd';
import type { Conversation } from '../state/conversations';
import type { Line } from '../state/lines';
import type { Message } from '../state/messages';
import type { Timeline } from '../timeline';

/**
 * Makes new conversations wait while a line's hourly or daily limit is used up, and starts them in order as soon
 * as the limit allows it (§8.2). Messages of a conversation that has started are released at once (§1.8).
 */
export class ConversationLimiter {
	#waiting = new Map<Line, Conversation[]>();
	#messages = new Map<Conversation, Message[]>();
	/** For each line with waiting conversations a function that cancels the timer for its next look. */
	#wakeUps = new Map<Line, () => void>();

	constructor(
		private readonly timeline: Timeline,
		private readonly release: (message: Message) => void,
	) {}

	/** Takes an accepted message, and releases it now or when the line's limits allow it. */
	admit(message: Message): void {
		const { conversation } = message;
		if (conversation.hasStarted) {
			this.release(message);
			return;
		}
		const messages = getOrAdd(this.#messages, conversation, () => []);
		messages.push(message);
		if (messages.length > 1) return;
		this.#queueOf(conversation.line).push(conversation);
		this.releaseAllowed(conversation.line);
	}

	/** Starts a conversation because its contact wrote: replies are never limited (§1.8). */
	start(conversation: Conversation): void {
		conversation.hasStarted = true;
		this.#releaseAll(conversation);
	}

	/** Releases as many waiting messages of a line as its limits allow now. */
	releaseAllowed(line: Line): void {
		const queue = this.#queueOf(line);
		const nowMs = this.timeline.now();
		for (let first = queue[0]; first; first = queue[0]) {
			if (!first.hasStarted) {
				if (line.hourly.remaining(nowMs) === 0 || line.daily.remaining(nowMs) === 0) break;
				line.hourly.take(nowMs);
				line.daily.take(nowMs);
				first.hasStarted = true;
			}
			queue.shift();
			this.#releaseAll(first);
		}
		this.#wakeUps.get(line)?.();
		this.#wakeUps.delete(line);
		if (queue.length > 0) this.#waitForReset(line, nowMs);
	}

	/** How many conversations of a line wait. */
	countWaiting(line: Line): number {
		return this.#queueOf(line).filter((conversation) => !conversation.hasStarted).length;
	}

	#waitForReset(line: Line, nowMs: number): void {
		const full = [line.hourly, line.daily].filter((window) => window.remaining(nowMs) === 0);
		const waitMs = Math.max(...full.map((window) => window.msUntilReset(nowMs)));
		// A limit of 0 has no window that ends: the conversations wait until the limit changes.
		if (waitMs > 0)
			this.#wakeUps.set(
				line,
				this.timeline.after(waitMs, () => this.releaseAllowed(line)),
			);
	}

	#releaseAll(conversation: Conversation): void {
		const messages = this.#messages.get(conversation) ?? [];
		this.#messages.delete(conversation);
		for (const message of messages) this.release(message);
	}

	#queueOf(line: Line): Conversation[] {
		return getOrAdd(this.#waiting, line, () => []);
	}
}
