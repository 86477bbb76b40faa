import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { EventKind, Service } from '../contract';
import { STOP_WORDS } from '../waiting/consent';

/** Shows a filter only where one of these events is chosen, as it asks about nothing else. */
const onlyFor = (...events: EventKind[]): Pick<INodeProperties, 'displayOptions'> => ({
	displayOptions: { show: { '/events': events } },
});

/** The filters, by the alphabet, as n8n asks. */
export const filtersField: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	description: 'Only events that match every filter start the workflow',
	options: [
		{
			displayName: 'Channels',
			name: 'channel',
			...onlyFor('receive', 'outbound'),
			type: 'multiOptions',
			default: [],
			description: 'Only messages on these channels',
			options: [
				{ name: 'iMessage', value: 'iMessage', description: "Apple's own messages" },
				{ name: 'RCS', value: 'RCS', description: 'The successor of SMS, on newer phones' },
				{ name: 'SMS', value: 'SMS', description: 'Text messages that every phone can receive' },
			] satisfies Array<INodePropertyOptions & { value: Service }>,
		},
		{
			displayName: 'From',
			name: 'from',
			...onlyFor('receive'),
			type: 'string',
			default: '',
			placeholder: 'e.g. +15551230001, +15551230002',
			description: 'Only messages that were received from these numbers, separated by commas',
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
			displayName: 'Not From',
			name: 'notFrom',
			...onlyFor('receive'),
			type: 'string',
			default: '',
			placeholder: 'e.g. +15551230001, +15551230002',
			description:
				'No messages that were received from these numbers, separated by commas. Use it for colleagues, who text the same lines.',
		},
		{
			displayName: 'Outcome',
			name: 'outcome',
			...onlyFor('outbound'),
			type: 'options',
			default: 'failed',
			description: 'How a message of yours has to end for Message Sent or Failed',
			options: [
				{ name: 'Any', value: 'any', description: 'However it ended' },
				{ name: 'Sent', value: 'sent', description: 'It has left the line' },
				{ name: 'Failed', value: 'failed', description: 'It could not be sent' },
			],
		},
		{
			displayName: 'STOP and START Texts',
			name: 'optOutWords',
			...onlyFor('receive'),
			type: 'options',
			// The usual texts go on starting the workflow for whoever adds the filter and changes nothing.
			default: 'include',
			description:
				'What to do with received messages that say only STOP, START or a similar word. The service opts the customer out or in by itself. Without this filter they start nothing.',
			options: [
				{
					name: 'Ignore',
					value: 'ignore',
					description: 'They start nothing: who says STOP is not to be answered',
				},
				{
					name: 'Include',
					value: 'include',
					description: 'They start the workflow like every other text that fits the other filters',
				},
				{
					name: 'Nothing Else',
					value: 'only',
					description: 'Only they start the workflow, for example to keep a list',
				},
			],
		},
		{
			displayName: 'Text Contains',
			name: 'contains',
			...onlyFor('receive'),
			type: 'string',
			default: '',
			placeholder: 'e.g. price',
			description:
				'Only received messages that contain this text, in upper or lower case. Left empty, it leaves out none.',
		},
		{
			displayName: 'Text Is',
			name: 'textIs',
			...onlyFor('receive'),
			type: 'string',
			default: '',
			placeholder: 'e.g. menu, help, ?',
			description:
				'Only received messages that say nothing but one of these words, separated by commas, in upper or lower case. Left empty, it leaves out none.',
		},
		{
			displayName: 'Words for STOP',
			name: 'stopWords',
			...onlyFor('receive'),
			type: 'string',
			default: STOP_WORDS.join(', '),
			placeholder: 'e.g. STOP, ALTO, BASTA',
			description:
				'The words that opt a customer out where your operator has others than the usual ones, separated by commas, in upper or lower case. A text is one of them only if it says nothing else.',
		},
	],
};
