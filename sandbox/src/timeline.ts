import type { Clock } from './clock';
import { END_OF_TIME_MS } from './clock';
import { LONGEST_WAIT_MS } from './longestWait';
import { TimerHeap, type Timer } from './timerHeap';

/** A time that the sandbox's clock cannot show. */
export class BeyondEndOfTime extends RangeError {
	constructor() {
		super('Sandbox time ends with the year 9999.');
	}
}

/** What runs beside the timers and has to end before the next one may run. */
export type Work = {
	/** Whether anything runs or waits. */
	readonly isBusy: boolean;
	/** Resolves when everything that has begun by now has ended. */
	ended(): Promise<void>;
};

/** The way to a later time, and whether what requests have set off on it is already due at its end. */
type Advance = { targetMs: number; patientUntilMs: number; hasPostponed: boolean };

/**
 * So many milliseconds of real time an advance takes along what requests set off meanwhile. After that they belong to the
 * time at its end, because an advance would never end under steady traffic.
 */
const PATIENCE_MS = 1_000;

/**
 * The time of one world: everything in it that waits waits here and ends with it, and it alone lets time pass, so that
 * tests can let twelve hours pass at once.
 */
export class Timeline {
	#timers = new TimerHeap();
	#isClosed = false;
	#running: Timer | null = null;
	#advance: Advance | null = null;
	#lastAdvance: Promise<unknown> = Promise.resolve();
	#wakeUp: NodeJS.Timeout | null = null;
	#wakeUpMs = Infinity;

	constructor(private readonly clock: Clock) {}

	/** Sandbox time in Unix milliseconds. */
	now(): number {
		return this.clock.now();
	}

	/** The time of those who receive events, in Unix milliseconds. */
	receiverNow(): number {
		return this.clock.receiverNow();
	}

	/**
	 * Calls `run` after `delayMs` of sandbox time; returns a function that cancels it. In a closed timeline it never does.
	 *
	 * @param isFollowUp whether it follows from what happened on the timeline, as what a timer sets always does
	 */
	after(delayMs: number, run: () => void, isFollowUp = false): () => void {
		if (this.#isClosed) return () => {};
		const isFromOutside = this.#running?.isFromOutside ?? (this.#advance !== null && !isFollowUp);
		const isLate = isFromOutside && this.#isImpatient();
		const fromMs = isLate ? this.#advance!.targetMs : this.now();
		const timer = this.#timers.add(fromMs + delayMs, isFromOutside, run);
		this.#wake();
		return () => {
			timer.run = null;
		};
	}

	/**
	 * Moves the clock forward by `ms` and runs the timers that become due on the way, in order and at their own time. After
	 * each of them it waits for the work, so that what has started (a delivery, say) can end and set its next timer.
	 *
	 * @returns false when the timeline was closed before the time had come
	 * @throws BeyondEndOfTime
	 */
	advance(ms: number, work: Work): Promise<boolean> {
		const turn = this.#lastAdvance.then(async () => await this.#advanceNow(ms, work));
		this.#lastAdvance = turn.catch(() => {});
		return turn;
	}

	/** Cancels every timer, and ends an advance where it is. */
	close(): void {
		this.#isClosed = true;
		this.#timers.clear();
		this.#sleep();
	}

	async #advanceNow(ms: number, work: Work): Promise<boolean> {
		const targetMs = this.now() + ms;
		if (!(targetMs <= END_OF_TIME_MS)) throw new BeyondEndOfTime();
		const patientUntilMs = performance.now() + PATIENCE_MS;
		const advance: Advance = { targetMs, patientUntilMs, hasPostponed: false };
		this.#advance = advance;
		try {
			await this.#settle(work);
			while (!this.#isClosed) {
				if (!advance.hasPostponed && this.#isImpatient()) {
					this.#timers.postponeFromOutside(targetMs);
					advance.hasPostponed = true;
				}
				const next = this.#timers.first;
				if (!next || next.dueMs > targetMs) {
					this.clock.moveTo(targetMs);
					return true;
				}
				this.clock.moveTo(next.dueMs);
				this.#runDue();
				await this.#settle(work);
			}
			return false;
		} finally {
			this.#advance = null;
			// The wake-up was set for a clock that has moved since.
			this.#sleep();
			this.#wake();
		}
	}

	async #settle(work: Work): Promise<void> {
		do await work.ended();
		while (work.isBusy && !this.#isImpatient());
	}

	#isImpatient(): boolean {
		return this.#advance !== null && performance.now() > this.#advance.patientUntilMs;
	}

	#runDue(): void {
		const nowMs = this.now();
		for (let timer = this.#timers.take(nowMs); timer; timer = this.#timers.take(nowMs)) {
			this.#running = timer;
			try {
				timer.run?.();
			} finally {
				this.#running = null;
			}
		}
	}

	#wake(): void {
		const { first } = this.#timers;
		if (!this.clock.runs || !first || first.dueMs >= this.#wakeUpMs) return;
		this.#sleep();
		this.#wakeUpMs = first.dueMs;
		const waitMs = Math.min(Math.max(0, first.dueMs - this.now()), LONGEST_WAIT_MS);
		this.#wakeUp = setTimeout(() => {
			this.#sleep();
			try {
				this.#runDue();
			} finally {
				this.#wake();
			}
		}, waitMs);
		this.#wakeUp.unref();
	}

	/** Stops following the machine's clock, until a timer is set again. */
	#sleep(): void {
		if (this.#wakeUp) clearTimeout(this.#wakeUp);
		this.#wakeUp = null;
		this.#wakeUpMs = Infinity;
	}
}
