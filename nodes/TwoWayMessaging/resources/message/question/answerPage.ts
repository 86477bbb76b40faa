import { createHash } from 'crypto';
import type { Buttons } from './askedQuestion';
import { USUAL_PAGE_WORDS, type PageWords } from './pageWords';

/** A page, and the headers it has to be sent with. */
export type Page = { html: string; headers: Record<string, string> };

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

const HEADERS = {
	'content-type': 'text/html; charset=utf-8',
	'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_DIGEST}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
	'cache-control': 'no-store',
	'referrer-policy': 'no-referrer',
	'x-content-type-options': 'nosniff',
	'x-robots-tag': 'noindex, nofollow',
};

/** The page that asks. Only its buttons answer, as a preview of the link must not answer. */
export function askingPage(
	question: string,
	{ approve, decline }: Buttons,
	words?: Partial<PageWords>,
): Page {
	const { heading } = { ...USUAL_PAGE_WORDS, ...words };
	const second =
		decline === undefined
			? ''
			: `<button type="submit" name="decision" value="decline">${escapeHtml(decline)}</button>`;
	return makePage(
		heading,
		`<h1>${escapeHtml(heading)}</h1>
<p class="question">${escapeHtml(question)}</p>
<form method="post">
<button type="submit" name="decision" value="approve">${escapeHtml(approve)}</button>
${second}
</form>`,
		languageOf(words),
	);
}

/** The page after an answer, and for whoever opens it or presses a button once more. */
export function thanksPage(answer: string, question?: string, words?: Partial<PageWords>): Page {
	const { thanks } = { ...USUAL_PAGE_WORDS, ...words };
	return sayingPage(
		thanks.replaceAll('{answer}', () => answer),
		question,
		words,
	);
}

/** The page of a question that the execution no longer waits for, or that was answered. */
export function overPage(question?: string, words?: Partial<PageWords>): Page {
	return sayingPage({ ...USUAL_PAGE_WORDS, ...words }.over, question, words);
}

/** A page that only says something. The first line of it is the heading. */
function sayingPage(text: string, question?: string, words?: Partial<PageWords>): Page {
	const [heading = '', ...lines] = text.split('\n');
	const rest = lines.join('\n').trim();
	return makePage(
		heading,
		`<h1 class="said">${escapeHtml(heading)}</h1>
${asked(question)}${rest === '' ? '' : `<p class="quiet">${escapeHtml(rest)}</p>`}`,
		languageOf(words),
	);
}

/** The language that a screen reader is told: none where the words are a person's own. */
function languageOf(words: Partial<PageWords> | undefined): string {
	return words ? '' : ' lang="en"';
}

/** The page of a question that the customer answers by a text. */
export function nothingToDoPage(question?: string): Page {
	return makePage(
		'Please answer by text',
		`<h1 class="said">Please answer by text</h1>
${asked(question)}<p class="quiet">Reply to the message that asked you. You can close this page.</p>`,
	);
}

/** The question's own text, so that people know which of their messages the page belongs to. */
function asked(question: string | undefined): string {
	return question ? `<p class="question was">${escapeHtml(question)}</p>\n` : '';
}

function makePage(title: string, content: string, language = ' lang="en"'): Page {
	return {
		headers: HEADERS,
		html: `<!doctype html>
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
`,
	};
}

const ENTITIES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
