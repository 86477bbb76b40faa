import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { NodeApiError, NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';
import { searchLines } from './listSearch/searchLines';
import { isCancelled } from './n8n/cancelledExecution';
import type { LaterDescription } from './n8n/laterDescription';
import { processMemory, withMemory, type ProcessMemory } from './processMemory';
import { actionName, findOperation, properties } from './resources';
import { hints } from './resources/hints';
import { ANSWER_WEBHOOKS, receiveAnswer } from './resources/message/question/receiveAnswer';
import { OUTPUTS } from './resources/message/question/outputs';
import { WAITING_TOOLTIP } from './resources/message/question/waitingTooltip';
import { ItemAtSecondOutput, startRun, toLinkedItem } from './resources/run';
import { testCredential } from './transport/credentialTest';

/** The action node: what it is, and the only loop over items. */
export class TwoWayMessaging implements INodeType {
	/** @param memory what the node remembers between its runs; a test passes a memory of its own */
	constructor(readonly memory: ProcessMemory = processMemory) {}

	description: LaterDescription = {
		displayName: 'Two-Way Messaging',
		name: 'twoWayMessaging',
		icon: { light: 'file:twoWayMessaging.svg', dark: 'file:twoWayMessaging.dark.svg' },
		group: ['output'],
		// In version 1, a question had a second output only with a time limit.
		version: [1, 1.1],
		defaultVersion: 1.1,
		subtitle: actionName,
		description: 'Text customers by iMessage and SMS, and look up messages and lines',
		defaults: { name: 'Two-Way Messaging' },
		usableAsTool: true,
		waitingNodeTooltip: WAITING_TOOLTIP,
		builderHint: {
			searchHint:
				"Behind a Two-Way Messaging Trigger, answer with the operation 'reply': it finds the customer and the line by itself, so it has neither a number nor a line. Use 'send' only for a number from elsewhere. 'sendAndWait' asks one customer and pauses the execution; several items need a Loop Over Items node before it. 'getConversation' gives one item with the text 'transcript' for an AI agent.",
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-two-way-messaging.twoWayMessagingTrigger',
					relationHint:
						"Starts the workflow when a customer texts. It has to be published for 'sendAndWait' with answers by text",
				},
			],
		},
		hints,
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
