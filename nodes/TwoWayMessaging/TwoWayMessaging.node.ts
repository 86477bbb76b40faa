import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { searchLines } from './listSearch/searchLines';
import { processMemory, withMemory, type ProcessMemory } from './processMemory';
import { properties } from './resources';
import { ANSWER_WEBHOOKS, receiveAnswer } from './resources/message/question/receiveAnswer';
import { OUTPUTS } from './resources/message/question/timeLimit';
import { startRun } from './resources/run';
import { runItems } from './resources/runItems';
import { testCredential } from './transport/credentialTest';

/** The action node: what it is, and where each of n8n's calls goes. */
export class TwoWayMessaging implements INodeType {
	/** @param memory what the node remembers between its runs; a test passes a memory of its own */
	constructor(readonly memory: ProcessMemory = processMemory) {}

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
		listSearch: { searchLines: withMemory(this, searchLines) },
	};

	webhook = withMemory(this, receiveAnswer);

	execute = withMemory(this, async (caller: IExecuteFunctions, memory) => [
		await runItems(startRun(caller, memory)),
	]);
}
