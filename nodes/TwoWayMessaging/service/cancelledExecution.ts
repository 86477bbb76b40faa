import type { INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

/** Every context in which n8n calls a node; some can be cancelled. */
type AnyContext = object & { getExecutionCancelSignal?: () => AbortSignal | undefined };

/** Whether a person, or the time limit, has ended the execution. Checks and look-ups for lists cannot be ended. */
export function isCancelled(context: AnyContext): boolean {
	return context.getExecutionCancelSignal?.()?.aborted === true;
}

/**
 * The error that a node throws when its execution was cancelled.
 *
 * n8n tells a cancelled execution from a failed one by the word "canceled", in this spelling, in the message. Should
 * n8n change that, a cancelled execution shows as a failed one.
 */
export function cancelledError(node: INode): NodeOperationError {
	return new NodeOperationError(node, 'The execution was canceled');
}
