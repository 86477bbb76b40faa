import { NodeConnectionTypes, NodeHelpers } from 'n8n-workflow';
import type { IExecuteFunctions, INodeType, INodeTypeDescription, INodeTypes } from 'n8n-workflow';

/** Starts an execution with given items, as a manual trigger with pinned data does. */
export class Start implements INodeType {
	description: INodeTypeDescription = {
		...{ displayName: 'Start', name: 'start', group: ['trigger'], version: 1, properties: [] },
		description: 'Passes on the items that an execution begins with',
		...{ defaults: { name: 'Start' }, inputs: [], outputs: [NodeConnectionTypes.Main] },
	};

	async execute(this: IExecuteFunctions) {
		return [this.getInputData()];
	}
}

/** Node types by name, with or without their package's prefix (`<package>.<node>`). */
export class GivenNodeTypes implements INodeTypes {
	private readonly byName = new Map<string, INodeType>();

	constructor(nodeTypes: INodeType[]) {
		for (const nodeType of [new Start(), ...nodeTypes]) {
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
