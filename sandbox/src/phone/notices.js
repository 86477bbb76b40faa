import { element } from './elements.js';

const SHOWN_MS = 6_000;

/** Tells the person something; a refusal stays until it is closed or the next comes. */
export const notify = (text, kind = 'done') => {
	const area = document.getElementById('notices');
	const close = element('button', { type: 'button', ariaLabel: 'Close', className: 'quiet' }, '✕');
	const notice = element('div', { className: `notice ${kind}` }, element('p', {}, text), close);
	close.onclick = () => notice.remove();
	area.replaceChildren(notice);
	if (kind === 'done') setTimeout(() => notice.remove(), SHOWN_MS);
};

/** Puts a text on the clipboard and says so. */
export const copy = async (text, what) => {
	try {
		await navigator.clipboard.writeText(text);
	} catch {
		// Away from this machine browsers keep the clipboard from plain http: select and copy instead.
		const field = element('textarea', { value: text, className: 'unseen' });
		document.body.append(field);
		field.select();
		document.execCommand('copy');
		field.remove();
	}
	notify(`${what} copied.`);
};
