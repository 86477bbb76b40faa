import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { cronNodeOptions } from 'n8n-workflow';
import type { EventKind } from '../contract';
import { MOST_COMBINE_SECONDS, RECOVER_HOURS } from './settings';
import { TOLERANCE_SECONDS } from './verifySignature';

const EVENTS = [
	{
		name: 'Line Blocked',
		value: 'line_blocked',
		description: 'One of your lines can no longer send',
	},
	{
		name: 'Line Unblocked',
		value: 'line_unblocked',
		description: 'A line that was blocked can send again',
	},
	{
		name: 'Message Received',
		value: 'receive',
		description: 'A customer texted one of your lines',
	},
	{
		name: 'Message Sent or Failed',
		value: 'outbound',
		description: 'A message of yours was handed to the carrier, or could not be sent',
	},
] satisfies Array<INodePropertyOptions & { value: EventKind }>;

/** Under the node's name on the canvas: the events it listens to, by their names. */
export const eventNames = `={{ $parameter["events"].map((event) => (${JSON.stringify(
	Object.fromEntries(EVENTS.map(({ name, value }) => [value, name])),
)})[event]).join(", ") }}`;

/**
 * When n8n calls poll(). It reads this field by its name, in whichever way events are received: hiding it makes an
 * activation impossible, so that each way shows it with words of its own.
 */
const schedule = {
	name: 'pollTimes',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Time' },
	default: { item: [{ mode: 'everyX', value: 5, unit: 'minutes' }] },
	placeholder: 'Add Time',
	options: cronNodeOptions,
} satisfies Partial<INodeProperties>;

/** The trigger's fields, in the order a person thinks. */
export const properties: INodeProperties[] = [
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		required: true,
		default: ['receive'],
		description: 'What starts the workflow',
		options: EVENTS,
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
				name: 'Polling',
				value: 'polling',
				description: 'At set times n8n asks the service for what is new. Needs no public address.',
			},
			{
				name: 'Webhook',
				value: 'webhook',
				description:
					'The service calls n8n at once. Needs an address that is reachable from the internet.',
			},
		],
	},
	{
		displayName:
			'To see an event here, select “Execute step”, then text one of your lines from a phone. n8n waits for two minutes.',
		name: 'webhookNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { receiveBy: ['webhook'] } },
	},
	{
		displayName:
			'To see an event here, select “Execute step”. The latest one of your lines is shown at once.',
		name: 'pollingNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { receiveBy: ['polling'] } },
	},
	{
		...schedule,
		displayName: 'Check for Missed Events',
		displayOptions: { show: { receiveBy: ['webhook'] } },
		description:
			'When n8n asks the service for events that no webhook brought, for example while n8n was down. Delete every time to go without.',
	},
	{
		...schedule,
		displayName: 'Check for Events',
		displayOptions: { show: { receiveBy: ['polling'] } },
		description: 'When n8n asks the service for events. At least one time is needed.',
	},
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		description: 'Only events that match every filter start the workflow',
		options: [
			{
				displayName: 'From',
				name: 'from',
				type: 'string',
				default: '',
				placeholder: 'e.g. +15551230001, +15551230002',
				description: 'Only messages received from these numbers, separated by commas',
			},
			{
				displayName: 'Ignore Opt-Out Words',
				name: 'ignoreOptOutWords',
				type: 'boolean',
				default: false,
				description:
					'Whether to leave out received messages that say only STOP or a similar word. The service opts the contact out by itself.',
			},
			{
				displayName: 'Line Names or IDs',
				name: 'lines',
				type: 'multiOptions',
				typeOptions: { loadOptionsMethod: 'lineOptions' },
				default: [],
				description:
					'Only events of these lines. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
			},
			{
				displayName: 'Text Contains',
				name: 'contains',
				type: 'string',
				default: '',
				placeholder: 'e.g. price',
				description: 'Only messages received with this in their text, in upper or lower case',
			},
		],
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Combine Texts (Seconds)',
				name: 'combineSeconds',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: MOST_COMBINE_SECONDS },
				default: 0,
				description:
					'How long to wait for more texts of the same conversation, so that several short ones become one item and get one answer. Each text starts the waiting anew, for two minutes at most. 0 hands on every text by itself, at once.',
			},
			{
				displayName: 'Recover Up to (Hours)',
				name: 'recoverHours',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 168 },
				default: RECOVER_HOURS,
				description:
					'How far back a check looks for events that were missed. Older ones do not start the workflow.',
			},
			{
				displayName: 'Simplify',
				name: 'simplify',
				type: 'boolean',
				default: true,
				description:
					'Whether to return a simplified version of the response instead of the raw data',
			},
			{
				displayName: 'Clock Tolerance (Seconds)',
				name: 'toleranceSeconds',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 3600 },
				default: TOLERANCE_SECONDS,
				description:
					"How far the time in a webhook's signature may be from n8n's clock. Anything else is refused, so that nobody can send an old event again. Leave it, unless the clocks differ.",
			},
		],
	},
];
