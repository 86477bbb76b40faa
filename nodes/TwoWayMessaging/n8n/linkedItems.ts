import type { IDataObject, IExecuteFunctions, INodeExecutionData, ISourceData } from 'n8n-workflow';

/** An item, and the output of the node before it, from where n8n's links lead further back. */
export type LinkedItem = {
	json: IDataObject;
	pairedItem?: INodeExecutionData['pairedItem'];
	/** Absent where n8n does not say which node the item came from. */
	source?: ISourceData | null;
};

/** What n8n's own expressions know of an execution, as far as it is used here. */
type DataProxy = {
	$: (
		name: string,
		wholeItem: boolean,
	) => {
		all: (output: number, run: number) => INodeExecutionData[];
		params?: IDataObject;
	};
	$getPairedItem: (name: string, source: ISourceData, link: object | number) => LinkedItem | null;
};

/** The item at an index of the node's one input. */
export function inputItem(context: IExecuteFunctions, itemIndex: number): LinkedItem {
	const { json = {}, pairedItem } = context.getInputData()[itemIndex] ?? {};
	return { json, pairedItem, source: context.getExecuteData().source?.main?.[0] };
}

/** The nodes before a node, or before the agent of a tool. Nodes beside them may be among them. */
export function earlierNodes(context: IExecuteFunctions) {
	const previous = context.getExecuteData().source?.main?.[0]?.previousNode;
	if (previous === undefined) return [];
	// n8n tells a node's type only to those behind it, and a tool does not know that it is behind its agent.
	const behind = context.getChildNodes(previous).map(({ name }) => name);
	return [previous, ...behind.slice(0, 1)].flatMap((name) => context.getParentNodes(name));
}

/**
 * The item of an earlier node that an item was made of, in one step or in several. n8n gives nodes this only as
 * `$('node').item`, which a tool of an agent cannot use: n8n then answers for the first item, or for an earlier run.
 *
 * ```ts
 * linkedItem(context, inputItem(context, itemIndex), 'When a customer texts'); // the fields of the trigger's item
 * ```
 *
 * Should n8n drop the function, the item is found only where that node put out a single one.
 *
 * @returns undefined where a node on the way has not said what its items were made of, or names several
 */
export function linkedItem(
	context: IExecuteFunctions,
	{ pairedItem, source }: LinkedItem,
	nodeName: string,
): IDataObject | undefined {
	if (!source || pairedItem === undefined || Array.isArray(pairedItem)) return undefined;
	return ask(context, (proxy) => proxy.$getPairedItem(nodeName, source, pairedItem)?.json);
}

/** The items that a node has put out at one output in one of its runs; none where it has not run. */
export function outputItems(
	context: IExecuteFunctions,
	{ previousNode, previousNodeOutput = 0, previousNodeRun = 0 }: ISourceData,
): IDataObject[] {
	const items = ask(context, (proxy) =>
		proxy.$(previousNode, true).all(previousNodeOutput, previousNodeRun),
	);
	return (items ?? []).map(({ json }) => json);
}

/** The fields of an earlier node as the workflow has them, without evaluating expressions; none where n8n does not say. */
export function fieldsOfNode(context: IExecuteFunctions, nodeName: string): IDataObject {
	return ask(context, (proxy) => proxy.$(nodeName, true).params) ?? {};
}

/** What n8n says of an earlier node; undefined where it throws, as it has not run or does not exist. */
function ask<Said>(context: IExecuteFunctions, read: (proxy: DataProxy) => Said): Said | undefined {
	try {
		return read(context.getWorkflowDataProxy(0) as unknown as DataProxy);
	} catch {
		return undefined;
	}
}

/**
 * How often the node has run before in this execution: 0 in its first run, 1 when a loop reaches it again. Retry On Fail
 * runs the node again under the same index. n8n has it only for expressions, which take milliseconds. Should n8n drop it,
 * every run in a loop has the same index, and a message that an earlier run has sent is not sent again.
 */
export function readRunIndex(context: IExecuteFunctions, itemIndex: number): number {
	return Number(context.getWorkflowDataProxy(itemIndex).$runIndex);
}
