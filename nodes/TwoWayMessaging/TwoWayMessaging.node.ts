import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeApiError, NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';
import { searchLines } from './listSearch/searchLines';
import { isCancelled } from './n8n/cancelledExecution';
import { processMemory, withMemory, type ProcessMemory } from './processMemory';
import { findOperation, properties } from './resources';
import { ANSWER_WEBHOOKS, receiveAnswer } from './resources/message/question/receiveAnswer';
import { OUTPUTS } from './resources/message/question/outputs';
import { ItemAtSecondOutput, startRun, toLinkedItem } from './resources/run';
import { testCredential } from './transport/credentialTest';

/** The action node: what it is, and the only loop over items. */
export class TwoWayMessaging implements INodeType {
	/** @param memory what the node remembers between its runs; a test passes a memory of its own */
	constructor(readonly memory: ProcessMemory = processMemory) {}

	description: INodeTypeDescription = {
		displayName: 'Two-Way Messaging',
		name: 'twoWayMessaging',
		icon: { light: 'file:twoWayMessaging.svg', dark: 'file:twoWayMessaging.dark.svg' },
		group: ['output'],
		// In version 1, a question had a second output only with a time limit.
		version: [1, 1.1],
		defaultVersion: 1.1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Text customers by iMessage and SMS, and look up messages and lines',
		defaults: { name: 'Two-Way Messaging' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: OUTPUTS,
		credentials: [
			{ name: 'twoWayMessagingApi', required: true, testedBy: 'twoWayMessagingApiTest' },
		],
		webhooks: ANSWER_WEBHOOKS,
		properties,
	};

	methods = {
		credentialTest: { twoWayMessagingApiTest: testCredential },
		listSearch: { searchLines: withMemory(this, searchLines) },
	};

	webhook = withMemory(this, receiveAnswer);

	execute = withMemory(this, async (caller: IExecuteFunctions, memory) => {
		const run = startRun(caller, memory);
		const results: INodeExecutionData[] = [];
		const atSecondOutput: INodeExecutionData[] = [];
		for (let itemIndex = 0; itemIndex < caller.getInputData().length; itemIndex += 1) {
			try {
				const resource = caller.getNodeParameter('resource', itemIndex) as string;
				const name = caller.getNodeParameter('operation', itemIndex) as string;
				const operation = findOperation(resource, name);
				if (!operation) {
					throw new NodeOperationError(caller.getNode(), 'The operation does not exist', {
						description: 'Open the node and choose a Resource and an Operation from the lists.',
						itemIndex,
					});
				}
				for (const output of await operation.run(run, itemIndex)) {
					const items = output instanceof ItemAtSecondOutput ? atSecondOutput : results;
					items.push(toLinkedItem(output, itemIndex));
				}
			} catch (thrown) {
				const isOurs = thrown instanceof NodeApiError || thrown instanceof NodeOperationError;
				const error = isOurs
					? thrown
					: new NodeOperationError(caller.getNode(), thrown as Error, { itemIndex });
				if (isCancelled(caller) || !caller.continueOnFail()) throw error;
				results.push({ json: { error: error.message }, pairedItem: { item: itemIndex } });
			}
		}
		return atSecondOutput.length > 0 ? [results, atSecondOutput] : [results];
	});
}
