import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * Lets an execution that has nothing to do end without an item. With the setting Always Output Data, n8n would make an
 * empty item, and the workflow would run on it. Should n8n read the setting elsewhere, it does so again.
 */
export function endWithoutItems(execution: IExecuteFunctions): void {
	execution.getExecuteData().node.alwaysOutputData = false;
}
