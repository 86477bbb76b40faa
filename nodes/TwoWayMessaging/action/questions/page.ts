import { createHash } from 'crypto';
import type { INodeProperties } from 'n8n-workflow';
import type { Fields } from '../../message';
import { ANSWER_BY_BUTTONS, RESPONSE_TYPE_FIELD } from '../../n8n/agentTools';

/** The buttons of the page; without a label to decline there is only one button. */
export type Buttons = { approve: string; decline?: string };

/** What the page says besides the question and its buttons, by the options that change it. The first line is its heading. */
export const USUAL_PAGE_WORDS = {
	pageHeading: 'Your answer, please',
	pageThanks: 'You have answered: {answer}\nThank you. You can close this page.',
	pageOver:
		'This question is over\nIt was answered already, or its time is over. You can close this page.',
};

/** The words that are not the usual ones. */
export type Words = Partial<typeof USUAL_PAGE_WORDS>;

const { pageHeading, pageThanks, pageOver } = USUAL_PAGE_WORDS;

const USUAL_LINK_WORDS = 'Answer here:';

const BY_BUTTONS: INodeProperties['displayOptions'] = {
	show: { [`/${RESPONSE_TYPE_FIELD}`]: [ANSWER_BY_BUTTONS] },
};

/** The options that change every word that a customer reads around the question and its buttons. */
export const wordsOptions: INodeProperties[] = [
	{
		displayName: 'Page After the Answer',
		name: 'pageThanks',
		type: 'string',
		typeOptions: { rows: 3 },
		default: pageThanks,
		displayOptions: BY_BUTTONS,
		placeholder: 'e.g. Thank you. See you soon!',
		description:
			'What the page says when the customer has answered. The first line is its heading, and {answer} stands for the words of the button.',
	},
	{
		displayName: 'Page Heading',
		name: 'pageHeading',
		type: 'string',
		default: pageHeading,
		displayOptions: BY_BUTTONS,
		placeholder: 'e.g. Flower shop Anna',
		description: 'What stands above the question on the page, and in the title of the browser',
	},
	{
		displayName: 'Page When It Is Over',
		name: 'pageOver',
		type: 'string',
		typeOptions: { rows: 3 },
		default: pageOver,
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

/** What stands before the link in the text. */
export function readLinkWords({ linkWords }: Fields): string {
	return typeof linkWords === 'string' ? linkWords.trim() : USUAL_LINK_WORDS;
}

/** The words of the page that the options change; undefined where they change none. */
export function readPageWords(options: Fields): Words | undefined {
	const changed = Object.entries(USUAL_PAGE_WORDS).flatMap(([name, usual]) => {
		const words = options[name];
		const isChanged = typeof words === 'string' && words.trim() !== '' && words !== usual;
		return isChanged ? [[name, words.trim()]] : [];
	});
	return changed.length > 0 ? Object.fromEntries(changed) : undefined;
}

const STYLE = `
:root { color-scheme: light dark; --ground: #f2f2f7; --card: #fff; --text: #1c1c1e; --quiet: #5b5b60; --line: #d1d1d6; --accent: #0b63ce; --on-accent: #fff; }
@media (prefers-color-scheme: dark) { :root { --ground: #000; --card: #1c1c1e; --text: #f5f5f7; --quiet: #a9a9ae; --line: #48484a; --accent: #6cb1ff; --on-accent: #00244d; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; min-height: 100dvh; display: grid; place-items: center; padding: 1rem; background: var(--ground); color: var(--text); font: 1.0625rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { width: 100%; max-width: 28rem; padding: 1.5rem; border-radius: 1.25rem; background: var(--card); box-shadow: 0 1px 2px rgb(0 0 0 / 8%), 0 8px 32px rgb(0 0 0 / 8%); }
h1 { margin: 0 0 .75rem; font-size: 1.0625rem; font-weight: 600; color: var(--quiet); }
h1.said { margin: 0; font-size: 1.375rem; color: var(--text); }
.question { margin: 0; font-size: 1.25rem; line-height: 1.4; white-space: pre-wrap; overflow-wrap: anywhere; }
.question.was { margin-top: .75rem; font-size: 1.0625rem; }
p.quiet { margin: .75rem 0 0; white-space: pre-line; color: var(--quiet); overflow-wrap: anywhere; }
form { display: grid; gap: .75rem; margin-top: 1.5rem; }
button { min-height: 3rem; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .875rem; background: transparent; color: var(--text); font: inherit; font-weight: 600; overflow-wrap: anywhere; cursor: pointer; }
button[value="approve"] { border-color: transparent; background: var(--accent); color: var(--on-accent); }
button:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
`;

/** The browser accepts the style with this digest and no other, whatever else gets into the page. */
const STYLE_DIGEST = createHash('sha256').update(STYLE).digest('base64');

export const PAGE_HEADERS = {
	'content-type': 'text/html; charset=utf-8',
	'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_DIGEST}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
	'cache-control': 'no-store',
	'referrer-policy': 'no-referrer',
	'x-content-type-options': 'nosniff',
	'x-robots-tag': 'noindex, nofollow',
};

/** The page that asks. Only its buttons answer, as a preview of the link must not answer. */
export function askingPage(question: string, { approve, decline }: Buttons, words?: Words): string {
	const { pageHeading: heading } = { ...USUAL_PAGE_WORDS, ...words };
	const button = (value: string, label: string) =>
		`<button type="submit" name="decision" value="${value}">${escapeHtml(label)}</button>\n`;
	const content = `<h1>${escapeHtml(heading)}</h1>
<p class="question">${escapeHtml(question)}</p>
<form method="post">
${button('approve', approve)}${decline === undefined ? '' : button('decline', decline)}</form>`;
	return makePage(heading, content, words);
}

/** The page after an answer, and for whoever opens it or presses a button once more. */
export function thanksPage(answer: string, question: string, words?: Words): string {
	const { pageThanks: thanks } = { ...USUAL_PAGE_WORDS, ...words };
	const said = thanks.replaceAll('{answer}', () => answer);
	return sayingPage(said, question, words);
}

/** The page of a question that the execution no longer waits for, or that was answered. */
export function overPage(words?: Words): string {
	return sayingPage({ ...USUAL_PAGE_WORDS, ...words }.pageOver, '', words);
}

/** A page that only says something below the question, so that people know which of their messages it belongs to. */
function sayingPage(text: string, question: string, words?: Words): string {
	const [heading = '', ...lines] = text.split('\n');
	const paragraph = (kind: string, said: string) =>
		said === '' ? '' : `\n<p class="${kind}">${escapeHtml(said)}</p>`;
	const content = `<h1 class="said">${escapeHtml(heading)}</h1>${paragraph('question was', question)}${paragraph('quiet', lines.join('\n').trim())}`;
	return makePage(heading, content, words);
}

function makePage(title: string, content: string, words?: Words): string {
	// A screen reader is told no language where the words are a person's own.
	const language = words ? '' : ' lang="en"';
	return `<!doctype html>
<html${language}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
