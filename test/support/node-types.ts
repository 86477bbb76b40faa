import { NodeHelpers } from 'n8n-workflow';
import type { INodeType, INodeTypes } from 'n8n-workflow';
import { nodeType } from './flowNodes';

/** Starts an execution with given items, as a manual trigger with pinned data does. */
const start = nodeType('start', (context) => [context.getInputData()], { isStart: true });

/** Node types by name, with or without their package's prefix (`<package>.<node>`). */
export class GivenNodeTypes implements INodeTypes {
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
