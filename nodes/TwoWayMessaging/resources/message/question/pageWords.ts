import type { INode, INodeProperties } from 'n8n-workflow';
import type { Fields } from '../../../message';
import { ANSWER_BY_BUTTONS, RESPONSE_TYPE_FIELD } from '../../../n8n/humanReview';
import { isSinceSecondOutput } from './outputs';

/** What the page says besides the question and its buttons. The first line of each text is its heading. */
export type PageWords = {
	heading: string;
	/** After an answer; `{answer}` stands for the words of the button. */
	thanks: string;
	/** When the question was answered already, or its time is over. */
	over: string;
};

/** The words of a question whose options say nothing else. */
export const USUAL_PAGE_WORDS: PageWords = {
	heading: 'Your answer, please',
	thanks: 'Thank you\nYour answer “{answer}” has arrived. You can close this page.',
	over: 'This question is over\nIt was answered already, or its time is over. You can close this page.',
};

const { heading, thanks, over } = USUAL_PAGE_WORDS;

const USUAL_LINK_WORDS = 'Answer here:';

/** The names of the options, by what they say. */
const OPTION_NAMES: Record<keyof PageWords, string> = {
	heading: 'pageHeading',
	thanks: 'pageThanks',
	over: 'pageOver',
};

const BY_BUTTONS: INodeProperties['displayOptions'] = {
	show: { [`/${RESPONSE_TYPE_FIELD}`]: [ANSWER_BY_BUTTONS] },
};

/** The options that change every word that a customer reads around the question and its buttons. */
export const wordsOptions: INodeProperties[] = [
	{
		displayName: 'Page After the Answer',
		name: OPTION_NAMES.thanks,
		type: 'string',
		typeOptions: { rows: 3 },
		default: thanks,
		displayOptions: BY_BUTTONS,
		placeholder: 'e.g. Thank you. See you soon!',
		description:
			'What the page says when the customer has answered. The first line is its heading, and {answer} stands for the words of the button.',
	},
	{
		displayName: 'Page Heading',
		name: OPTION_NAMES.heading,
		type: 'string',
		default: heading,
		displayOptions: BY_BUTTONS,
		placeholder: 'e.g. Flower shop Anna',
		description: 'What stands above the question on the page, and in the title of the browser',
	},
	{
		displayName: 'Page When It Is Over',
		name: OPTION_NAMES.over,
		type: 'string',
		typeOptions: { rows: 3 },
		default: over,
		displayOptions: BY_BUTTONS,
		placeholder: 'e.g. You have answered already. Text us if anything changes.',
		description:
			'What the page says when the workflow waits at a later step. Once the workflow has ended, n8n shows a page of its own. The first line is the heading.',
	},
	{
		displayName: 'Words Before the Link',
		name: 'linkWords',
		type: 'string',
		default: USUAL_LINK_WORDS,
		displayOptions: BY_BUTTONS,
		placeholder: 'e.g. Tap to answer:',
		description: 'What stands between the question and the link in the text. May be empty.',
	},
];

/**
 * What stands before the link in the text. A node of version 1 says nothing there unless its option does, as its customers
 * are used to it.
 */
export function readLinkWords(node: INode, { linkWords }: Fields): string {
	const usual = isSinceSecondOutput(node) ? USUAL_LINK_WORDS : '';
	return typeof linkWords === 'string' ? linkWords.trim() : usual;
}

/** The words of the page that the options change; undefined where they change none. */
export function readPageWords(options: Fields): Partial<PageWords> | undefined {
	const parts = Object.keys(OPTION_NAMES) as Array<keyof PageWords>;
	const changed = parts.flatMap((part) => {
		const words = options[OPTION_NAMES[part]];
		const isChanged = typeof words === 'string' && words.trim() !== '';
		return isChanged && words !== USUAL_PAGE_WORDS[part] ? [[part, words.trim()]] : [];
	});
	return changed.length > 0 ? (Object.fromEntries(changed) as Partial<PageWords>) : undefined;
}
