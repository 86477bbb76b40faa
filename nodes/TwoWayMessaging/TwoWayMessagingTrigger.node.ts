import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { processMemory, withMemory, type ProcessMemory } from './processMemory';
import { testCredential } from './transport/credentialTest';
import { toItem } from './trigger/handover';
import { loadLineOptions } from './listSearch/loadLineOptions';
import { checkForEvents } from './trigger/missed/checkForEvents';
import { inCall, type TriggerCall } from './trigger/nodeMemory';
import { eventNames, properties } from './trigger/properties';
import { showSample } from './trigger/sample';
import { startRuns } from './trigger/start/startRuns';
import { checkListening, endListening, startListening } from './trigger/webhook/listen';
import { receiveAnnouncement } from './trigger/webhook/receiveAnnouncement';
import { receiveEvent } from './trigger/webhook/receiveEvent';
import { webhookDescription } from './trigger/webhook/webhookDescription';

/** The trigger: what it is, and where each of n8n's calls goes. */
export class TwoWayMessagingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Two-Way Messaging Trigger',
		name: 'twoWayMessagingTrigger',
		icon: { light: 'file:twoWayMessaging.svg', dark: 'file:twoWayMessaging.dark.svg' },
		group: ['trigger'],
		// Of a trigger of version 1 n8n asks, by an expression, whether it takes binary data: for every event.
		version: [1, 1.1],
		defaultVersion: 1.1,
		subtitle: eventNames,
		// The list of nodes shows it for both nodes, under the name that they share.
		description:
			'Text conversations with customers. Starts the workflow when one texts, or a message or a line changes.',
		eventTriggerDescription: 'Text one of your lines to see the event here',
		activationMessage: 'From now on the events of your lines start this workflow by themselves.',
		defaults: { name: 'Two-Way Messaging Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'twoWayMessagingApi', required: true, testedBy: 'twoWayMessagingApiTest' },
		],
		webhooks: [webhookDescription],
		triggerPanel: {
			header: 'See an event of your lines',
			executionsHelp: {
				inactive:
					"<b>While building your workflow</b>, click 'Execute step' and text one of your lines. With 'Polling' the latest event is shown at once.<br /><br /><b>Once it works</b>, publish it. It then runs by itself for every event, and you find its runs in the executions list.",
				active:
					"<b>While building your workflow</b>, click 'Execute step' and text one of your lines. With 'Polling' the latest event is shown at once.<br /><br /><b>Your workflow also runs by itself</b> for every event, as it is published. You find those runs in the executions list.",
			},
			activationHint:
				'Once it works, publish the workflow. n8n then registers for the events with the service, or asks for them at the times you set.',
		},
		properties,
	};

	methods = {
		credentialTest: { twoWayMessagingApiTest: testCredential },
		loadOptions: { lineOptions: withMemory(this, loadLineOptions) },
	};

	webhookMethods = {
		default: {
			checkExists: withMemory(this, inCall(checkListening)),
			create: withMemory(this, inCall(startListening)),
			delete: withMemory(this, inCall(endListening)),
		},
	};

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
	return [(await showSample(call)) ?? (await startRuns(call))];
}
