import type { INodeType, INodeTypeDescription, NodeHint } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { searchLines } from './fields/lineField';
import { ASK_AND_WAIT } from './n8n/agentTools';
import { processMemory, withMemory, type ProcessMemory } from './processMemory';
import { actionName, properties } from './action';
import { ANSWER_WEBHOOKS, receiveAnswer } from './action/questions/receiveAnswer';
import { OUTPUTS, WAITING_TOOLTIP } from './action/questions/outputs';
import { runItems } from './action/run';

const isMessageOperation = (operation: string) =>
	`$parameter["resource"] === "message" && $parameter["operation"] === "${operation}"`;

/** The line that is chosen: n8n gives the value of a resource locator, or, where nobody has touched it, the whole. */
const LINE = '($parameter["line"]?.value ?? $parameter["line"])';

/** What the editor says where people go wrong, as far as it knows the items that come in. */
const HINTS: NodeHint[] = [
	{
		message:
			"Several items come in, and one question can be asked at a time, so nobody would be asked. Put a 'Loop Over Items' node before this one, or switch on Execute Once in its Settings to ask for the first item only.",
		type: 'warning',
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
		displayCondition: `={{ ${isMessageOperation(ASK_AND_WAIT)} && $input.all().length > 1 }}`,
	},
	{
		message:
			'This answers the customer who texted, and Line is empty: the answer may come from another number than the one that was texted. Use the operation Reply, or choose the line by its ID, which the item has in the field line_handle.',
		type: 'warning',
		location: 'outputPane',
		whenToDisplay: 'always',
		displayCondition: `={{ ${isMessageOperation('send')} && !${LINE} && $input.first().json.is_outbound === false && $input.first().json.from === $parameter["number"] }}`,
	},
];

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
		subtitle: actionName,
		description: 'Text customers by iMessage and SMS, and look up messages and lines',
		defaults: { name: 'Two-Way Messaging' },
		usableAsTool: true,
		waitingNodeTooltip: WAITING_TOOLTIP,
		builderHint: {
			searchHint:
				"Behind a Two-Way Messaging Trigger, answer with the operation 'reply': it finds the customer and the line by itself, so it has neither a number nor a line. Use 'send' only for a number from elsewhere. 'sendAndWait' asks one customer and pauses the execution; several items need a Loop Over Items node before it. 'getConversation' gives one item with the text 'transcript' for an AI agent.",
		},
		hints: HINTS,
		inputs: [NodeConnectionTypes.Main],
		outputs: OUTPUTS,
		credentials: [{ name: 'twoWayMessagingApi', required: true }],
		webhooks: ANSWER_WEBHOOKS,
		properties,
	};

	methods = {
		listSearch: { searchLines: withMemory(this, searchLines) },
	};

	webhook = withMemory(this, receiveAnswer);

	execute = withMemory(this, runItems);
}
