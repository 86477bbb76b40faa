import type {
	DeduplicationItemTypes,
	DeduplicationScope,
	ICheckProcessedContextData,
	ICheckProcessedOptions,
	IExecuteFunctions,
} from 'n8n-workflow';
import { ProcessedData } from '../support/deduplication';

/** What n8n's table was asked, and a way to let it fail. */
export class Table {
	readonly data = new ProcessedData();

	/** Each call of the node's row: the names, and how many may be kept. */
	readonly added: Array<{ names: string[]; most?: number }> = [];

	/** How often the lock of the workflow was asked for. */
	locks = 0;

	/** Whether writing the row of a node fails. */
	isBroken = false;

	/** How many more writes of the row succeed, as if the process were killed then; undefined for all. */
	stopAfter?: number;

	/** How many names the row of a node has. */
	async size(nodeId = 'n'): Promise<number> {
		return await this.data.getProcessedDataCount('node', contextOf('w', nodeId), {
			mode: 'entries',
		});
	}
}

/** What an execution of a node gets from n8n to use the table with. */
export function executionWithTable(
	table: Table,
	{ workflowId = 'w', nodeId = 'n', children = [] as object[] } = {},
): Pick<IExecuteFunctions, 'getWorkflow' | 'getNode' | 'getChildNodes' | 'helpers'> {
	const context = contextOf(workflowId, nodeId);
	const failIfBroken = (scope: DeduplicationScope) => {
		if (scope !== 'node') return;
		if (table.isBroken || table.stopAfter === 0) throw new Error('The disk is full');
		if (table.stopAfter !== undefined) table.stopAfter -= 1;
	};
	type Items = DeduplicationItemTypes[];
	return {
		getWorkflow: () => ({ id: workflowId }),
		getNode: () => ({ id: nodeId, name: 'Node' }),
		getChildNodes: () => children,
		helpers: {
			checkProcessedAndRecord: async (
				items: Items,
				scope: DeduplicationScope,
				options: ICheckProcessedOptions,
			) => {
				failIfBroken(scope);
				if (scope === 'workflow') table.locks += 1;
				else table.added.push({ names: items.map(String), most: options.maxEntries });
				return await table.data.checkProcessedAndRecord(items, scope, context, options);
			},
			removeProcessed: async (
				items: Items,
				scope: DeduplicationScope,
				options: ICheckProcessedOptions,
			) => {
				failIfBroken(scope);
				await table.data.removeProcessed(items, scope, context, options);
			},
			clearAllProcessedItems: async (scope: DeduplicationScope) =>
				await table.data.clearAllProcessedItems(scope, context),
			getProcessedDataCount: async (scope: DeduplicationScope, options: ICheckProcessedOptions) =>
				await table.data.getProcessedDataCount(scope, context, options),
		},
	} as unknown as IExecuteFunctions;
}

/** Where the table keeps the names of the usual node. */
export const CONTEXT = contextOf('w', 'n');

function contextOf(workflowId: string, nodeId: string): ICheckProcessedContextData {
	return { workflow: { id: workflowId }, node: { id: nodeId } } as ICheckProcessedContextData;
}
