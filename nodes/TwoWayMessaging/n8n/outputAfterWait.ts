import * as n8nWorkflow from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData, ITaskMetadata } from 'n8n-workflow';

/**
 * Whether n8n can continue at the second output of a node that waited, as n8n does since 2.39. A node cannot ask for
 * n8n's version, so this looks for an export that n8n-workflow has since 2.39. Should n8n rename that export, a time limit
 * is refused as in an older n8n.
 */
export function canContinueAtSecondOutput(): boolean {
	return 'WAIT_FOR_SUB_EXECUTION' in n8nWorkflow;
}

/**
 * Pauses the execution. When the time is over, n8n continues the workflow at an output of the node, with this item.
 *
 * n8n does not run the node again after a wait: it outputs the node's input. So the item takes the place of an input of
 * that number here, and each needs a source. Should n8n change that, the workflow continues at the wrong output when no
 * answer came, or does not continue.
 *
 * @param output the output, counted from 0
 */
export async function waitAndContinueAt(
	context: IExecuteFunctions,
	until: Date,
	output: number,
	item: INodeExecutionData,
): Promise<void> {
	const executeData = context.getExecuteData();
	executeData.data.main = itemsAt(output, item);
	const source = executeData.source?.main?.[0] ?? null;
	const sources = executeData.data.main.map(() => source);
	if (executeData.source) executeData.source = { ...executeData.source, main: sources };
	const everyOutput: ITaskMetadata & { forwardAllOutputs: boolean } = { forwardAllOutputs: true };
	context.setMetadata(everyOutput);
	await context.putExecutionToWait(until);
}

/** What a node puts out that has one item for one of its outputs. */
export function itemsAt(output: number, item: INodeExecutionData): INodeExecutionData[][] {
	return Array.from({ length: output + 1 }, (_, at) => (at === output ? [item] : []));
}
