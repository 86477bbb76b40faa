import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { readHandover } from './item';
import { memoryOf } from './memory';

/** Lets the events that webhook() or poll() handed over into the workflow. */
export async function passThrough(execution: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const { seen } = memoryOf(execution);
	return execution.getInputData().map((item, index) => {
		const handed = readHandover(item);
		if (!handed) return item;
		seen.begin(handed.key, Date.now());
		return { json: handed.output, pairedItem: { item: index } };
	});
}
