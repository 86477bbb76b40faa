import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { runWorkflow, type Run, type RunRequest } from '../support/executions';
import { Instance } from '../support/instance';

type Execute = (context: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

/** A node that does what a test says, so that the test sees what the real n8n-core makes of it. */
export class Probe implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Probe',
		name: 'probe',
		group: ['transform'],
		version: 1,
		description: 'Does what a test says',
		defaults: { name: 'Probe' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	};

	webhook?: (this: IWebhookFunctions) => Promise<IWebhookResponseData>;

	constructor(private readonly run: Execute) {
		const probe = this.run;
		this.execute = async function (this: IExecuteFunctions) {
			return await probe(this);
		};
	}

	execute: (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;
}

export const instanceWith = (...nodeTypes: INodeType[]): Instance => new Instance({ nodeTypes });

/** A workflow of n8n's start and one node called Probe. */
export const PROBE_REQUEST: RunRequest = {
	nodes: [
		{ type: 'start', name: 'Start' },
		{ type: 'probe', name: 'Probe' },
	],
	connections: { Start: { main: [[{ node: 'Probe', type: 'main', index: 0 }]] } },
};

/** Runs the probe in the real n8n-core. */
export const runProbe = async (execute: Execute, request: Partial<RunRequest> = {}): Promise<Run> =>
	await runWorkflow(instanceWith(new Probe(execute)), { ...PROBE_REQUEST, ...request });
