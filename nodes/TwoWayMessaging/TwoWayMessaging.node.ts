import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { NodeApiError, NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';
import { searchLines } from './listSearch/lines';
import { findOperation, properties } from './resources';
import { ANSWER_WEBHOOKS, receiveAnswer } from './resources/message/question/answer';
import { OUTPUTS } from './resources/message/question/timeLimit';
import { startRun } from './resources/run';
import { testCredential } from './transport/credentialTest';
import { isCancelled } from './transport/pause';

/** The action node: what it is, and the only loop over items. */
export class TwoWayMessaging implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Two-Way Messaging',
		name: 'twoWayMessaging',
		icon: { light: 'file:twoWayMessaging.svg', dark: 'file:twoWayMessaging.dark.svg' },
		group: ['output'],
		version: 1,
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
		listSearch: { searchLines },
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receiveAnswer(this);
	}

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const run = startRun(this);
		const results: INodeExecutionData[] = [];
		for (let itemIndex = 0; itemIndex < this.getInputData().length; itemIndex += 1) {
			try {
				const resource = this.getNodeParameter('resource', itemIndex) as string;
				const name = this.getNodeParameter('operation', itemIndex) as string;
				const operation = findOperation(resource, name);
				if (!operation) {
					throw new NodeOperationError(this.getNode(), 'The operation does not exist', {
						description: 'Open the node and choose a Resource and an Operation from the lists.',
						itemIndex,
					});
				}
				const pairedItem = { item: itemIndex };
				for (const json of await operation.run(run, itemIndex)) {
					results.push({ json, pairedItem });
				}
			} catch (thrown) {
				const isOurs = thrown instanceof NodeApiError || thrown instanceof NodeOperationError;
				const error = isOurs
					? thrown
					: new NodeOperationError(this.getNode(), thrown as Error, { itemIndex });
				if (isCancelled(this) || !this.continueOnFail()) throw error;
				results.push({ json: { error: error.message }, pairedItem: { item: itemIndex } });
			}
		}
		return [results];
	}
}
