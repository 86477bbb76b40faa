import { ExternalSecretsProxy } from 'n8n-core';
import { NodeHelpers, Workflow } from 'n8n-workflow';
import type {
	IConnections,
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeType,
	INodeTypes,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { createHash } from 'node:crypto';
import { GivenCredentials } from './credentials';
import './deduplication';
import './log';
import { nodeType } from './flowNodes';

/** A node of a workflow as a test writes it. Fields that are left out get n8n's defaults. */
export type NodeSpec = Partial<Omit<INode, 'type'>> & Pick<INode, 'type'>;

export type InstanceSetup = {
	nodeTypes: INodeType[];
	/** The filled-in credential. Every node that declares its type gets it. */
	credential?: ICredentialDataDecryptedObject;
	/** A part of the keys under which a node stores something; default a different one for each instance. */
	workflowId?: string;
	/** The base URL of production webhooks; default `http://localhost:5678/webhook`. */
	webhookBaseUrl?: string;
	/** The base URL of webhooks of a test in the editor. */
	webhookTestBaseUrl?: string;
};

/** Starts an execution with given items, as a manual trigger with pinned data does. */
const start = nodeType('start', (context) => [context.getInputData()], { isStart: true });

/** Node types by name, with or without their package's prefix (`<package>.<node>`). */
class GivenNodeTypes implements INodeTypes {
	private readonly byName = new Map<string, INodeType>();

	constructor(nodeTypes: INodeType[]) {
		for (const nodeType of [start, ...nodeTypes]) {
			this.byName.set(nodeType.description.name, nodeType);
		}
	}

	getByName(type: string): INodeType {
		const nodeType = this.byName.get(type.slice(type.lastIndexOf('.') + 1));
		if (!nodeType) throw new Error(`No node type "${type}" was given to the engine`);
		return nodeType;
	}

	getByNameAndVersion(type: string, version?: number): INodeType {
		return NodeHelpers.getVersionedNodeType(this.getByName(type), version);
	}

	getKnownTypes() {
		return {};
	}
}

let instances = 0;

/** One n8n: its node types, credentials and URLs. The other functions in this folder work on it. */
export class Instance {
	readonly nodeTypes: GivenNodeTypes;
	readonly credentials: GivenCredentials;
	readonly workflowId: string;
	webhookBaseUrl: string;
	webhookTestBaseUrl: string;

	constructor(setup: InstanceSetup) {
		this.nodeTypes = new GivenNodeTypes(setup.nodeTypes);
		this.credentials = new GivenCredentials(setup.credential);
		this.workflowId = setup.workflowId ?? `workflow-${(instances += 1)}`;
		this.webhookBaseUrl = setup.webhookBaseUrl ?? 'http://localhost:5678/webhook';
		this.webhookTestBaseUrl = setup.webhookTestBaseUrl ?? 'http://localhost:5678/webhook-test';
	}

	/** A node with everything that n8n would have stored for it. */
	node(spec: NodeSpec): INode {
		const { description } = this.nodeTypes.getByNameAndVersion(spec.type, spec.typeVersion);
		const name = spec.name ?? description.displayName;
		const version = [description.version].flat().at(-1) ?? 1;
		const asked = (description.credentials ?? []).filter((one) => this.credentials.has(one.name));
		return {
			id: name,
			typeVersion: description.defaultVersion ?? version,
			position: [0, 0],
			parameters: {},
			credentials: Object.fromEntries(asked.map((one) => [one.name, { id: '1', name: one.name }])),
			...(description.webhooks && { webhookId: stableId(this.workflowId, name) }),
			...spec,
			name,
		};
	}

	/** A workflow of these nodes, which follow each other unless there are connections. */
	workflow(nodes: INode[], options: { connections?: IConnections; staticData?: IDataObject } = {}) {
		return new Workflow({
			id: this.workflowId,
			name: 'Test workflow',
			nodes,
			connections: options.connections ?? chain(nodes),
			active: true,
			nodeTypes: this.nodeTypes,
			staticData: structuredClone(options.staticData ?? {}),
			settings: { executionOrder: 'v1' },
		});
	}

	/** What n8n's server passes to n8n-core in addition to the workflow. */
	additionalData(
		more: Partial<IWorkflowExecuteAdditionalData> = {},
	): IWorkflowExecuteAdditionalData {
		const base = new URL('/', this.webhookBaseUrl).href;
		return {
			credentialsHelper: this.credentials,
			externalSecretsProxy: new ExternalSecretsProxy(),
			currentNodeExecutionIndex: 0,
			restApiUrl: `${base}rest`,
			instanceBaseUrl: base,
			formBaseUrl: `${base}form`,
			formWaitingBaseUrl: `${base}form-waiting`,
			formTestBaseUrl: `${base}form-test`,
			webhookBaseUrl: this.webhookBaseUrl,
			webhookWaitingBaseUrl: `${base}webhook-waiting`,
			webhookTestBaseUrl: this.webhookTestBaseUrl,
			mcpBaseUrl: `${base}mcp`,
			mcpTestBaseUrl: `${base}mcp-test`,
			variables: {},
			logAiEvent: () => {},
			executeWorkflow: notOffered('sub-workflows'),
			getRunExecutionData: notOffered('stored executions'),
			getRuntimeCredential: notOffered('runtime credentials'),
			startRunnerTask: notOffered('task runners'),
			...more,
		};
	}
}

/** Makes an object equal to another one, without n8n's watching of changes. */
export function replaceContent(target: IDataObject, source: IDataObject) {
	for (const key of Object.keys(target)) delete target[key];
	Object.assign(target, JSON.parse(JSON.stringify(source)));
}

/** Static data of a workflow in which one node has this data. */
export const staticDataFor = (node: INode, data: IDataObject = {}): IDataObject => ({
	[`node:${node.name}`]: data,
});

/** The parameters of a node after n8n has filled in the defaults. */
export const parametersOf = (instance: Instance, node: INode) =>
	NodeHelpers.getNodeParameters(
		instance.nodeTypes.getByNameAndVersion(node.type, node.typeVersion).description.properties,
		node.parameters,
		true,
		false,
		node,
		null,
	) ?? {};

const notOffered = (what: string) => () => {
	throw new Error(`The engine does not offer ${what}`);
};

const stableId = (...parts: string[]) =>
	createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);

const chain = (nodes: INode[]): IConnections =>
	Object.fromEntries(
		nodes
			.slice(0, -1)
			.map((node, at) => [
				node.name,
				{ main: [[{ node: nodes[at + 1]!.name, type: 'main', index: 0 }]] },
			]),
	);
