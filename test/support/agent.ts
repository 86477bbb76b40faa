import type {
	EngineRequest,
	EngineResponse,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { RunRequest } from './executions';
import type { NodeSpec } from './instance';

/** How an agent calls a tool: by itself, or by asking n8n's engine to run the node, as newer agents do. */
export const WAYS_TO_CALL = ['by itself', 'by the engine'] as const;
export type WayToCall = (typeof WAYS_TO_CALL)[number];

/** A tool as n8n gives it to an agent. */
type Tool = { invoke: (toolArguments: IDataObject) => Promise<unknown> };

/** An AI agent that calls its one tool as often as a test says, one call after the other, and puts out what each brought. */
export class Agent implements INodeType {
	description: INodeTypeDescription = {
		...{ displayName: 'Agent', name: 'agent', group: ['transform'], version: 1, properties: [] },
		...{ description: 'Calls its tool', defaults: { name: 'Agent' } },
		inputs: [NodeConnectionTypes.Main, NodeConnectionTypes.AiTool],
		outputs: [NodeConnectionTypes.Main],
	};

	execute: NonNullable<INodeType['execute']>;

	constructor(way: WayToCall, calls: IDataObject[]) {
		this.execute = async function (response) {
			return way === 'by the engine' ? askEngine(calls, response) : [await callTool(this, calls)];
		};
	}
}

async function callTool(
	context: IExecuteFunctions,
	calls: IDataObject[],
): Promise<INodeExecutionData[]> {
	const connected = (await context.getInputConnectionData(NodeConnectionTypes.AiTool, 0)) as Tool[];
	const results: INodeExecutionData[] = [];
	for (const toolArguments of calls) {
		const result = await connected[0]!.invoke(toolArguments).catch(({ message }: Error) => message);
		results.push({ json: { result: String(result) } });
	}
	return results;
}

function askEngine(
	calls: IDataObject[],
	response?: EngineResponse,
): INodeExecutionData[][] | EngineRequest {
	const { actionResponses = [] } = response ?? {};
	if (actionResponses.length > 0) {
		return [actionResponses.map(({ data }) => ({ json: { result: JSON.stringify(data) } }))];
	}
	return {
		actions: calls.map((input, at) => ({
			actionType: 'ExecutionNodeAction' as const,
			nodeName: 'Tool',
			input,
			type: NodeConnectionTypes.AiTool,
			id: `call_${at}`,
			metadata: { itemIndex: 0 },
		})),
		metadata: {},
	} as unknown as EngineRequest;
}

/** Makes of a node what n8n makes of it for agents: a tool. */
export function asTool<Node extends INodeType>(node: Node): Node {
	node.description.name += 'Tool';
	node.description.inputs = [];
	node.description.outputs = [NodeConnectionTypes.AiTool];
	return node;
}

export const agentRequest = (tool: NodeSpec): RunRequest => ({
	nodes: [
		{ type: 'start', name: 'Start' },
		{ type: 'agent', name: 'Agent' },
		{ ...tool, name: 'Tool' },
	],
	connections: {
		Start: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
		Tool: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
	},
});
