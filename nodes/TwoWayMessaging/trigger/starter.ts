import type { INodeExecutionData, ITriggerFunctions } from 'n8n-workflow';
import type { Clock } from '../clock';
import { reasonOf } from '../reasonOf';
import { Inbox, toItem, type Arrival, type Handed } from './inbox';
import { saveProgress, type TriggerCall } from './nodeMemory';

/** Executions that have not ended: with so many, no other one starts. */
const MOST_RUNNING = 50;

/** An execution that has not ended within this time no longer counts: it takes its time, it hangs, or n8n says nothing of it. */
const COUNTS_FOR_MS = 30_000;

/** When an event may start again whose execution could not start, or ended before the event began. */
const AGAIN_AFTER_MS = 60_000;

/** How often n8n saves what has begun, while many executions start: after a kill, what was not saved has executions without items. */
const SAVED_EVERY_MS = 500;
const MOST_UNSAVED = 20;

/** The pause in which the process answers requests before it starts an execution. */
const PAUSE_MS = 2;

/** A pause that takes at least this long shows that requests keep the process busy. */
const BUSY_MS = 20;

/** How long answers come first: after five seconds the service has given a request up (§6.4). */
const MOST_HELD_BACK_MS = 5_000;

/** What n8n tells of an execution's end; its versions differ in the type. */
type End = Awaited<NonNullable<Parameters<ITriggerFunctions['emit']>[2]>['promise']>;

/** What n8n gives a workflow that listens, and the call in which it does. */
type Engine = { call: TriggerCall<ITriggerFunctions>; start: ReturnType<typeof executionStarter> };

/** Starts the executions of what waits in a node's inbox, as many at once as n8n can take. */
export class Starter {
	/** Absent where executions cannot be started, as in a webhook processor of n8n's queue mode. */
	engine?: Engine;

	private readonly running = new Set<{ sinceMs: number }>();

	requests = 0;

	private isDraining = false;
	private waitsForRoom = false;
	private isStopped = false;

	/** When n8n has last saved what the node knows, and how many executions have started since. */
	private savedAtMs = Number.NEGATIVE_INFINITY;
	private unsaved = 0;

	readonly inbox: Inbox;

	constructor(private readonly clock: Clock) {
		this.inbox = new Inbox(clock);
	}

	/** Starts executions with what n8n has given from now on. It stays until a later publishing gives another one. */
	use(engine: Engine): void {
		this.engine = engine;
		this.isStopped = false;
		void this.drain();
	}

	/**
	 * Starts nothing more that a check has found, as the workflow has stopped. What a webhook has brought starts all the same:
	 * the service was told that n8n has it.
	 */
	stop(): void {
		this.isStopped = true;
	}

	/** Starts what is due at a time, once the requests that have come by then are answered. */
	async drain(atMs = 0): Promise<void> {
		const waitMs = atMs - this.clock.nowMs();
		if (waitMs > 0) await this.clock.sleep(waitMs);
		if (this.isDraining || !this.engine || this.inbox.isEmpty) return;
		this.isDraining = true;
		for (let heldBackMs = 0; heldBackMs < MOST_HELD_BACK_MS;) {
			const { requests } = this;
			const sinceMs = this.clock.nowMs();
			await this.clock.sleep(PAUSE_MS);
			const tookMs = this.clock.nowMs() - sinceMs;
			if (this.requests === requests || tookMs < BUSY_MS) break;
			heldBackMs += tookMs;
		}
		this.isDraining = false;
		const { maxEventsPerExecution } = this.engine.call.settings;
		while (this.hasRoom()) {
			const arrivals = this.inbox.take(maxEventsPerExecution, this.isStopped);
			if (arrivals.length === 0) return;
			void this.startExecution(arrivals);
		}
		// Nothing else says when the longest of them no longer counts.
		const [longest] = this.running;
		if (!longest || this.waitsForRoom) return;
		this.waitsForRoom = true;
		await this.clock.sleep(longest.sinceMs + COUNTS_FOR_MS - this.clock.nowMs());
		this.waitsForRoom = false;
		void this.drain();
	}

	async startWith(...handed: Handed[]): Promise<boolean> {
		if (!this.engine) return false;
		const nowMs = this.clock.nowMs();
		this.unsaved += 1;
		const isDue =
			this.unsaved >= MOST_UNSAVED || Math.abs(nowMs - this.savedAtMs) >= SAVED_EVERY_MS;
		// Once the workflow has stopped, what n8n has saved belongs to its next publishing.
		if (!this.isStopped && (isDue || handed.some((one) => !('event' in one)))) {
			saveProgress(this.engine.call);
			this.savedAtMs = nowMs;
			this.unsaved = 0;
		}
		return await this.engine.start(handed.map(toItem));
	}

	private hasRoom(): boolean {
		const nowMs = this.clock.nowMs();
		for (const one of this.running) {
			if (Math.abs(nowMs - one.sinceMs) >= COUNTS_FOR_MS) this.running.delete(one);
		}
		return this.running.size < MOST_RUNNING;
	}

	private async startExecution(arrivals: Arrival[]): Promise<void> {
		const execution = { sinceMs: this.clock.nowMs() };
		this.running.add(execution);
		let hasEndedWell = false;
		let why: unknown;
		try {
			hasEndedWell = await this.startWith(...arrivals);
		} catch (thrown) {
			why = thrown;
		}
		this.running.delete(execution);
		const againAtMs = this.clock.nowMs() + AGAIN_AFTER_MS;
		// It may have begun in another process, as in n8n's queue mode, which says so by ending well.
		if (hasEndedWell) this.inbox.markBegun(arrivals.map(({ name }) => name));
		else if (this.inbox.putBack(arrivals, againAtMs)) {
			if (why !== undefined) {
				this.engine?.call.warn(
					`: n8n could not start an execution, and tries again in a minute: ${reasonOf(why)}`,
				);
			}
			void this.drain(againAtMs);
		}
		void this.drain();
	}
}

/**
 * Lets a trigger start executions, as long as its workflow listens and afterwards. Each start saves static data. It resolves
 * when the execution has ended or begins to wait, with whether it did so without going wrong, as far as n8n says, and rejects
 * when n8n could not start it, or a person has stopped it.
 *
 * n8n may never say how an execution ended: when a person cancels one that waits for n8n's limit, when a worker is killed, and
 * in n8n 1 when the database refuses it. So nothing may wait for that alone.
 */
export function executionStarter(trigger: ITriggerFunctions) {
	// Nothing else of the trigger's context is kept for as long as its executions start.
	const emit = trigger.emit.bind(trigger);
	const { createDeferredPromise } = trigger.helpers;
	return async (items: INodeExecutionData[]): Promise<boolean> => {
		const done = createDeferredPromise<End>();
		emit([items], undefined, done);
		const end = (await done.promise) as End | undefined;
		if (end?.waitTill || end?.status === 'waiting') return true;
		// Before n8n 1.100, the status says `running` at every end.
		return end?.finished === true && !end.data.resultData.error;
	};
}
