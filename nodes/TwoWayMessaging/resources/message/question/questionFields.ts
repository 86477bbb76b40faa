import type { INodeProperties } from 'n8n-workflow';
import { ANSWER_BY_BUTTONS, HIDDEN_IN_REVIEW, RESPONSE_TYPE_FIELD } from '../../../n8n/humanReview';
import { withBuilderHint } from '../../../n8n/laterDescription';
import { optionsField } from '../../collectionFields';
import { anyLineField } from '../../lineField';
import { phoneNumberField } from '../../phoneNumberField';
import { textField } from '../../textField';
import { ifOptedOutOption } from '../ifOptedOutOption';
import { ifUnconfirmedOption } from '../ifUnconfirmedOption';
import { expectedFields } from './expectedFields';
import { SHOWN_BEFORE, SHOWN_SINCE } from './outputs';
import { wordsOptions } from './pageWords';
import { timeLimitFields } from './timeLimit';

/** How the customer answers: by the buttons of a page, or by a text. */
export const RESPONSE_TYPES = [ANSWER_BY_BUTTONS, 'reply'] as const;

/** A question that is not sent goes on at the second output, as one without an answer does. */
const ifOptedOutHereOption: INodeProperties = {
	...ifOptedOutOption,
	displayOptions: { show: SHOWN_SINCE },
	options: [
		{
			name: 'Skip',
			value: 'skip',
			description: 'Ask nothing, and go on at the output No Answer',
		},
		{
			name: 'Stop and Say Why',
			value: 'fail',
			description: 'Treat it like every other refusal',
		},
	],
};

const BY_BUTTONS = { show: { [RESPONSE_TYPE_FIELD]: [ANSWER_BY_BUTTONS] } };

/** The words on the buttons, in nodes of version 1 and in later ones. */
export const USUAL_LABELS = {
	first: { approve: 'Approve', decline: 'Decline' },
	later: { approve: 'Yes', decline: 'No' },
};

/** The labels of the buttons. What stands in a field to begin with is not saved, so a later version has fields of its own. */
function labelFields(
	{ approve, decline }: { approve: string; decline: string },
	shown: typeof SHOWN_SINCE,
): INodeProperties[] {
	return [
		{
			displayName: 'Approve Button Label',
			name: 'approveLabel',
			type: 'string',
			default: approve,
			displayOptions: { show: { ...BY_BUTTONS.show, ...shown } },
			placeholder: 'e.g. Yes, come by',
			description: 'The words on the button that sets approved to true',
		},
		{
			displayName: 'Decline Button Label',
			name: 'declineLabel',
			type: 'string',
			default: decline,
			displayOptions: { show: { ...BY_BUTTONS.show, ...shown, approvalType: ['double'] } },
			placeholder: 'e.g. No, another day',
			description: 'The words on the button that sets approved to false',
		},
	];
}

/** What the editor shows of a question. */
export const questionFields: INodeProperties[] = [
	{ ...phoneNumberField, description: 'Who is asked, with a plus and the country code' },
	{
		...textField,
		required: true,
		placeholder: 'e.g. Can we come tomorrow at 10?',
		description:
			'The question. For an answer by buttons, the link to their page is added below it, with a few words before it that the options can change.',
		displayOptions: HIDDEN_IN_REVIEW,
	},
	anyLineField,
	withBuilderHint(
		{
			displayName: 'Answer By',
			name: RESPONSE_TYPE_FIELD,
			type: 'options',
			default: ANSWER_BY_BUTTONS,
			description: 'How the customer answers',
			options: [
				{
					name: 'Buttons on a Web Page',
					value: ANSWER_BY_BUTTONS,
					description: 'The text contains a link to a page with buttons. Only a button answers.',
				},
				{
					name: 'Text Message',
					value: 'reply',
					description: 'The next text of the customer in the conversation is the answer',
				},
			],
		},
		"'approval' puts out 'approved' (true or false); 'reply' puts out the customer's text as 'content', and needs a published workflow with a Two-Way Messaging Trigger and the same credential.",
	),
	{
		displayName:
			'Publish (in n8n 1: activate) a workflow that begins with a <b>Two-Way Messaging Trigger</b> for <b>Message Received</b> and uses the same credential. The trigger passes the answer to this node, and the answer does not start that workflow: the list of executions shows one without items that says so. Leave <i>Always Output Data</i> of the trigger off. STOP and similar words end the question. If several questions to a customer are open, a text answers the one that was asked last, and the others go on waiting.',
		name: 'replyNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { [RESPONSE_TYPE_FIELD]: ['reply'] } },
	},
	{
		displayName: 'Buttons',
		name: 'approvalType',
		type: 'options',
		default: 'double',
		displayOptions: BY_BUTTONS,
		description: 'What the customer can choose on the page',
		options: [
			{ name: 'Approve and Decline', value: 'double', description: 'For a yes or a no' },
			{ name: 'Only Approve', value: 'single', description: 'For a confirmation' },
		],
	},
	...labelFields(USUAL_LABELS.first, SHOWN_BEFORE),
	...labelFields(USUAL_LABELS.later, SHOWN_SINCE),
	...expectedFields,
	...timeLimitFields,
	optionsField([ifUnconfirmedOption, ifOptedOutHereOption, ...wordsOptions]),
];
