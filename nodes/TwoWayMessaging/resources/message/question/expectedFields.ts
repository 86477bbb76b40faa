import type { INodeProperties } from 'n8n-workflow';
import { RESPONSE_TYPE_FIELD } from '../../../n8n/humanReview';
import { SHOWN_SINCE } from './outputs';

/** Which texts answer a question. */
export const EXPECTED = ['anything', 'yesOrNo', 'choice'] as const;

const BY_TEXT = { ...SHOWN_SINCE, [RESPONSE_TYPE_FIELD]: ['reply'] };

/** The usual words, with commas between them. */
export const YES_WORDS = 'yes, y, yeah, yep, ok, okay, sure, 👍';
export const NO_WORDS = 'no, n, nope, nah, 👎';

function shownWith(
	expected: string[],
	more: Record<string, string[]> = {},
): INodeProperties['displayOptions'] {
	return { show: { ...BY_TEXT, expected, ...more } };
}

function askAgainTextField(expected: string, text: string): INodeProperties {
	return {
		displayName: 'Ask Again With',
		name: 'askAgainText',
		type: 'string',
		typeOptions: { rows: 2 },
		default: text,
		displayOptions: shownWith([expected], { ifNotUnderstood: ['askAgain'] }),
		placeholder: 'e.g. Sorry, I did not get that. Is 10 o’clock all right?',
		description: 'What the customer is texted when the answer is not understood',
	};
}

/** The fields that say which texts answer the question. */
export const expectedFields: INodeProperties[] = [
	{
		displayName: 'Expected Answer',
		name: 'expected',
		type: 'options',
		default: 'anything',
		displayOptions: { show: BY_TEXT },
		description: 'Which answer the workflow can go on with',
		options: [
			{
				name: 'Anything',
				value: 'anything',
				description: 'Whatever the customer writes is the answer',
			},
			{
				name: 'Yes or No',
				value: 'yesOrNo',
				description: 'A text that begins with a word for yes or for no',
			},
			{
				name: 'One of a List',
				value: 'choice',
				description: 'The name of a choice, its number in the list, or its letter',
			},
		],
	},
	{
		displayName: 'Words for Yes',
		name: 'yesWords',
		type: 'string',
		default: YES_WORDS,
		displayOptions: shownWith(['yesOrNo']),
		placeholder: 'e.g. yes, ok, gladly',
		description:
			'The words that set approved to true, with commas between them. A text that begins with one of them is a yes, in upper or lower case.',
	},
	{
		displayName: 'Words for No',
		name: 'noWords',
		type: 'string',
		default: NO_WORDS,
		displayOptions: shownWith(['yesOrNo']),
		placeholder: 'e.g. no, never',
		description:
			'The words that set approved to false, with commas between them. A text that begins with one of them is a no, in upper or lower case.',
	},
	{
		displayName: 'Choices',
		name: 'choices',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		required: true,
		displayOptions: shownWith(['choice']),
		placeholder: 'e.g. Friday at 10, Monday at 2, Tuesday at 9',
		description:
			'What the customer can choose, one choice on each line or with commas between them. Unless the text names all of them, they are listed below it with their numbers, or without where a choice is a number or a letter itself. Where a choice has a number or a letter that could be a place in the list, such as Monday at 2, they are always listed.',
	},
	{
		displayName: 'If Not Understood',
		name: 'ifNotUnderstood',
		type: 'options',
		default: 'askAgain',
		displayOptions: shownWith(['yesOrNo', 'choice']),
		description: 'What to do with a text that is no such answer',
		options: [
			{
				name: 'Ask Again',
				value: 'askAgain',
				description:
					'Text the customer again, and go on at the output No Answer if that is in vain',
			},
			{
				name: 'Take It',
				value: 'take',
				description: 'Go on with the text as it is. The item then has neither approved nor choice.',
			},
		],
	},
	askAgainTextField('yesOrNo', 'Sorry, we did not understand. Please answer with yes or no.'),
	askAgainTextField(
		'choice',
		'Sorry, we did not understand. Please answer with the number of your choice.',
	),
	{
		displayName: 'Ask Again (Times)',
		name: 'askAgainTimes',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 0 },
		default: 1,
		displayOptions: shownWith(['yesOrNo', 'choice'], { ifNotUnderstood: ['askAgain'] }),
		description:
			'How often the customer is asked again at most. With 0 the customer gets no reply, and the workflow goes on at the output No Answer.',
	},
];
