import type { Clock } from '../clock';

/** An execution that was handed over to n8n. */
type Run = {
	readonly nodeKey: string;
	handedOverAtMs: number;
	/** Keys of its events that have not begun. */
	readonly unbegun: Set<string>;
	/** Whether its end will be reported. If not, it is forgotten once its events have begun. */
	readonly isFollowed: boolean;
	/** Keys of all of its events. */
	readonly keys: readonly string[];
	/** How many of its events wait for the service at this moment. */
	waiting: number;
};

/** How many executions may be under way at once before another one starts. */
type Limits = {
	/** Executions whose events have not begun. Until then n8n's processor is all that they wait for. */
	starting: number;
	/**
	 * Executions that are followed: each keeps its data in memory, and uses the processor now and then. One that waits for
	 * the service does not count.
	 */
	followed: number;
};

/** For what a check has found, which may be thousands: n8n stays usable meanwhile. */
const USUAL_LIMITS: Limits = { starting: 10, followed: 20 };

/** For what requests have brought: n8n itself would start all of it at once, and is fastest so. */
const URGENT_LIMITS: Limits = { starting: 400, followed: 400 };

/** An execution that has not begun by then begins elsewhere, as in queue mode, or never. */
const BEGINS_WITHIN_MS = 30_000;

/** After this time an execution keeps no other from starting: it waits for something, or n8n never reports its end. */
const COUNTS_FOR_MS = 60_000;

/** How often at most it is looked for executions that have become old. */
const LOOK_FOR_OLD_EVERY_MS = 100;

/** So many executions of a node may always be under way: those of another workflow that hang must not keep it waiting. */
const FEWEST_FOLLOWED = 2;

/** How many executions keep others from starting. It is kept, as each event of a burst asks for it several times. */
class Tally {
	starting = 0;

	followed = 0;

	/** Adds an execution, or takes it away again. */
	count({ unbegun, isFollowed, waiting }: Run, by: 1 | -1): void {
		if (waiting > 0) return;
		if (unbegun.size > 0) this.starting += by;
		if (isFollowed) this.followed += by;
	}
}

/** The executions of all trigger nodes in this process, from their handover until they end or begin to wait. */
export class RunsUnderWay {
	private readonly runs = new Set<Run>();

	private readonly ofAll = new Tally();

	private readonly byNode = new Map<string, Tally>();

	/** The run of each event that has not begun. */
	private readonly byEvent = new Map<string, Run>();

	/** The followed run of each event, until it ends. */
	private readonly followed = new Map<string, Run>();

	private lookedForOldAtMs = Number.NEGATIVE_INFINITY;

	private changed?: { promise: Promise<void>; resolve: () => void };

	constructor(private readonly clock: Clock) {}

	/**
	 * Adds an execution that is being handed over.
	 *
	 * @param isFollowed whether `end` will be called
	 */
	add(nodeKey: string, names: string[], isFollowed: boolean): Run {
		const keys = names.map((name) => eventKey(nodeKey, name));
		const handedOverAtMs = this.clock.nowMs();
		const run: Run = {
			nodeKey,
			handedOverAtMs,
			unbegun: new Set(keys),
			isFollowed,
			keys,
			waiting: 0,
		};
		this.change(run, () => this.runs.add(run));
		for (const key of keys) this.byEvent.set(key, run);
		if (isFollowed) for (const key of keys) this.followed.set(key, run);
		return run;
	}

	/** Says that an event has begun in its execution. */
	markBegun(nodeKey: string, name: string): void {
		const key = eventKey(nodeKey, name);
		const run = this.byEvent.get(key);
		if (!run) return;
		this.byEvent.delete(key);
		this.change(run, () => run.unbegun.delete(key));
		if (run.unbegun.size > 0) return;
		if (!run.isFollowed) this.forget(run);
		this.lookAgain();
	}

	/** Says that the execution of an event waits before the event begins, and keeps no other from starting. */
	markWaiting(nodeKey: string, name: string): void {
		const run = this.byEvent.get(eventKey(nodeKey, name));
		if (run) this.end(run);
	}

