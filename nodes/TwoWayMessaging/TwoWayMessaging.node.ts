import type { IExecuteFunctions, INodeType } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { searchLines } from './listSearch/searchLines';
import type { LaterDescription } from './n8n/laterDescription';
import { processMemory, withMemory, type ProcessMemory } from './processMemory';
import { actionName, properties } from './resources';
import { hints } from './resources/hints';
import { ANSWER_WEBHOOKS, receiveAnswer } from './resources/message/question/receiveAnswer';
import { OUTPUTS } from './resources/message/question/outputs';
import { WAITING_TOOLTIP } from './resources/message/question/waitingTooltip';
import { startRun } from './resources/run';
import { runItems } from './resources/runItems';
import { testCredential } from './transport/credentialTest';

/** The action node: what it is, and where each of n8n's calls goes. */
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

	execute = withMemory(
		this,
		async (caller: IExecuteFunctions, memory) => await runItems(startRun(caller, memory)),
	);
}
