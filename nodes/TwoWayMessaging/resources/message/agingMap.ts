import type { Clock } from '../../clock';

/** Values by key. The oldest values leave when they are too old or too many. */
export class AgingMap<Value> {
	private readonly entries = new Map<string, { value: Value; sinceMs: number }>();

	constructor(
		private readonly clock: Clock,
		private readonly limits: { mostKept: number; keptMs: number },
	) {}

	get(key: string): Value | undefined {
		const entry = this.entries.get(key);
		return entry && this.isYoung(entry.sinceMs) ? entry.value : undefined;
	}

	set(key: string, value: Value): void {
		this.entries.delete(key);
		this.entries.set(key, { value, sinceMs: this.clock.nowMs() });
		// A map lists its entries in the order of their insertion, so the first one is the oldest.
		for (const [oldest, { sinceMs }] of this.entries) {
			if (this.entries.size <= this.limits.mostKept && this.isYoung(sinceMs)) break;
			this.entries.delete(oldest);
		}
	}

	delete(key: string): void {
		this.entries.delete(key);
	}

	private isYoung(sinceMs: number): boolean {
		return this.clock.nowMs() - sinceMs < this.limits.keptMs;
	}
}

/** How much a process remembers of what it has sent. */
export const KEPT_OF_SENDING = {
	/** An entry takes some hundred bytes. */
	mostKept: 50_000,
	/** Longer than any run that waits for its limits, also where the service asks to wait for days. */
	keptMs: 8 * 24 * 60 * 60 * 1_000,
};
