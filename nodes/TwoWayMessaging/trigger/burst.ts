/** Longest that the first text of a burst waits: someone who writes without a pause gets an answer too. */
export const MOST_WAIT_MS = 120_000;

/** The texts of one conversation that wait for each other. */
export type Burst<Text> = {
	readonly conversation: string;
	/** In the order they came, by what each is recognized by. */
	readonly texts: Map<string, Text>;
	firstAtMs: number;
	lastAtMs: number;
	/** Whether an execution waits for its end. What nobody waits for is taken along by the next text. */
	isAwaited: boolean;
};

/** The bursts under way in this process, at most one for each conversation. */
export class Bursts<Text> {
	private readonly open = new Map<string, Burst<Text>>();

	/** Whether an execution waits for more texts of the conversation. */
	isAwaited(conversation: string): boolean {
		return this.open.get(conversation)?.isAwaited === true;
	}

	/**
	 * Adds a text to the burst of its conversation, which makes everybody wait anew; one that is in it already
	 * changes nothing.
	 *
	 * @returns the burst if the caller is the one to wait for its end, undefined if somebody does already
	 */
	join(conversation: string, key: string, text: Text, nowMs: number): Burst<Text> | undefined {
		let burst = this.open.get(conversation);
		if (!burst?.isAwaited) {
			const texts = burst?.texts ?? new Map<string, Text>();
			burst = { conversation, texts, firstAtMs: nowMs, lastAtMs: nowMs, isAwaited: false };
			this.open.set(conversation, burst);
		}
		if (!burst.texts.has(key)) {
			burst.texts.set(key, text);
			burst.lastAtMs = nowMs;
		}
		if (burst.isAwaited) return undefined;
		burst.isAwaited = true;
		return burst;
	}

	/** Ends the burst; a text that comes later begins another. */
	end(burst: Burst<Text>): Text[] {
		this.open.delete(burst.conversation);
		return [...burst.texts.values()];
	}

	/** The one who waited cannot any more: the texts stay for the next one. */
	leave(burst: Burst<Text>): void {
		burst.isAwaited = false;
	}
}

/** How long the burst still has to wait: until nothing has come for `quietMs`, or the longest wait is over. */
export function leftMs(burst: Burst<unknown>, quietMs: number, nowMs: number): number {
	return Math.min(burst.lastAtMs + quietMs, burst.firstAtMs + MOST_WAIT_MS) - nowMs;
}
