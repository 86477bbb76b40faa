import type { Clock } from '../clock';

/**
 * How an event stands for a check in this process: a `new` one is to be handed over to n8n; the execution of one that
 * is `underWay` may still begin; a `settled` one has begun, needs no execution, or was handed over in vain for so long
 * that the checks give it up; of an `unwanted` one a check has seen what the filters leave out. A webhook may say more of
 * that one, and bring it yet.
 */
export type Standing = 'new' | 'underWay' | 'settled' | 'unwanted';

/** How long, and how many, events are remembered. */
export type StandingLimits = {
	/** Most events remembered; the half that nothing has touched for longest is forgotten first. */
	maxEvents: number;
	/** How long an execution may take to begin before its event is new again. */
	beginsWithinMs: number;
	/** The same in a process in which no execution begins, before the event counts as settled. */
	silentForMs: number;
	/** How long an event is remembered that nothing touches. */
	rememberedForMs: number;
};

const LIMITS: StandingLimits = {
	maxEvents: 50_000,
	beginsWithinMs: 5 * 60_000,
	silentForMs: 60 * 60_000,
	rememberedForMs: 72 * 60 * 60_000,
};

/** How often an event is handed over in a process in which no execution begins, as in n8n's queue mode. */
const MOST_SILENT_HANDOVERS = 2;

type Entry = { isSettled: boolean; isUnwanted?: true; atMs: number; handovers: number };

const NOT_HANDED_OVER: Entry = { isSettled: false, atMs: 0, handovers: 0 };

/**
 * The events that this process has met, by name. They are kept in two halves, of which the older one is dropped as a
 * whole: an event costs the same after a million others as after ten.
 */
export class EventStandings {
	private recent = new Map<string, Entry>();

	private older = new Map<string, Entry>();

	private droppedAtMs = 0;

	/** Events whose execution is not started yet. They are under way however long that takes. */
	private readonly queued = new Set<string>();

	/** Whether executions begin in this process. If so, an event whose execution has not begun is handed over again. */
	hasExecutions = false;

	constructor(
		private readonly clock: Clock,
		private readonly limits: StandingLimits = LIMITS,
	) {}

	get size(): number {
		return this.recent.size + this.older.size;
	}

	standingOf(name: string): Standing {
		if (this.queued.has(name)) return 'underWay';
		const entry = this.find(name);
		if (!entry) return 'new';
		const ageMs = this.ageMs(entry);
		if (ageMs >= this.limits.rememberedForMs) return 'new';
		if (entry.isSettled) return 'settled';
		if (entry.isUnwanted) return 'unwanted';
		if (ageMs < this.limits.beginsWithinMs) return 'underWay';
		if (this.hasExecutions || entry.handovers < MOST_SILENT_HANDOVERS) return 'new';
		// Executions begin in other processes. The event has begun there, or something is wrong there.
		return ageMs < this.limits.silentForMs ? 'underWay' : 'settled';
	}

	/**
	 * Whether the event may begin in an execution of this process: it has not begun here, and does not count as one that
	 * needs no execution. An event that the checks have given up may begin all the same, when its execution runs late.
	 */
	mayBegin(name: string): boolean {
		const entry = this.find(name);
		return !entry?.isSettled || this.ageMs(entry) >= this.limits.rememberedForMs;
	}

	/** Whether the event was ever handed over or settled, as far back as the memory goes. */
	isKnown(name: string): boolean {
		return this.queued.has(name) || this.find(name) !== undefined;
	}

	/**
	 * Whether the event was handed over, or waits for that, and has not begun: the service may have been told that n8n has
	 * it, so that it must begin whatever becomes of its workflow.
	 */
	isInHand(name: string): boolean {
		if (this.queued.has(name)) return true;
		const entry = this.find(name);
		if (!entry || entry.isUnwanted || !this.mayBegin(name)) return false;
		return this.ageMs(entry) < this.limits.rememberedForMs && this.standingOf(name) !== 'settled';
	}

	/** Says that the event waits for its execution to be started. */
	markQueued(name: string): void {
		this.queued.add(name);
	}

	/** Says that the event waits no more, and stands as it did before it waited. */
	markDropped(name: string): void {
		this.queued.delete(name);
	}

	/** Says that the event is being handed over to n8n. */
	markHandedOver(name: string): void {
		this.queued.delete(name);
		this.put(name, {
			isSettled: false,
			atMs: this.clock.nowMs(),
			handovers: (this.find(name)?.handovers ?? 0) + 1,
		});
	}

	/** Says that the event's execution runs in this process, and waits before the event begins. */
	markWaiting(name: string): void {
		this.hasExecutions = true;
		this.put(name, { isSettled: false, atMs: this.clock.nowMs(), handovers: 0 });
	}

	/**
	 * Says that the event's execution was not started, or ended before the event began: it may be handed over again at
	 * once.
	 */
	markNotBegun(name: string): void {
		const wasQueued = this.queued.delete(name);
		const entry = this.find(name) ?? (wasQueued ? NOT_HANDED_OVER : undefined);
		if (!entry) return;
		this.put(name, { ...entry, atMs: this.clock.nowMs() - this.limits.beginsWithinMs });
	}

	/** Says that the event has begun in an execution of this process. */
	markBegun(name: string): void {
		this.hasExecutions = true;
		this.markSettled(name);
	}

	/** Says that the event needs no execution any more. */
	markSettled(name: string): void {
		this.queued.delete(name);
		this.put(name, { isSettled: true, atMs: this.clock.nowMs(), handovers: 0 });
	}

	/** Says that a check has seen the event, and that what it saw does not pass the filters. */
	markUnwanted(name: string): void {
		this.put(name, { isSettled: false, isUnwanted: true, atMs: this.clock.nowMs(), handovers: 0 });
	}

	/** A clock that is set back makes an entry as old as it seems to be young. */
	private ageMs(entry: Entry): number {
		return Math.abs(this.clock.nowMs() - entry.atMs);
	}

	private find(name: string): Entry | undefined {
		return this.recent.get(name) ?? this.older.get(name);
	}

	private put(name: string, entry: Entry): void {
		this.older.delete(name);
		this.recent.set(name, entry);
		const isFull = this.recent.size > this.limits.maxEvents / 2;
		if (!isFull && entry.atMs - this.droppedAtMs < this.limits.rememberedForMs / 2) return;
		this.droppedAtMs = entry.atMs;
		this.older = this.recent;
		this.recent = new Map();
	}
}
