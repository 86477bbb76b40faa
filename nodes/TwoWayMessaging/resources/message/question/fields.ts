import type { INodeProperties } from 'n8n-workflow';
import { anyLineField } from '../../lineChoice';
import { unconfirmedOption } from '../unconfirmed';
import { timeLimitFields } from './timeLimit';

const BY_PAGE = { show: { responseType: ['approval'] } };

/** What the editor shows of a question. */
export const questionFields: INodeProperties[] = [
	{
		displayName: 'Phone Number',
		name: 'number',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. +15551230001',
		description: 'Who is asked, with a plus and the country code',
	},
	{
		displayName: 'Text',
		name: 'content',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		required: true,
		placeholder: 'e.g. Can we come tomorrow at 10?',
		description:
			'The question. For an answer by buttons, the link to their page is added below it.',
		// Where n8n makes the human review of an AI agent's tools out of the node, it asks with a text of its own.
		// The slash keeps n8n from looking for the field in the node itself.
		displayOptions: { hide: { '/message': [{ _cnd: { exists: true } }] } },
	},
	anyLineField,
	{
		displayName: 'Answer By',
		// These names and the first value are n8n's own, which it looks for where it makes a human review.
		name: 'responseType',
		type: 'options',
		default: 'approval',
		description: 'How the customer answers',
		options: [
			{
				name: 'Buttons on a Web Page',
				value: 'approval',
				description: 'The text carries a link to a page that asks before it counts',
			},
			{
				name: 'Text Message',
				value: 'reply',
				description: 'The next text of the customer in the conversation is the answer',
			},
		],
	},
	{
		displayName:
			'Keep a workflow with a <b>Two-Way Messaging Trigger</b> for <b>Message Received</b> published, with the same credential: it hears the answer and hands it on. The answer then does not start that workflow. STOP and similar words are no answer. Of several open questions, the newest gets it.',
		name: 'replyNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { responseType: ['reply'] } },
	},
	{
		displayName: 'Buttons',
		name: 'approvalType',
		type: 'options',
		default: 'double',
		displayOptions: BY_PAGE,
		description: 'What the customer can choose on the page',
		options: [
			{ name: 'Approve and Decline', value: 'double', description: 'For a yes or a no' },
			{ name: 'Only Approve', value: 'single', description: 'For a confirmation' },
		],
	},
	{
		displayName: 'Approve Button Label',
		name: 'approveLabel',
		type: 'string',
		default: 'Approve',
		displayOptions: BY_PAGE,
		placeholder: 'e.g. Yes, come by',
		description: 'What the button says that sets approved to true',
	},
	{
		displayName: 'Decline Button Label',
		name: 'declineLabel',
		type: 'string',
		default: 'Decline',
		displayOptions: { show: { ...BY_PAGE.show, approvalType: ['double'] } },
		placeholder: 'e.g. No, another day',
		description: 'What the button says that sets approved to false',
	},
	...timeLimitFields,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [unconfirmedOption],
	},
];
