import { NodeOperationError } from 'n8n-workflow';
import { findOperation } from './index';
import type { ListOperation, Operation, Run } from './run';

/**
 * Gives the operation of an item. It is read once unless it comes from an expression, which the editor does not
 * offer.
 *
 * @throws NodeOperationError when the operation does not exist
 */
export function operationsOf(run: Run): (itemIndex: number) => Operation {
	const { resource, operation } = run.caller.getNode().parameters;
	const isFixed = [resource, operation].every((value) => !String(value).startsWith('='));
	let known: Operation | undefined;
	return (itemIndex) => {
		if (!isFixed) return operationOf(run, itemIndex);
		return (known ??= operationOf(run, itemIndex));
	};
}

function operationOf({ caller }: Run, itemIndex: number): Operation {
	const resource = caller.getNodeParameter('resource', itemIndex) as string;
	const name = caller.getNodeParameter('operation', itemIndex) as string;
	const operation = findOperation(resource, name);
	if (operation) return operation;
	throw new NodeOperationError(caller.getNode(), 'The operation does not exist', {
		description: 'Open the node and choose a Resource and an Operation from the lists.',
		itemIndex,
	});
}

/** The operation of a run as one for lists. Every item has the same: neither of its fields takes an expression. */
export function listOperationOf(run: Run): ListOperation | undefined {
	if (run.caller.getInputData().length === 0) return undefined;
	const operation = operationOf(run, 0);
	return 'read' in operation ? operation : undefined;
}

/** Whether the run sends messages. */
export const sendsMessages = (run: Run): boolean => listOperationOf(run)?.sends === true;
