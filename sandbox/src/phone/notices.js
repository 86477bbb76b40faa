import { element } from './elements.js';

/** How long a notice stays. A refusal says what to do, which takes longer to read. */
const SHOWN_MS = { done: 6_000, refusal: 15_000 };

/** Shows a notice, which goes by itself, but not while a person points at it or has the focus there. */
export const notify = (text, kind = 'done') => {
	const area = document.getElementById('notices');
	const close = element('button', { type: 'button', ariaLabel: 'Close', className: 'quiet' }, '✕');
	const notice = element('div', { className: `notice ${kind}` }, element('p', {}, text), close);
	close.onclick = () => notice.remove();
	area.replaceChildren(notice);
	const leave = () => {
		if (notice.matches(':hover, :focus-within')) setTimeout(leave, SHOWN_MS[kind]);
		else notice.remove();
	};
	setTimeout(leave, SHOWN_MS[kind]);
};

/** Removes a notice that does not hold any more. */
export const clearNotice = () => document.getElementById('notices').replaceChildren();

/** Copies a text to the clipboard and says so. */
export const copy = async (text, what) => {
	try {
		await navigator.clipboard.writeText(text);
	} catch {
		// On http from another machine browsers do not allow it; selecting the text and copying it works.
		const field = element('textarea', { value: text, className: 'unseen' });
		document.body.append(field);
		field.select();
		document.execCommand('copy');
		field.remove();
	}
	notify(`${what} copied.`);
};
