import type { Clock } from '../clock';
import { cancelledError, isCancelled } from '../n8n/cancelledExecution';
import type { Caller } from './request';

/** How long a cancelled execution keeps waiting at most. */
const SLICE_MS = 200;

/** The context that waits, and its clock. A `Connection` is one. */
export type Waiter = { caller: Caller; clock: Clock };

/**
 * Ends the operation when the execution was cancelled.
 *
 * @throws NodeOperationError
 */
export function stopIfCancelled(caller: Caller): void {
	if (isCancelled(caller)) throw cancelledError(caller.getNode());
}

/**
 * Waits, in slices, so that a cancelled execution stops at once:
 *
 * ```ts
 * await pause(connection, 500);
 * ```
 *
 * @throws NodeOperationError when the execution is cancelled meanwhile
 */
export async function pause({ caller, clock }: Waiter, durationMs: number): Promise<void> {
	const untilMs = clock.nowMs() + durationMs;
	stopIfCancelled(caller);
	for (let leftMs = durationMs; leftMs > 0;) {
		const sliceMs = Math.min(leftMs, SLICE_MS);
		await clock.sleep(sliceMs);
		stopIfCancelled(caller);
		// A slice takes a little longer than asked, and much longer on a machine that was suspended.
		leftMs = Math.min(leftMs - sliceMs, untilMs - clock.nowMs());
	}
}
