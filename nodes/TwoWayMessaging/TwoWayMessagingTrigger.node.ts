import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	IPollFunctions,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { LaterDescription } from './n8n/laterDescription';
import { processMemory, withMemory, type ProcessMemory } from './processMemory';
import { testCredential } from './transport/credentialTest';
import { sayWhyEmpty } from './trigger/emptyExecution';
import { toItem } from './trigger/handover';
import { loadLineOptions } from './listSearch/loadLineOptions';
import { checkForEvents } from './trigger/missed/checkForEvents';
import { inCall, type TriggerCall } from './trigger/nodeMemory';
import { eventNames, properties } from './trigger/properties';
import { showSample } from './trigger/sample';
import { startRuns } from './trigger/start/startRuns';
import { triggerPanel } from './trigger/triggerPanel';
import { listenMethods } from './trigger/webhook/listenMethods';
import { receiveAnnouncement } from './trigger/webhook/receiveAnnouncement';
import { receiveEvent } from './trigger/webhook/receiveEvent';
import { webhookDescription } from './trigger/webhook/webhookDescription';

/**
 * The trigger node: what it is, and where each of n8n's calls goes.
 *
 * `webhook()` and `poll()` each make a handover of an event: a webhook brings one, a check finds those that none has
 * brought. `execute()` lets every handover begin once, after it has waited for more texts of its conversation, and offers
 * it to the executions that wait for an answer. What is left becomes the workflow's item.
 */
export class TwoWayMessagingTrigger implements INodeType {
	description: LaterDescription = {
		displayName: 'Two-Way Messaging Trigger',
		name: 'twoWayMessagingTrigger',
		icon: { light: 'file:twoWayMessaging.svg', dark: 'file:twoWayMessaging.dark.svg' },
		group: ['trigger'],
		// For every event, n8n evaluates an expression to see whether a trigger of version 1 takes binary data.
		version: [1, 1.1],
		defaultVersion: 1.1,
		subtitle: eventNames,
		// The list of nodes shows this for both nodes, under the name that they share.
		description: 'Text customers by iMessage and SMS, and start workflows when they reply',
		eventTriggerDescription: 'Text one of your lines to see the event here',
		activationMessage: 'From now on, the events that you chose start this workflow.',
		defaults: { name: 'Two-Way Messaging Trigger' },
		builderHint: {
			searchHint:
				"Starts one execution for each text. The item has 'from' (the customer), 'content' (the text), 'media_url', and for AI nodes 'chatInput' and 'sessionId'. The service opts customers out by itself when they text STOP, and the trigger leaves these texts out unless told otherwise, so build no answer to STOP. Without a public https URL, set 'receiveBy' to 'polling'.",
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-two-way-messaging.twoWayMessaging',
					relationHint: "Answers the customer, with the operation 'reply'",
				},
			],
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'twoWayMessagingApi', required: true, testedBy: 'twoWayMessagingApiTest' },
		],
		webhooks: [webhookDescription],
		triggerPanel,
		properties,
	};

	methods = {
		credentialTest: { twoWayMessagingApiTest: testCredential },
		loadOptions: { lineOptions: withMemory(this, loadLineOptions) },
	};

	webhookMethods = { default: listenMethods(this) };

	webhook = withMemory(this, inCall(receive));

	poll = withMemory(this, inCall(check));

	execute = withMemory(this, inCall(execute));

	/** n8n passes nothing; a test gives each process that it plays a memory of its own. */
	constructor(readonly memory: ProcessMemory = processMemory) {}
}

async function receive(call: TriggerCall<IWebhookFunctions>): Promise<IWebhookResponseData> {
	return (await receiveAnnouncement(call)) ?? (await receiveEvent(call));
}

async function check(call: TriggerCall<IPollFunctions>): Promise<INodeExecutionData[][] | null> {
	const handovers = await checkForEvents(call);
	return handovers.length > 0 ? [handovers.map(toItem)] : null;
}

async function execute(call: TriggerCall<IExecuteFunctions>): Promise<INodeExecutionData[][]> {
	const items = (await showSample(call)) ?? (await startRuns(call));
	if (items.length === 0) sayWhyEmpty(call);
	return [items];
}
