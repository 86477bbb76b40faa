import { NodeOperationError, type INode } from 'n8n-workflow';
import type { Clock } from '../clock';

/** How long a cancelled execution keeps waiting at most. */
export const SLICE_MS = 200;

/** The context that waits, and its clock. A `Connection` is one. */
export type Waiter = {
	context: {
		getNode: () => INode;
		getExecutionCancelSignal?: () => AbortSignal | undefined;
	};
	clock: Clock;
};

/**
 * Ends the operation when a person, or the time limit, has ended the execution. Checks and look-ups for lists cannot be ended.
 *
 * n8n tells a cancelled execution from a failed one by the word "canceled", in this spelling, in the message. Should
 * n8n change that, a cancelled execution shows as a failed one.
 *
 * @throws NodeOperationError
 */
export function stopIfCancelled(context: Waiter['context']): void {
	if (!context.getExecutionCancelSignal?.()?.aborted) return;
	const node = context.getNode();
	throw new NodeOperationError(node, 'The execution was canceled');
}

/**
 * Waits, in slices, so that a cancelled execution stops at once.
 *
 * @throws NodeOperationError when the execution is cancelled meanwhile
 */
export async function pause({ context, clock }: Waiter, durationMs: number): Promise<void> {
	const untilMs = clock.nowMs() + durationMs;
	stopIfCancelled(context);
	for (let leftMs = durationMs; leftMs > 0;) {
		const sliceMs = Math.min(leftMs, SLICE_MS);
		await clock.sleep(sliceMs);
		stopIfCancelled(context);
		// A slice takes a little longer than asked, and much longer on a machine that was suspended.
		leftMs = Math.min(leftMs - sliceMs, untilMs - clock.nowMs());
	}
}

type Schedule<Result> = {
	pausesMs: readonly number[];
	/** With an end the last pause repeats until then, and a last time is then; without one, each pause is used once. */
	untilMs?: number;
	/** How long a result asks to wait at least, in milliseconds; undefined for one that is as it is wanted. */
	askedMs: (result: Result) => number | undefined;
};

/**
 * Does something again until its result is as wanted.
 *
 * @returns the last result
 * @throws NodeOperationError when the execution is cancelled meanwhile, and whatever the work throws
 */
export async function retry<Result>(
	waiter: Waiter,
	first: Result,
	work: () => Promise<Result>,
	{ pausesMs, untilMs, askedMs }: Schedule<Result>,
): Promise<Result> {
	let result = first;
	for (let times = 0; ; times += 1) {
		const atLeastMs = askedMs(result);
		const pauseMs = pausesMs[times] ?? (untilMs === undefined ? undefined : pausesMs.at(-1));
		const leftMs = (untilMs ?? Number.POSITIVE_INFINITY) - waiter.clock.nowMs();
		// An `untilMs` of NaN has to end this, too: `leftMs <= 0` would let it go on without a pause.
		if (atLeastMs === undefined || pauseMs === undefined || !(leftMs > 0)) return result;
		await pause(waiter, Math.min(Math.max(pauseMs, atLeastMs), leftMs));
		result = await work();
	}
}

/** What was thrown because an answer was not complete in time. */
export class DeadlineOver extends Error {
	readonly code = 'ETIMEDOUT';

	override readonly message = 'The answer was not complete in time';
}

/**
 * Waits for some work, up to a time in milliseconds of the machine's clock, as n8n's own timeouts are. The work itself goes
 * on, as n8n lets nobody end its requests; what comes of it later is dropped.
 *
 * @throws DeadlineOver, or what the work throws
 */
export async function withinDeadline<Result>(
	durationMs: number,
	work: Promise<Result>,
): Promise<Result> {
	const deadline = AbortSignal.timeout(Math.ceil(durationMs));
	const isOver = new Promise<never>((_, reject) => {
		deadline.addEventListener('abort', () => reject(new DeadlineOver()), { once: true });
	});
	return await Promise.race([work, isOver]);
}
