import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * How often the node has run before in this execution: 0 in its first run, 1 when a loop reaches it again. Retry On Fail
 * runs the node again under the same index.
 *
 * n8n gives nodes this index only as `$runIndex`, for expressions. It is read without an expression, as n8n's default
 * engine takes milliseconds for one. Should n8n drop it, every run in a loop has the same index, and a message that an
 * earlier run has sent is not sent again.
 */
export function readRunIndex(context: IExecuteFunctions, itemIndex: number): number {
	return Number(context.getWorkflowDataProxy(itemIndex).$runIndex);
}
