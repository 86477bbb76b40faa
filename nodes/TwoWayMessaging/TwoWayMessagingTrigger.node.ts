import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { processMemory, withMemory, type ProcessMemory } from './processMemory';
import { beginEvents } from './trigger/begin/begin';
import { listen, listenMethods } from './trigger/check/listen';
import { loadLineOptions } from './fields/lineField';
import { inCall } from './trigger/nodeMemory';
import { eventNames, properties, triggerPanel } from './trigger/properties';
import { receiveEvent } from './trigger/webhook/receiveEvent';

/**
 * The trigger node: what it is, and where each of n8n's calls goes.
 *
 * `webhook()` and the checks of `trigger()` put events into one inbox, from which a starter hands each to n8n. `execute()`
 * completes it, records that it begins, offers it to the executions that wait for an answer, and makes the item.
 */
export class TwoWayMessagingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Two-Way Messaging Trigger',
		name: 'twoWayMessagingTrigger',
		icon: { light: 'file:twoWayMessaging.svg', dark: 'file:twoWayMessaging.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: eventNames,
		// The list of nodes shows this for both nodes, under the name that they share.
		description: 'Text customers by iMessage and SMS, and start workflows when they reply',
		eventTriggerDescription: 'Text one of your lines to see the event here',
		activationMessage: 'From now on, the events that you chose start this workflow.',
		defaults: { name: 'Two-Way Messaging Trigger' },
		builderHint: {
			searchHint:
				"Starts one execution for each text. The item has 'from' (the customer), 'content' (the text), 'media_url', and for AI nodes 'chatInput' and 'sessionId'. The service opts customers out by itself when they text STOP, and the trigger leaves these texts out unless told otherwise, so build no answer to STOP. Without a public https URL, set 'receiveBy' to 'polling'.",
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'twoWayMessagingApi', required: true }],
		webhooks: [
			{
				name: 'default',
				// Without a method n8n makes no webhook, and a test in the editor does not wait for one.
				httpMethod: '={{ $parameter["receiveBy"] === "polling" ? "" : "POST" }}',
				responseMode: 'onReceived',
				responseData: '',
				path: 'webhook',
				ndvHideMethod: true,
				// The node tells the service its URL by itself, so nobody has to copy it.
				ndvHideUrl: true,
			},
		],
		triggerPanel,
		properties,
	};

	methods = {
		loadOptions: { lineOptions: withMemory(this, loadLineOptions) },
	};

	webhookMethods = { default: listenMethods(this) };

	webhook = inCall(this, receiveEvent);

	trigger = inCall(this, listen);

	execute = inCall(this, beginEvents);

	/** n8n passes nothing; a test gives each process that it plays a memory of its own. */
	constructor(readonly memory: ProcessMemory = processMemory) {}
}
