import type {
	IExecuteFunctions,
	IHookFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { testCredential } from './transport/credentialTest';
import { checkForEvents } from './trigger/check';
import { loadLineOptions } from './listSearch/loadLineOptions';
import { processMemory, withMemory } from './processMemory';
import { receiveNote } from './trigger/note';
import { passThrough } from './trigger/passThrough';
import { eventNames, properties } from './trigger/properties';
import { listenIfRegistered, stopListening } from './trigger/questions';
import { receiveEvent } from './trigger/receive';
import { createRegistration, isRegistered, releaseRegistration } from './trigger/registration';
import { webhookDescription } from './trigger/webhook';

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
		loadOptions: { lineOptions: withMemory({ memory: processMemory }, loadLineOptions) },
	};

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return listenIfRegistered(this, await isRegistered(this));
			},
			async create(this: IHookFunctions): Promise<boolean> {
				return listenIfRegistered(this, await createRegistration(this));
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				stopListening(this);
				return await releaseRegistration(this);
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return (await receiveNote(this)) ?? (await receiveEvent(this));
	}

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		const items = await checkForEvents(this);
		return items && [items];
	}

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await passThrough(this)];
	}
}
