import { element } from './elements.js';

const SHOWN_MS = 6_000;

/** Shows a notice. A refusal stays until the person closes it or there is another notice. */
export const notify = (text, kind = 'done') => {
	const area = document.getElementById('notices');
	const close = element('button', { type: 'button', ariaLabel: 'Close', className: 'quiet' }, '✕');
	const notice = element('div', { className: `notice ${kind}` }, element('p', {}, text), close);
	close.onclick = () => notice.remove();
	area.replaceChildren(notice);
	if (kind === 'done') setTimeout(() => notice.remove(), SHOWN_MS);
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
