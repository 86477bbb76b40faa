import type { INodeProperties } from 'n8n-workflow';
import { ANSWER_BY_BUTTONS, HIDDEN_IN_REVIEW, RESPONSE_TYPE_FIELD } from '../../n8n/agentTools';
import { choiceField, optionsField } from '../../fields/readField';
import { anyLineField } from '../../fields/lineField';
import { numberCountryOption, phoneNumberField } from '../../fields/phoneNumberField';
import { textField } from '../../fields/textField';
import { ifOptedOutOption, ifUnconfirmedOption } from '../sending/sendFields';
import { expectedFields } from './expected';
import { wordsOptions } from './page';
import { timeLimitFields } from './timeLimit';

const BY_BUTTONS = { show: { [RESPONSE_TYPE_FIELD]: [ANSWER_BY_BUTTONS] } };

export const answerByField = choiceField({
	displayName: 'Answer By',
	name: RESPONSE_TYPE_FIELD,
	type: 'options',
	default: 'reply',
	description: 'How the customer answers',
	options: [
		{
			name: 'Text Message',
			value: 'reply',
			description: 'The next text of the customer in the conversation is the answer',
		},
		{
			name: 'Buttons on a Web Page',
			value: ANSWER_BY_BUTTONS,
			description:
				'The text contains a link to a page with a button for yes and one for no, not for a list. Only a button answers.',
		},
	],
	builderHint: {
		propertyHint:
			"'reply' needs a published workflow with a Two-Way Messaging Trigger and the same credential. The outputs are the answers: with 'approval', and with 'reply' and 'expected' 'yesOrNo': Yes, No, No Answer; with 'choice' one for each choice (up to ten) and No Answer; with 'anything' Answered and No Answer. So no If or Switch node is needed behind it.",
	},
});

export const buttonsField = choiceField({
	displayName: 'Buttons',
	name: 'approvalType',
	type: 'options',
	default: 'double',
	displayOptions: BY_BUTTONS,
	description: 'What the customer can choose on the page',
	options: [
		{ name: 'Yes and No', value: 'double', description: 'Each has an output of its own' },
		{ name: 'Only Yes', value: 'single', description: 'For a confirmation' },
	],
});

export const approveField: INodeProperties = {
	displayName: 'Yes Button Label',
	name: 'approveLabel',
	type: 'string',
	default: 'Yes',
	displayOptions: BY_BUTTONS,
	placeholder: 'e.g. Yes, come by',
	description: 'What the button for yes says',
};

export const declineField: INodeProperties = {
	displayName: 'No Button Label',
	name: 'declineLabel',
	type: 'string',
	default: 'No',
	displayOptions: { show: { ...BY_BUTTONS.show, approvalType: ['double'] } },
	placeholder: 'e.g. No, another day',
	description: 'What the button for no says',
};

const PAGE =
	'https://github.com/two-way-messaging/n8n-nodes-two-way-messaging/blob/main/docs/send-and-wait.md';

const notice = (text: string, chapter: string) => ({
	displayName: `${text} <a href="${PAGE}#${chapter}" target="_blank">More</a>`,
	...{ type: 'notice' as const, default: '' },
});

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
	answerByField,
	{
		...notice('Needs a published workflow with a Two-Way Messaging Trigger.', 'by-text'),
		name: 'replyNotice',
		displayOptions: { show: { [RESPONSE_TYPE_FIELD]: ['reply'] } },
	},
	{
		...notice('The customer opens a page of this n8n, so n8n needs a public URL.', 'by-buttons'),
		name: 'buttonsNotice',
		displayOptions: BY_BUTTONS,
	},
	buttonsField,
	approveField,
	declineField,
	...expectedFields,
	...timeLimitFields,
	optionsField([numberCountryOption, ifOptedOutOption, ifUnconfirmedOption, ...wordsOptions]),
];
