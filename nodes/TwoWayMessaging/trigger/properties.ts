import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import type { EventKind } from '../contract';
import { simplifyField } from '../fields/readField';
import { filtersField } from './filterFields';
import {
	CHECK_EVERY,
	MOST_CHECK_EVERY,
	MOST_COMBINE_SECONDS,
	MOST_RECOVER_HOURS,
	RECOVER_HOURS,
} from './settings';
import { TOLERANCE_SECONDS } from './verifySignature';

/**
 * What a person chooses from, in the order in which the field and n8n's list of nodes show it: what most workflows begin
 * with comes first.
 */
const EVENTS: Record<EventKind, { name: string; description: string }> = {
	receive: {
		name: 'Message Received',
		description: 'A customer texted one of your lines',
	},
	outbound: {
		name: 'Message Sent or Failed',
		description: 'One of your messages was sent, or could not be sent',
	},
	line_blocked: {
		name: 'Line Blocked',
		description: 'One of your lines can no longer send',
	},
	line_unblocked: {
		name: 'Line Unblocked',
		description: 'A line that was blocked can send again',
	},
};

const NAMES = Object.fromEntries(Object.entries(EVENTS).map(([kind, { name }]) => [kind, name]));

/**
 * What stands under the node's name on the canvas: the first of the events that start the workflow, and how many more. n8n
 * cuts off what is longer.
 */
export const eventNames = `={{ (${JSON.stringify(NAMES)})[$parameter["events"][0]] + ($parameter["events"].length > 1 ? " + " + ($parameter["events"].length - 1) : "") }}`;

/** The trigger's fields: what people come for first, then how events come. */
export const properties: INodeProperties[] = [
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		required: true,
		default: ['receive'],
		description: 'What starts the workflow',
		options: Object.entries(EVENTS).map(([value, event]) => ({ value, ...event })),
	},
	{
		displayName:
			"What this workflow sends starts it again, as it is told of your own messages, too. Put an 'If' node behind this trigger: only items whose event is 'receive' are there to be answered.",
		name: 'ownMessagesNotice',
		type: 'notice',
		default: '',
		// Both of them are among the events.
		displayOptions: { show: { events: ['receive'], '/events': ['outbound'] } },
	},
	{
		displayName: 'Receive By',
		name: 'receiveBy',
		type: 'options',
		noDataExpression: true,
		default: 'webhook',
		description: 'How events come to n8n',
		options: [
			{
				name: 'Webhook',
				value: 'webhook',
				description:
					'Let the service send each event to n8n at once. Needs a URL that is reachable from the internet.',
			},
			{
				name: 'Polling',
				value: 'polling',
				description:
					'Ask the service for new events every few minutes. Works without a public URL.',
			},
		],
	},
	{
		displayName:
			"To see an event here, click 'Execute step', then text one of your lines from a phone. n8n waits for two minutes. What the filters leave out does not show; nor does STOP, unless a filter includes it.",
		name: 'webhookNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { receiveBy: ['webhook'] } },
	},
	{
		displayName:
			"To see an event here, click 'Execute step'. The latest event of your lines is shown at once: it is a real customer's, and a Reply that you test behind it texts that customer.",
		name: 'pollingNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { receiveBy: ['polling'] } },
	},
	filtersField,
	{
		displayName: 'Double-Check Every (Minutes)',
		name: 'checkEvery',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: MOST_CHECK_EVERY },
		default: CHECK_EVERY,
		displayOptions: { show: { receiveBy: ['webhook'] } },
		description:
			'How often n8n asks the service for events that no webhook brought, for example while n8n was not running. 0 switches the checks off.',
	},
	{
		displayName: 'Ask Every (Minutes)',
		name: 'checkEvery',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: MOST_CHECK_EVERY },
		default: CHECK_EVERY,
		displayOptions: { show: { receiveBy: ['polling'] } },
		description: 'How often n8n asks the service for new events',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Clock Difference (Seconds)',
				name: 'toleranceSeconds',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 3600 },
				default: TOLERANCE_SECONDS,
				description:
					"How many seconds the time in an event's signature may differ from n8n's clock. n8n refuses an event with a larger difference, so that nobody can send an old event again. Raise it only if the clock of n8n's machine is wrong and you cannot set it right.",
			},
			{
				displayName: 'Combine Texts (Seconds)',
				name: 'combineSeconds',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: MOST_COMBINE_SECONDS },
				// Who adds an option wants its effect, so it arrives with one.
				default: 8,
				description:
					'How long to wait for another text of the same conversation. The texts that come in this time, and pass the filters, become one item and get one answer. Each new text starts the wait again, but a text waits at most two minutes in all. The maximum is 60. Without this option, and in a test, every text starts the workflow at once.',
			},
			{
				displayName: 'Download Media',
				name: 'downloadMedia',
				type: 'boolean',
				default: true,
				description:
					'Whether to fetch the picture or other file of a message, and to put it into the binary field "data". Without this option the item has only its URL.',
			},
			{
				displayName: 'Fill In Missing Fields',
				name: 'completeMessages',
				type: 'boolean',
				default: true,
				description:
					'Whether to read from the history what an event leaves out: the conversation, the media and the line. One request serves all events that come together, and an event waits three seconds at most.',
			},
			{
				displayName: 'Look Back at Most (Hours)',
				name: 'recoverHours',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: MOST_RECOVER_HOURS },
				default: RECOVER_HOURS,
				description:
					'How far back the first check looks after n8n was away. Older events do not start the workflow.',
			},
			{
				displayName: 'Max Events per Execution',
				name: 'maxEventsPerExecution',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 50,
				description:
					'How many events may share an execution when they wait for one at the same moment. Without this option, every event has an execution of its own. Add it only for very many events, in a workflow in which every node handles several items.',
			},
			simplifyField,
		],
	},
];

const TRY =
	"<b>While you build the workflow</b>, click 'Execute step' and text one of your lines. With 'Polling', the latest event is shown at once.";

/** What the editor shows in place of the input while the node has no data. */
export const triggerPanel: INodeTypeDescription['triggerPanel'] = {
	header: 'See an event of your lines',
	executionsHelp: {
		inactive: `${TRY}<br /><br /><b>When it works</b>, publish the workflow (in n8n 1: switch it to Active). From then on every event starts it (what came before does not), and the list of executions shows what happened.`,
		active: `${TRY}<br /><br /><b>The workflow is published</b>, so every event starts it as well, and the list of executions shows what happened.`,
	},
	activationHint:
		"When the workflow works, publish it (in n8n 1: switch it to Active). What came before then starts nothing. Each published workflow starts for each text, so publish only one that answers. With 'Polling', texts come every few minutes.",
};
