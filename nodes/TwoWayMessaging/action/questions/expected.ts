import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { RESPONSE_TYPE_FIELD } from '../../n8n/agentTools';
import { canContinueAtSecondOutput } from '../../n8n/outputAfterWait';
import { choiceField, readAmount, readChoice, refusal, valueOf } from '../../fields/readField';
import { isBlank, readMessageText, writeText } from '../../fields/textField';
import type { Item } from '../../service/request';
import { consentIn } from '../../waiting/consent';
import { plain } from '../../waiting/parts';
import {
	canBeNumbered,
	unclearChoice,
	understandChoice,
	understandYesOrNo,
	type YesAndNo,
} from '../../waiting/understand';
import type { Language } from '../../waiting/words';

/** One letter of the alphabet for each choice. */
const MOST_CHOICES = 26;

/** What a text has to say to be an answer. */
export type ExpectedAnswer = (
	({ kind: 'yesOrNo' } & YesAndNo) | { kind: 'choice'; choices: string[]; languages: Language[] }
) & {
	/** Absent where a text that is not understood ends the question at once. */
	askAgain?: { text: string; times: number };
};

const shownWith = (expected: string[], more: Record<string, string[]> = {}) => ({
	show: { [RESPONSE_TYPE_FIELD]: ['reply'], expected, ...more },
});

const askAgainTextField = (expected: string, text: string): INodeProperties => ({
	displayName: 'Ask Again With',
	name: 'askAgainText',
	type: 'string',
	typeOptions: { rows: 2 },
	default: text,
	displayOptions: shownWith([expected], { ifNotUnderstood: ['askAgain'] }),
	placeholder: 'e.g. Sorry, I did not get that. Is 10 o’clock all right?',
	description: 'What the customer is texted when the answer is not understood',
});

const ASK_AGAIN_TEXT_FIELDS = [
	askAgainTextField('yesOrNo', 'Sorry, we did not understand. Please answer with yes or no.'),
	askAgainTextField('choice', 'Sorry, we did not understand. Please answer with one of these:'),
] as const;

const wordsField = (answer: 'Yes' | 'No', name: string, placeholder: string): INodeProperties => ({
	displayName: `Words for ${answer}`,
	...{ name, type: 'string', default: '', displayOptions: shownWith(['yesOrNo']), placeholder },
	description: `More words for ${answer.toLowerCase()} than the usual ones of the languages, with commas between them`,
});

const yesWordsField = wordsField('Yes', 'yesWords', 'e.g. gladly, count on it');
const noWordsField = wordsField('No', 'noWords', 'e.g. another day, not for me');

const choicesField: INodeProperties = {
	displayName: 'Choices',
	name: 'choices',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	required: true,
	displayOptions: shownWith(['choice']),
	placeholder: 'e.g. Friday at 10, Monday at 2, Tuesday at 9',
	description:
		'What the customer can choose, one choice on each line or with commas between them. They are listed below the text with numbers or letters, unless the text names all of them.',
};

const expectedField = choiceField({
	displayName: 'Expected Answer',
	name: 'expected',
	type: 'options',
	default: 'anything',
	displayOptions: { show: { [RESPONSE_TYPE_FIELD]: ['reply'] } },
	description: 'Which answer the workflow can go on with. Each answer has an output of its own.',
	options: [
		{
			name: 'Anything',
			value: 'anything',
			description: 'Whatever the customer writes is the answer',
		},
		{
			name: 'Yes or No',
			value: 'yesOrNo',
			description: 'A text that says yes or no, and nothing else',
		},
		{
			name: 'One of a List',
			value: 'choice',
			description: 'The name of a choice, its number in the list, or its letter',
		},
	],
});

const ifNotUnderstoodField = choiceField({
	displayName: 'If Not Understood',
	name: 'ifNotUnderstood',
	type: 'options',
	default: 'askAgain',
	displayOptions: shownWith(['yesOrNo', 'choice']),
	description: 'What to do with a text that is not clearly one of the answers',
	options: [
		{
			name: 'Ask Again',
			value: 'askAgain',
			description: 'Text the customer again, and then go on at the output No Answer',
		},
		{
			name: 'Go On at No Answer',
			value: 'take',
			description: 'Text nothing. The item says what the customer wrote.',
		},
	],
});

const languagesField = choiceField<Language>({
	displayName: 'Languages',
	name: 'languages',
	type: 'multiOptions',
	default: ['en'],
	displayOptions: shownWith(['yesOrNo', 'choice']),
	description: 'The languages in which your customers say yes, no, please and thank you',
	options: [
		{ name: 'Dutch', value: 'nl' },
		{ name: 'English', value: 'en' },
		{ name: 'French', value: 'fr' },
		{ name: 'German', value: 'de' },
		{ name: 'Italian', value: 'it' },
		{ name: 'Portuguese', value: 'pt' },
		{ name: 'Spanish', value: 'es' },
	],
});

const askAgainTimesField: INodeProperties = {
	displayName: 'Ask Again (Times)',
	name: 'askAgainTimes',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 0 },
	default: 1,
	displayOptions: shownWith(['yesOrNo', 'choice'], { ifNotUnderstood: ['askAgain'] }),
	description: 'How often the customer is asked again at most',
};

