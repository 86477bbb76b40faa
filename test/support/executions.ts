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
import { saveStaticData, type Instance, type NodeSpec } from './instance';

export type RunRequest = {
	/** One after the other unless `connections` says otherwise. A trigger in front begins the run itself. */
	nodes: NodeSpec[];
	/** By node name, as in an exported workflow. With it, `nodes` must begin with the node to start at. */
	connections?: IConnections;
	/** What the run begins with; one empty item unless given. */
	items?: INodeExecutionData[];
	executionId?: string;
	/** `trigger` (a run in production) unless given. */
	mode?: WorkflowExecuteMode;
	/** Aborting it is what the Stop button does. */
	signal?: AbortSignal;
	/** The workflow's "Timeout Workflow" setting. */
	timeoutMs?: number;
	/** The workflow's static data. What the run writes is put back into it. */
	staticData?: IDataObject;
	/** Where a run that waits goes on, as n8n has saved it. */
	saved?: IRunExecutionData;
};

/** A finished execution. */
export type Run = {
	executionId: string;
	status: ExecutionStatus;
	/** What ended the run, if something did. */
	error?: ExecutionError;
	/** Items a node put out in its last run; none when it did not run. */
	items: (node: string, output?: number) => INodeExecutionData[];
	/** The same, without what n8n keeps beside the fields. */
	json: (node: string, output?: number) => IDataObject[];
	/** What a node reported, also when the run went on. */
	nodeError: (node: string) => ExecutionError | undefined;
	/** How often a node ran (Retry On Fail is one run). */
	timesRun: (node: string) => number;
	data: IRunData;
	/** Until when the run waits; absent when it does not. */
	waitTill?: Date;
	/** The whole run as n8n saves it into its database. */
	saved: IRunExecutionData;
};

let executions = 0;

/** The next execution id of this process. */
export const nextExecutionId = () => String((executions += 1));

/** Runs a workflow through n8n-core and gives what its nodes put out. Rejects if it cannot start. */
export async function runWorkflow(instance: Instance, request: RunRequest): Promise<Run> {
	const nodes = request.nodes.map((spec) => instance.node(spec));
	if (!request.connections && !isTrigger(instance, nodes[0])) {
		nodes.unshift(instance.node({ type: 'start' }));
	}
	const [startNode] = nodes;
	if (!startNode) throw new Error('A run needs a node');

	const executionId = request.executionId ?? nextExecutionId();
	const mode = request.mode ?? 'trigger';
	const workflow = instance.workflow(nodes, request);
	const additionalData = instance.additionalData({
		executionId,
		executionTimeoutTimestamp: request.timeoutMs ? Date.now() + request.timeoutMs : undefined,
		hooks: new ExecutionLifecycleHooks(mode, executionId, {
			id: workflow.id,
			name: 'Test workflow',
			active: true,
			isArchived: false,
			nodes,
			connections: workflow.connectionsBySourceNode,
			createdAt: new Date(),
			updatedAt: new Date(),
			activeVersionId: null,
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
	const timer = request.timeoutMs && setTimeout(cancel, request.timeoutMs);
	request.signal?.addEventListener('abort', cancel);
	if (request.signal?.aborted) cancel();
	try {
		return finished(executionId, await running);
	} finally {
		if (timer) clearTimeout(timer);
		request.signal?.removeEventListener('abort', cancel);
		// n8n saves it after production runs only.
		if (request.staticData && mode !== 'manual') saveStaticData(workflow, request.staticData);
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
		timesRun: (node) => runData[node]?.length ?? 0,
		data: runData,
		...(waitTill && { waitTill }),
		saved: structuredClone({ ...data, waitTill: waitTill ?? undefined }),
	};
}
