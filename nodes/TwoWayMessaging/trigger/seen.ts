/**
 * How an event stands: `new` is to be handed to n8n; `handed` was, and nothing says yet that its execution has
 * begun; `unheard` was so often enough, in a process where no execution begins at all, and `abandoned` long ago;
 * `settled` has begun, or needs no execution.
 */
export type Standing = 'new' | 'handed' | 'unheard' | 'abandoned' | 'settled';

export type SeenLimits = {
	/** Most entries kept; the half longest untouched goes first. */
	maxEntries: number;
	/** How long an execution may take to begin before its event counts as new again. */
	handedForMs: number;
	/** How long silence may mean that executions begin somewhere else and something is wrong there. */
	unheardForMs: number;
	/** How long an entry is kept untouched, at most. */
	keptForMs: number;
};

const LIMITS: SeenLimits = {
	maxEntries: 50_000,
	handedForMs: 5 * 60_000,
	unheardForMs: 60 * 60_000,
	keptForMs: 72 * 60 * 60_000,
};

/** Times an event is handed over where executions run in other processes, so that none begins in this one. */
const MOST_HANDOVERS_UNHEARD = 2;

type Entry = { isSettled: boolean; atMs: number; handovers: number };

/**
 * The events that this process has met, bounded in number and age. They are kept in two halves, of which the
 * older is dropped whole: an event costs the same after a million others as after ten.
 */
export class SeenList {
	private recent = new Map<string, Entry>();

	private older = new Map<string, Entry>();

	private turnedAtMs = 0;

	/** Whether executions begin in this process: then one that has not begun is worth another try. */
	private hearsOfExecutions = false;

	constructor(private readonly limits: SeenLimits = LIMITS) {}

	get size(): number {
		return this.recent.size + this.older.size;
	}

	standing(key: string, nowMs: number): Standing {
		const entry = this.find(key);
		if (!entry || nowMs - entry.atMs >= this.limits.keptForMs) return 'new';
		if (entry.isSettled) return 'settled';
		const handedForMs = nowMs - entry.atMs;
		if (handedForMs < this.limits.handedForMs) return 'handed';
		if (this.hearsOfExecutions || entry.handovers < MOST_HANDOVERS_UNHEARD) return 'new';
		return handedForMs < this.limits.unheardForMs ? 'unheard' : 'abandoned';
	}

	/** Whether the event was ever handed over or settled, as far as the list goes back. */
	isKnown(key: string): boolean {
		return this.find(key) !== undefined;
	}

	/** Takes note that the event is being handed to n8n. */
	hand(key: string, nowMs: number): void {
		const handovers = (this.find(key)?.handovers ?? 0) + 1;
		this.put(key, { isSettled: false, atMs: nowMs, handovers });
	}

	/** Takes note that the event's execution runs in this process, and waits before it begins. */
	hold(key: string, nowMs: number): void {
		this.hearsOfExecutions = true;
		this.put(key, { isSettled: false, atMs: nowMs, handovers: this.find(key)?.handovers ?? 1 });
	}

	/** Takes note that what was handed over will not begin: from now on the event is new again, unless it has begun. */
	giveBack(key: string, nowMs: number): void {
		const entry = this.find(key);
		if (entry) this.put(key, { ...entry, atMs: nowMs - this.limits.handedForMs });
	}

	/** Takes note that the event's execution has begun in this process. */
	begin(key: string, nowMs: number): void {
		this.hearsOfExecutions = true;
		this.settle(key, nowMs);
	}

	/** Takes note that the event needs nothing more. */
	settle(key: string, nowMs: number): void {
		this.put(key, { isSettled: true, atMs: nowMs, handovers: 0 });
	}

	private find(key: string): Entry | undefined {
		return this.recent.get(key) ?? this.older.get(key);
	}

	private put(key: string, entry: Entry): void {
		this.older.delete(key);
		this.recent.set(key, entry);
		const isFull = this.recent.size > this.limits.maxEntries / 2;
		if (!isFull && entry.atMs - this.turnedAtMs < this.limits.keptForMs / 2) return;
		this.turnedAtMs = entry.atMs;
		this.older = this.recent;
		this.recent = new Map();
	}
}