export const expectedFields: INodeProperties[] = [
	expectedField,
	choicesField,
	languagesField,
	yesWordsField,
	noWordsField,
	ifNotUnderstoodField,
	...ASK_AGAIN_TEXT_FIELDS,
	askAgainTimesField,
];

/** Which answer a question expects; undefined when every text is one. What no customer could answer is refused. */
export function readExpected(item: Item): ExpectedAnswer | undefined {
	const kind = readChoice(item, expectedField);
	if (kind === 'anything') return undefined;
	const askAgain = readAskAgain(item);
	const languages = readList(item, languagesField).map((language) =>
		readChoice(item, languagesField, { languages: language }, 'en'),
	);
	const more = { languages, ...(askAgain && { askAgain }) };
	if (kind === 'choice') return { kind, choices: readChoices(item), ...more };
	const yesWords = readList(item, yesWordsField);
	return { kind, yesWords, noWords: readList(item, noWordsField), ...more };
}

const FIRST_LETTER = 'A'.charCodeAt(0);

/**
 * The text with the choices below it, each with its number, or with its letter where a name has the number of another one. Left out
 * where the text names all of them in their order, and no name has a digit or a single letter that could be taken for a place.
 */
export function withChoices(text: string, expected: ExpectedAnswer | undefined): string {
	if (expected?.kind !== 'choice') return text;
	const { choices } = expected;
	const said = plain(text);
	let from = 0;
	const isNamed = choices.map(plain).every((name) => {
		const at = said.indexOf(name, from);
		from = at + name.length;
		return at !== -1 && !/\d|(^| )[a-z]( |$)/.test(name);
	});
	if (isNamed) return text;
	const signOf = (at: number) =>
		canBeNumbered(choices) ? at + 1 : String.fromCharCode(FIRST_LETTER + at);
	const list = choices.map((choice, at) => `${signOf(at)}. ${choice}`);
	return `${text}\n\n${list.join('\n')}`;
}

/** What the customer is texted where an answer is not understood; empty where that is nothing. */
export function askAgainText(expected: ExpectedAnswer | undefined): string {
	return expected?.askAgain ? withChoices(expected.askAgain.text, expected) : '';
}

/** What a text answers to a question, as fields of the output item; undefined when it is not understood. */
export function answerIn(
	text: string,
	expected: ExpectedAnswer,
	question: string,
): IDataObject | undefined {
	if (expected.kind === 'yesOrNo') {
		const approved = understandYesOrNo(text, { ...expected, question });
		return approved === undefined ? undefined : { approved };
	}
	const chosen = understandChoice(text, expected.choices, expected.languages);
	return chosen && { choice: chosen.choice, choice_index: chosen.index };
}

function readAskAgain(item: Item): ExpectedAnswer['askAgain'] {
	if (readChoice(item, ifNotUnderstoodField) === 'take') return undefined;
	if (!canContinueAtSecondOutput()) {
		throw refusal(item, {
			message: 'Ask Again needs n8n 2.39 or later',
			description:
				"In an older n8n, the workflow could not go on without an answer. Update n8n, or set If Not Understood to 'Go On at No Answer'.",
		});
	}
	const text = readMessageText(item, ASK_AGAIN_TEXT_FIELDS[0]);
	if (isBlank(text)) {
		throw refusal(item, {
			message: 'Ask Again With is empty',
			description:
				"Fill in what the customer is texted then, or set If Not Understood to 'Go On at No Answer'.",
		});
	}
	return { text, times: readAmount(item, askAgainTimesField) };
}

function readChoices(item: Item): string[] {
	const choices = readList(item, choicesField);
	const stop = choices.find((choice) => consentIn(choice) !== undefined);
	if (stop !== undefined) {
		throw refusal(item, {
			message: `“${stop}” cannot be one of the Choices`,
			description:
				'Whoever texts it wants no more messages, or wants them again. Give it another name.',
		});
	}
	const unclear = unclearChoice(choices);
	if (unclear !== undefined) {
		throw refusal(item, {
			message: `“${unclear.slice(0, 40)}” cannot be chosen by its name`,
			description:
				'Each of the Choices needs a name of its own, of letters, digits or an emoji, that is not the number or the letter of another one.',
		});
	}
	if (choices.length >= 2 && choices.length <= MOST_CHOICES) return choices;
	throw refusal(item, {
		message: `Choices takes 2 to ${MOST_CHOICES} entries, and has ${choices.length}`,
		description: 'Write one choice on each line, or put commas between them.',
	});
}

/** The entries of a list that an expression gives, or that is written as a text: on lines, else with commas. */
function readList(item: Item, field: Omit<INodeProperties, 'options'>): string[] {
	const value = valueOf(item, field);
	const write = (entry: unknown) => writeText(item, entry, field.displayName);
	const separate = (text: string) => text.split(text.includes('\n') ? '\n' : ',');
	const entries = Array.isArray(value) ? value.map(write) : separate(write(value));
	return entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
}
