import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import { createRunExecutionData } from 'n8n-workflow';
import type {
	ExecutionError,
	ExecutionStatus,
	IConnections,
	IDataObject,
	INode,
	INodeExecutionData,
	IRun,
	IRunData,
	IRunExecutionData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import type { Instance, NodeSpec } from './instance';

export type RunRequest = {
	/** The nodes, which follow each other unless there are `connections`. A trigger at the start begins the execution. */
	nodes: NodeSpec[];
	/** By node name, as in an exported workflow. The first of `nodes` must then be the one that starts. */
	connections?: IConnections;
	/** The items that the execution begins with; default one empty item. */
	items?: INodeExecutionData[];
	executionId?: string;
	/** Default `trigger`, which is an execution in production. */
	mode?: WorkflowExecuteMode;
	/** Aborting it does what the Stop button does. */
	signal?: AbortSignal;
	/** The workflow's static data. What the execution writes there is not saved. */
	staticData?: IDataObject;
	/** The saved execution that continues, as n8n has saved it when it began to wait. */
	saved?: IRunExecutionData;
};

export type Run = {
	executionId: string;
	status: ExecutionStatus;
	/** The error that ended the execution, if there was one. */
	error?: ExecutionError;
	/** The items that a node has put out when it ran last; an empty list when it did not run. */
	items: (node: string, output?: number) => INodeExecutionData[];
	json: (node: string, output?: number) => IDataObject[];
	/** The error of a node, also when the execution continued. */
	nodeError: (node: string) => ExecutionError | undefined;
	data: IRunData;
	/** The time until which the execution waits; absent when it does not wait. */
	waitTill?: Date;
	/** The whole execution as n8n saves it in its database. */
	saved: IRunExecutionData;
};

let executions = 0;

/** Runs a workflow with n8n-core; returns what its nodes have put out. Rejects if it cannot start. */
export async function runWorkflow(instance: Instance, request: RunRequest): Promise<Run> {
	const nodes = request.nodes.map((spec) => instance.node(spec));
	if (!request.connections && !isTrigger(instance, nodes[0])) {
		nodes.unshift(instance.node({ type: 'start', name: 'Start' }));
	}
	const [startNode] = nodes;
	if (!startNode) throw new Error('A run needs a node');

	const executionId = request.executionId ?? String((executions += 1));
	const mode = request.mode ?? 'trigger';
	const workflow = instance.workflow(nodes, request);
	const additionalData = instance.additionalData({
		executionId,
		hooks: new ExecutionLifecycleHooks(mode, executionId, {
			...{ id: workflow.id, name: 'Test workflow', active: true, isArchived: false, nodes },
			...{ createdAt: new Date(), updatedAt: new Date(), activeVersionId: null },
			connections: workflow.connectionsBySourceNode,
		}),
	});
	const main = [structuredClone(request.items ?? [{ json: {} }])];
	const runExecutionData =
		request.saved ??
		createRunExecutionData({
			executionData: { nodeExecutionStack: [{ node: startNode, data: { main }, source: null }] },
		});

	const running = new WorkflowExecute(
		additionalData,
		mode,
		runExecutionData,
	).processRunExecutionData(workflow);
	const cancel = () => running.cancel();
	request.signal?.addEventListener('abort', cancel);
	if (request.signal?.aborted) cancel();
	try {
		return finished(executionId, await running);
	} finally {
		request.signal?.removeEventListener('abort', cancel);
	}
}

const isTrigger = (instance: Instance, node: INode | undefined) =>
	node !== undefined &&
	instance.nodeTypes
		.getByNameAndVersion(node.type, node.typeVersion)
		.description.group.includes('trigger');

function finished(executionId: string, { data, status, waitTill }: IRun): Run {
	const { runData, error } = data.resultData;
	const items: Run['items'] = (node, output = 0) =>
		runData[node]?.at(-1)?.data?.main?.[output] ?? [];
	return {
		executionId,
		status,
		error,
		items,
		json: (node, output) => items(node, output).map(({ json }) => json),
		nodeError: (node) => runData[node]?.at(-1)?.error,
		data: runData,
		...(waitTill && { waitTill }),
		saved: structuredClone({ ...data, waitTill: waitTill ?? undefined }),
	};
}
