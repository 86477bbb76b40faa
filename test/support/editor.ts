import { ExecuteContext, LoadOptionsContext, RoutingNode } from 'n8n-core';
import { createEmptyRunExecutionData, Workflow } from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	INode,
	INodeCredentialTestResult,
	INodeListSearchResult,
	INodeType,
} from 'n8n-workflow';
import { parametersOf, type Instance, type NodeSpec } from './instance';

/** Asks a node for a list to choose from, as a resource locator in the editor does. */
export async function searchList(
	instance: Instance,
	call: { node: NodeSpec; method: string },
): Promise<INodeListSearchResult> {
	const node = instance.node(call.node);
	const nodeType = instance.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
	const search = nodeType.methods?.listSearch?.[call.method];
	if (!search) throw new Error(`The node has no list search "${call.method}"`);
	const additionalData = instance.additionalData({
		currentNodeParameters: parametersOf(instance, node),
	});
	const context = new LoadOptionsContext(instance.workflow([node]), node, additionalData, '');
	return await search.call(context);
}

/**
 * Tests a filled-in credential with the request that its type declares, as n8n's `CredentialsTester` does: by a node that
 * makes this one request.
 */
export async function testCredential(
	instance: Instance,
	given: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> {
	const { name, test } = instance.credentials.type;
	const nodeType: INodeType = {
		description: {
			...{ displayName: 'Temp', name: 'temp', group: [], version: 1, description: '' },
			...{ defaults: {}, inputs: [], outputs: [] },
			credentials: [{ name, required: true }],
			properties: [
				{
					...{ displayName: 'Temp', name: 'temp', type: 'string', default: '' },
					routing: { request: test.request },
				},
			],
		},
	};
	const details = { id: '1', name };
	const node: INode = {
		...{ id: 'temp', name: 'Temp', type: 'temp', typeVersion: 1, position: [0, 0], parameters: {} },
		credentials: { [name]: details },
	};
	const nodeTypes = { getByName: () => nodeType, getByNameAndVersion: () => nodeType };
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: { ...nodeTypes, getKnownTypes: () => ({}) },
	});
	const context = new ExecuteContext(
		workflow,
		node,
		instance.additionalData(),
		'internal',
		createEmptyRunExecutionData(),
		0,
		[],
		{ main: [[{ json: {} }]] },
		{ node, data: {}, source: null },
		[],
	);
	const data = instance.credentials.withDefaults(given);
	const credential = { ...details, type: name, data };
	try {
		const said = (await new RoutingNode(context, nodeType, credential).runNode())?.[0]?.[0]?.json;
		const rule = test.rules?.find(
			({ type, properties }) =>
				type === 'responseSuccessBody' && said?.[properties.key] === properties.value,
		);
		if (rule) return { status: 'Error', message: rule.properties.message };
	} catch (thrown) {
		const { cause, message } = thrown as Error & {
			cause?: { response?: { status: number; statusText?: string }; code?: string };
		};
		if (!cause?.response) return { status: 'Error', message: cause?.code ?? message };
		const { status, statusText } = cause.response;
		const rule = test.rules?.find(
			({ type, properties }) => type === 'responseCode' && properties.value === status,
		);
		const words =
			rule?.properties.message ?? (statusText || `Received HTTP status code: ${status}`);
		return { status: 'Error', message: words };
	}
	return { status: 'OK', message: 'Connection successful!' };
}