	/**
	 * Does what the execution of an event only waits for. Meanwhile it keeps no other from starting:
	 *
	 * ```ts
	 * const rows = await runs.whileWaiting(nodeKey, name, async () => await readRows());
	 * ```
	 */
	async whileWaiting<Result>(
		nodeKey: string,
		name: string,
		wait: () => Promise<Result>,
	): Promise<Result> {
		const key = eventKey(nodeKey, name);
		const run = this.followed.get(key) ?? this.byEvent.get(key);
		if (!run) return await wait();
		this.change(run, () => (run.waiting += 1));
		this.lookAgain();
		try {
			return await wait();
		} finally {
			this.change(run, () => (run.waiting -= 1));
		}
	}

	/** Says that the execution has ended or waits, and keeps no other from starting. */
	end(run: Run): void {
		this.forget(run);
		for (const key of run.unbegun) if (this.byEvent.get(key) === run) this.byEvent.delete(key);
		this.lookAgain();
	}

	/**
	 * Whether another execution of a node may start now.
	 *
	 * @param isUrgent whether a request has brought its event just now, which shares no execution
	 */
	hasRoom(nodeKey: string, isUrgent: boolean): boolean {
		this.forgetOld();
		const most = isUrgent ? URGENT_LIMITS : USUAL_LIMITS;
		const isFollowedRoom =
			this.ofAll.followed < most.followed || this.ofNode(nodeKey).followed < FEWEST_FOLLOWED;
		return isFollowedRoom && this.ofAll.starting < most.starting;
	}

	/** Resolves when there may be room. */
	async waitForChange(): Promise<void> {
		this.changed ??= newSignal();
		await this.changed.promise;
	}

	/** Lets those who wait look again, as an execution may have become old meanwhile. */
	lookAgain(): void {
		this.changed?.resolve();
		this.changed = undefined;
	}

	/** How many executions have not begun, and wait for nothing but n8n. */
	starting(): number {
		this.forgetOld();
		return this.ofAll.starting;
	}

	/** Whether fewer than so many executions of one node have not begun. */
	areFewerStarting(nodeKey: string, most: number): boolean {
		this.forgetOld();
		return this.ofNode(nodeKey).starting < most;
	}

	private ofNode(nodeKey: string): Tally {
		let tally = this.byNode.get(nodeKey);
		if (!tally) this.byNode.set(nodeKey, (tally = new Tally()));
		return tally;
	}

	/** Changes what is known of an execution. */
	private change(run: Run, makeChange: () => void): void {
		this.count(run, -1);
		makeChange();
		this.count(run, 1);
	}

	private count(run: Run, by: 1 | -1): void {
		if (!this.runs.has(run)) return;
		this.ofAll.count(run, by);
		this.ofNode(run.nodeKey).count(run, by);
	}

	private forget(run: Run): void {
		this.change(run, () => this.runs.delete(run));
		for (const key of run.keys) if (this.followed.get(key) === run) this.followed.delete(key);
	}

	private forgetOld(): void {
		const nowMs = this.clock.nowMs();
		// All of them are looked through, and each event of a burst asks several times.
		if (Math.abs(nowMs - this.lookedForOldAtMs) < LOOK_FOR_OLD_EVERY_MS) return;
		this.lookedForOldAtMs = nowMs;
		for (const run of this.runs) {
			// A clock that is set back would make the execution count for as long.
			run.handedOverAtMs = Math.min(run.handedOverAtMs, nowMs);
			const ageMs = nowMs - run.handedOverAtMs;
			const isOver = ageMs >= (run.isFollowed ? COUNTS_FOR_MS : BEGINS_WITHIN_MS);
			if (isOver) this.forget(run);
			if (ageMs < BEGINS_WITHIN_MS) continue;
			for (const key of run.unbegun) if (this.byEvent.get(key) === run) this.byEvent.delete(key);
			this.change(run, () => run.unbegun.clear());
		}
	}
}

const eventKey = (nodeKey: string, name: string) => `${nodeKey} ${name}`;

function newSignal(): { promise: Promise<void>; resolve: () => void } {
	let resolve = () => {};
	const promise = new Promise<void>((settle) => (resolve = settle));
	return { promise, resolve };
}
