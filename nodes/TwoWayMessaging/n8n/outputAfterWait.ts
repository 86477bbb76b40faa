import * as n8nWorkflow from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData, ITaskMetadata } from 'n8n-workflow';

/**
 * Whether n8n can continue a node that waited at its second output. n8n can since 2.39, and nothing that a node reaches
 * tells n8n's version, so an export of n8n-workflow that came with 2.39 tells it. Should n8n rename that export, a time
 * limit is refused as in an older n8n.
 */
export function canContinueAtSecondOutput(): boolean {
	return 'WAIT_FOR_SUB_EXECUTION' in n8nWorkflow;
}

/**
 * Pauses the execution. When the time is over, n8n continues the workflow at the node's second output, with this item.
 *
 * n8n does not run the node again after a wait: it takes the node's input, as it stands here, for the output. So the item
 * is put where the input of a second connection would be, which has to have a source as well. Should n8n change that, a
 * question without an answer continues at the wrong output, or not at all.
 */
export async function waitAndContinueAtSecondOutput(
	caller: IExecuteFunctions,
	until: Date,
	item: INodeExecutionData,
): Promise<void> {
	const executeData = caller.getExecuteData();
	executeData.data.main = [[], [item]];
	const source = executeData.source?.main?.[0] ?? null;
	if (executeData.source) executeData.source = { ...executeData.source, main: [source, source] };
	const everyOutput: ITaskMetadata & { forwardAllOutputs: boolean } = { forwardAllOutputs: true };
	caller.setMetadata(everyOutput);
	await caller.putExecutionToWait(until);
}
