import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { canContinueAtSecondOutput } from '../../../n8n/outputAfterWait';
import { amountValue } from '../../../parameterValues';
import { readChoice } from '../../choiceField';
import type { Run } from '../../run';
import { isBlank, readMessageText, writeText } from '../../textField';
import { EXPECTED, NO_WORDS, YES_WORDS } from './expectedFields';
import {
	areNumbered,
	canBeSaid,
	isSameAnswer,
	namePlaces,
	understandChoice,
	understandYesOrNo,
	type YesAndNo,
} from './understandAnswer';

/** What a text has to say to be an answer, and what happens when it does not. */
export type ExpectedAnswer = (
	({ kind: 'yesOrNo' } & YesAndNo) | { kind: 'choice'; choices: string[] }
) & {
	/** Absent when a text that is not understood is taken as it is. */
	askAgain?: { text: string; times: number };
};

/** An alphabet of letters, each of which stands for an entry of the list. */
const MOST_CHOICES = 26;

/**
 * Reads which answer a question expects.
 *
 * @returns undefined when every text is an answer
 * @throws NodeOperationError with the item's number when no customer could answer so
 */
export function readExpected(run: Run, itemIndex: number): ExpectedAnswer | undefined {
	const { caller } = run;
	const chosen = caller.getNodeParameter('expected', itemIndex, 'anything');
	const kind = readChoice(run, chosen, {
		label: 'Expected Answer',
		choices: EXPECTED,
		fallback: 'anything',
		itemIndex,
	});
	if (kind === 'anything') return undefined;
	const askAgain = readAskAgain(run, itemIndex);
	if (kind === 'choice') {
		return { kind, choices: readChoices(run, itemIndex), ...(askAgain && { askAgain }) };
	}
	const yesWords = readWords(run, itemIndex, {
		name: 'yesWords',
		label: 'Words for Yes',
		fallback: YES_WORDS,
	});
	const noWords = readWords(run, itemIndex, {
		name: 'noWords',
		label: 'Words for No',
		fallback: NO_WORDS,
	});
	if (yesWords.length === 0 || noWords.length === 0) {
		const message = yesWords.length > 0 ? 'Words for No is empty' : 'Words for Yes is empty';
		throw refusal(run, itemIndex, message, {
			advice: 'Fill in at least one word, with commas between several.',
		});
	}
	const both = yesWords.find((word) => noWords.some((other) => isSameAnswer(word, other)));
	if (both !== undefined) {
		throw refusal(run, itemIndex, `“${both}” means both yes and no`, {
			advice: 'Remove it from Words for Yes or from Words for No.',
		});
	}
	return { kind, yesWords, noWords, ...(askAgain && { askAgain }) };
}

/**
 * The text with the choices below it, as the customer has to know their numbers. Left out where the text names all of them,
 * and no name could be taken for a number.
 */
export function withChoices(text: string, expected: ExpectedAnswer | undefined): string {
	if (expected?.kind !== 'choice') return text;
	const said = text.toLowerCase();
	const { choices } = expected;
	const isNamed = choices.every((choice) => said.includes(choice.toLowerCase()));
	if (isNamed && !namePlaces(choices)) return text;
	const sign = (index: number) => (areNumbered(choices) ? `${index + 1}.` : '-');
	return `${text}\n\n${choices.map((choice, index) => `${sign(index)} ${choice}`).join('\n')}`;
}

/** What a text answers, as fields of the output item; undefined when it is not understood. */
export function answerIn(text: string, expected: ExpectedAnswer): IDataObject | undefined {
	switch (expected.kind) {
		case 'yesOrNo': {
			const approved = understandYesOrNo(text, expected);
			return approved === undefined ? undefined : { approved };
		}
		case 'choice': {
			const chosen = understandChoice(text, expected.choices);
			return chosen && { choice: chosen.choice, choice_index: chosen.index };
		}
	}
}

function readAskAgain(run: Run, itemIndex: number): ExpectedAnswer['askAgain'] {
	const { caller } = run;
	const chosen = caller.getNodeParameter('ifNotUnderstood', itemIndex, 'askAgain');
	const choices = ['askAgain', 'take'] as const;
	const field = { label: 'If Not Understood', choices, fallback: 'askAgain', itemIndex } as const;
	if (readChoice(run, chosen, field) === 'take') return undefined;
	if (!canContinueAtSecondOutput()) {
		throw refusal(run, itemIndex, 'Ask Again needs n8n 2.39 or later', {
			advice:
				"In an older n8n, the workflow could not go on without an answer. Update n8n, or set If Not Understood to 'Take It'.",
		});
	}
	const text = readMessageText(run, itemIndex, 'askAgainText', 'Ask Again With');
	if (isBlank(text)) {
		throw refusal(run, itemIndex, 'Ask Again With is empty', {
			advice: "Fill in what the customer is texted then, or set If Not Understood to 'Take It'.",
		});
	}
	const times = amountValue(caller.getNodeParameter('askAgainTimes', itemIndex, 1), Number.NaN);
	if (!Number.isInteger(times)) {
		throw refusal(run, itemIndex, 'Ask Again (Times) is not a number of times', {
			advice: 'Enter 0 or a whole number above it.',
		});
	}
	return { text, times };
}

function readWords(
	run: Run,
	itemIndex: number,
	field: { name: string; label: string; fallback: string },
): string[] {
	return readList(run, itemIndex, { ...field, separator: /[,;\n]/ }).filter(canBeSaid);
}

function readChoices(run: Run, itemIndex: number): string[] {
	const value: unknown = run.caller.getNodeParameter('choices', itemIndex, '');
	const separator = typeof value === 'string' && value.includes('\n') ? /\n/ : /,/;
	const list = { name: 'choices', label: 'Choices', fallback: '', separator };
	const choices = readList(run, itemIndex, list);
	const same = choices.find((choice, at) =>
		choices.slice(0, at).some((other) => isSameAnswer(choice, other)),
	);
	const wrong = choices.find((choice) => !canBeSaid(choice)) ?? same;
	if (wrong !== undefined) {
		throw refusal(run, itemIndex, `“${wrong.slice(0, 40)}” cannot be chosen by its name`, {
			advice: 'Each of the Choices needs a name of its own, of letters, digits or an emoji.',
		});
	}
	if (choices.length >= 2 && choices.length <= MOST_CHOICES) return choices;
	const count =
		choices.length > MOST_CHOICES
			? `Choices has ${choices.length} entries, and takes at most ${MOST_CHOICES}`
			: `Choices needs at least two entries, and has ${choices.length === 0 ? 'none' : 'one'}`;
	throw refusal(run, itemIndex, count, {
		advice: `Fill in 2 to ${MOST_CHOICES} choices, one on each line or with commas between them.`,
	});
}

/** The entries of a list that is written as a text, or that an expression gives. */
function readList(
	run: Run,
	itemIndex: number,
	{
		name,
		label,
		fallback,
		separator,
	}: { name: string; label: string; fallback: string; separator: RegExp },
): string[] {
	const value: unknown = run.caller.getNodeParameter(name, itemIndex, fallback);
	const write = (entry: unknown) => writeText(run, entry, { label, itemIndex });
	const entries = Array.isArray(value) ? value.map(write) : write(value).split(separator);
	return entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
}

function refusal(
	{ caller }: Run,
	itemIndex: number,
	message: string,
	{ advice }: { advice: string },
): NodeOperationError {
	return new NodeOperationError(caller.getNode(), `${message} [item ${itemIndex}]`, {
		description: `The question was not sent. ${advice}`,
		itemIndex,
	});
}
