import { CredentialTestContext, LoadOptionsContext } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	INodeCredentialTestResult,
	INodeListSearchResult,
} from 'n8n-workflow';
import { parametersOf, type Instance, type NodeSpec } from './instance';

/** Asks a node for a list to choose from, as a resource locator in the editor does. */
export async function searchList(
	instance: Instance,
	call: { node: NodeSpec; method: string; filter?: string; paginationToken?: string },
): Promise<INodeListSearchResult> {
	const node = instance.node(call.node);
	const nodeType = instance.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
	const search = nodeType.methods?.listSearch?.[call.method];
	if (!search) throw new Error(`The node has no list search "${call.method}"`);
	const additionalData = instance.additionalData({
		currentNodeParameters: parametersOf(instance, node),
	});
	const context = new LoadOptionsContext(instance.workflow([node]), node, additionalData, '');
	return await search.call(context, call.filter, call.paginationToken);
}

/**
 * Tests a filled-in credential with the function that a node names in `testedBy`, as "Retry" in the credential's dialog
 * does.
 */
export async function testCredential(
	instance: Instance,
	typeName: string,
	given: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> {
	const test = instance.nodeTypes.credentialTest(typeName);
	if (!test) throw new Error(`No node names a function that tests "${typeName}"`);
	const credential = {
		id: '1',
		name: typeName,
		type: typeName,
		data: instance.credentials.withDefaults(typeName, given),
	};
	return await test.call(new CredentialTestContext(instance.additionalData()), credential);
}
