import type { Clock } from '../../clock';
import type { Arrival } from '../handover';

/** Longest time that the first text of a burst waits, so that a customer who never pauses gets an answer too. */
export const MOST_WAIT_MS = 120_000;

/** The texts of one conversation that become one item. */
export type Burst = {
	readonly conversation: string;
	/** In the order in which they came, by the name of each. */
	readonly texts: Map<string, Arrival>;
	firstAtMs: number;
	lastAtMs: number;
	/** Whether an execution waits for the burst's end. Otherwise the next text takes the burst's texts along. */
	isAwaited: boolean;
};

/** The bursts of a node in this process, at most one for each conversation. */
export class Bursts {
	private readonly open = new Map<string, Burst>();

	constructor(private readonly clock: Clock) {}

	/** Whether an execution waits for more texts of the conversation. */
	hasExecution(conversation: string): boolean {
		return this.open.get(conversation)?.isAwaited === true;
	}

	/**
	 * Adds a text to the burst of its conversation. Each new text starts the wait again; one that is in the burst
	 * already changes nothing.
	 *
	 * @returns the burst, if the caller is to wait for its end; undefined if another execution does
	 */
	join(conversation: string, name: string, text: Arrival): Burst | undefined {
		const nowMs = this.clock.nowMs();
		let burst = this.open.get(conversation);
		if (!burst?.isAwaited) {
			const texts = burst?.texts ?? new Map<string, Arrival>();
			burst = { conversation, texts, firstAtMs: nowMs, lastAtMs: nowMs, isAwaited: false };
			this.open.set(conversation, burst);
		}
		if (!burst.texts.has(name)) {
			burst.texts.set(name, text);
			burst.lastAtMs = nowMs;
		}
		if (burst.isAwaited) return undefined;
		burst.isAwaited = true;
		return burst;
	}

	/** How long the burst waits from now: until no text has come for `quietMs`, or the longest wait is over. */
	leftMs(burst: Burst, quietMs: number): number {
		const nowMs = this.clock.nowMs();
		if (nowMs < burst.lastAtMs) {
			// The clock was set back: the wait begins again, instead of lasting as long as that.
			burst.lastAtMs = nowMs;
			burst.firstAtMs = Math.min(burst.firstAtMs, nowMs);
		}
		return Math.min(burst.lastAtMs + quietMs, burst.firstAtMs + MOST_WAIT_MS) - nowMs;
	}

	/** Ends the burst; a text that comes later begins another. */
	end(burst: Burst): Arrival[] {
		this.open.delete(burst.conversation);
		return [...burst.texts.values()];
	}

	/** Says that the execution that waited has ended. Its texts stay for the next one. */
	abandon(burst: Burst): void {
		burst.isAwaited = false;
	}
}
