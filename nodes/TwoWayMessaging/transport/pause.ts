import { NodeOperationError, sleep } from 'n8n-workflow';
import type { Caller } from './request';

/** Longest time that a cancelled execution goes on waiting. */
const SLICE_MS = 200;

/** Whether the person or the time limit has ended the execution; polls and look-ups cannot be ended. */
export function isCancelled(caller: Caller): boolean {
	return (
		'getExecutionCancelSignal' in caller && caller.getExecutionCancelSignal()?.aborted === true
	);
}

/**
 * Ends the operation when the execution was cancelled.
 *
 * @throws NodeOperationError
 */
export function stopIfCancelled(caller: Caller): void {
	if (isCancelled(caller)) {
		// n8n tells a canceled execution from a broken one by this spelling of the word.
		throw new NodeOperationError(caller.getNode(), 'The execution was canceled');
	}
}

/**
 * Waits, in slices, so that a cancelled execution stops at once.
 *
 * @throws NodeOperationError when the execution is cancelled meanwhile
 */
export async function pause(caller: Caller, durationMs: number): Promise<void> {
	const untilMs = Date.now() + durationMs;
	stopIfCancelled(caller);
	for (let leftMs = durationMs; leftMs > 0; leftMs = untilMs - Date.now()) {
		await sleep(Math.min(leftMs, SLICE_MS));
		stopIfCancelled(caller);
	}
}
