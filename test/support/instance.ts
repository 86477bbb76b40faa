import { settingsFolder } from './environment';
import { Container } from '@n8n/di';
import { ExternalSecretsProxy, InstanceSettings } from 'n8n-core';
import { NodeHelpers, Workflow } from 'n8n-workflow';
import type {
	IConnections,
	ICredentialType,
	IDataObject,
	INode,
	INodeType,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { GivenCredentials, type CredentialData } from './credentials';
import './deduplication';
import './log';
import { GivenNodeTypes } from './node-types';

/** A node of a workflow as a test writes it; what is left out gets n8n's defaults. */
export type NodeSpec = Partial<Omit<INode, 'type'>> & Pick<INode, 'type'>;

export type InstanceSetup = {
	nodeTypes: INodeType[];
	credentialTypes: ICredentialType[];
	/** Filled-in credentials by type. Every node whose type asks for one gets it. */
	credentials: CredentialData;
	/** Part of every key a node remembers by; one of its own for each instance unless given. */
	workflowId?: string;
	/** Address of production webhooks, without the path; `http://localhost:5678/webhook` unless given. */
	webhookBaseUrl?: string;
	/** Address of the webhooks of a test in the editor. */
	webhookTestBaseUrl?: string;
};

let instances = 0;

// Read once at its making, so that no file is left behind.
Container.get(InstanceSettings);
rmSync(settingsFolder, { recursive: true, force: true });

/** One n8n: its node types, credentials and addresses. Everything else in this folder works on it. */
export class Instance {
	readonly nodeTypes: GivenNodeTypes;
	readonly credentials: GivenCredentials;
	readonly workflowId: string;
	webhookBaseUrl: string;
	webhookTestBaseUrl: string;

	constructor(setup: InstanceSetup) {
		this.nodeTypes = new GivenNodeTypes(setup.nodeTypes);
		this.credentials = new GivenCredentials(setup.credentialTypes, setup.credentials);
		this.workflowId = setup.workflowId ?? `workflow-${(instances += 1)}`;
		this.webhookBaseUrl = setup.webhookBaseUrl ?? 'http://localhost:5678/webhook';
		this.webhookTestBaseUrl = setup.webhookTestBaseUrl ?? 'http://localhost:5678/webhook-test';
	}

	/** A node with everything n8n would have stored for it. */
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

	/** A workflow of these nodes, one after the other unless connections are given. */
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

	/** What n8n's server hands to n8n-core beside the workflow. */
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

/**
 * Saves a workflow's static data into a test's object as n8n saves it into its database: whole, and
 * only if something was written since the last time.
 */
export function saveStaticData(workflow: Workflow, saved: IDataObject) {
	if (!workflow.staticData.__dataChanged) return;
	replaceContent(saved, workflow.staticData);
	workflow.staticData.__dataChanged = false;
}

/** Makes an object equal to another, free of n8n's change watching. */
export function replaceContent(target: IDataObject, source: IDataObject) {
	for (const key of Object.keys(target)) delete target[key];
	Object.assign(target, JSON.parse(JSON.stringify(source)));
}

/** Static data of a workflow in which one node has this data. */
export const staticDataFor = (node: INode, data: IDataObject = {}): IDataObject => ({
	[`node:${node.name}`]: data,
});

/** The parameters a node has once n8n filled in the defaults. */
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
