import { button, byId, element } from './elements.js';
import { clearNotice, notify } from './notices.js';
import { call } from './service.js';
import { lineName } from './words.js';

const FIRST_NUMBER = 15551230001;
const QUICK = ['Hello!', 'YES', 'STOP', 'START'];
const PHONE_NUMBER = /^\+[1-9]\d{1,14}$/;
const CHANNELS = ['iMessage', 'SMS', 'RCS'];

/** Finds the next number that has no conversation yet. */
const findFreeNumber = (taken) => {
	let number = FIRST_NUMBER;
	while (taken.has(`+${number}`)) number++;
	return `+${number}`;
};

/** Names a conversation, or with null a new text. */
const keyOf = (thread) => (thread ? `${thread.number} ${thread.line}` : 'new');

/** Creates the form in which a person writes as the customer: text, a picture, a quick reply. */
export const createComposer = ({ onSent }) => {
	const form = byId('composer');
	const text = byId('message-text');
	const file = byId('file');
	const attached = byId('attachment');
	const { from, to } = form.elements;
	/** The number that writes and the line's number; null while a person writes a new text. */
	let thread = null;
	let picked = null;
	/** What a person has written and not sent, for each conversation that is not on the screen. */
	const drafts = new Map();
	let draftKey = keyOf(null);
	let isSending = false;

	const channel = element(
		'select',
		{ title: 'How the customer writes' },
		element('option', { value: '' }, 'Automatic'),
		CHANNELS.map((name) => element('option', { value: name }, name)),
	);
	byId('chips').append(
		...QUICK.map((word) => button(word, () => void send(word), { className: 'chip' })),
		element('label', { className: 'channel-choice' }, 'Channel', channel),
	);

	const attach = (wanted) => {
		picked = wanted ?? null;
		attached.hidden = !picked;
		file.value = '';
		if (!picked) return attached.replaceChildren();
		const preview = picked.type.startsWith('image/')
			? element('img', { src: URL.createObjectURL(picked), alt: '' })
			: null;
		attached.replaceChildren(
			...[preview].filter(Boolean),
			element('span', {}, picked.name || 'Picture'),
			button('Remove', () => {
				attach(null);
				text.focus();
			}),
		);
	};

	const upload = async () => {
		const body = new FormData();
		body.append('file', picked);
		return (await call('POST', '/sandbox/media', body))?.media_url ?? null;
	};

	/** Puts away what was written in the conversation before, so that it is never sent as another customer. */
	const turnTo = (key) => {
		if (key === draftKey) return;
		drafts.set(draftKey, { content: text.value, file: picked });
		const { content, file: attachment } = drafts.get(key) ?? { content: '', file: null };
		draftKey = key;
		text.value = content;
		attach(attachment);
		fitHeight();
	};

	/** Removes what has been sent as `key`. A quick reply does not change what a person is writing. */
	const removeSent = (key, content, row) => {
		if (key === draftKey) {
			// A new text is a conversation now.
			draftKey = keyOf({ number: row.from, line: row.to });
			if (content === text.value) text.value = '';
			fitHeight();
			attach(null);
		} else if (drafts.get(key)?.content === content) drafts.delete(key);
	};

	const send = async (content) => {
		if (isSending) return;
		if (content.trim() === '' && !picked) {
			notify('Write something or attach a picture first.', 'refusal');
			return;
		}
		const number = thread ? thread.number : from.value.replace(/[\s().-]/g, '');
		if (!PHONE_NUMBER.test(number)) {
			notify(
				`Enter the customer’s number with a plus and the country code, for example +${FIRST_NUMBER}.`,
				'refusal',
			);
			from.focus();
			return;
		}
		isSending = true;
		// While a file is uploaded, the person may open another conversation.
		const key = draftKey;
		const hasFile = picked !== null;
		const message = {
			from: number,
			to: thread ? thread.line : to.value || undefined,
			content,
			service: channel.value || undefined,
		};
		try {
			const mediaUrl = hasFile ? await upload() : null;
			if (hasFile && !mediaUrl) return;
			const row = await call('POST', '/sandbox/inbound', { ...message, media_url: mediaUrl });
			if (!row) return;
			clearNotice();
			removeSent(key, content, row);
			onSent(row);
		} finally {
			isSending = false;
		}
	};

	const fitHeight = () => {
		text.style.height = 'auto';
		// What is not on the screen has no height.
		if (text.offsetParent === null) return;
		// The height includes the border, and scrollHeight does not.
		const border = text.offsetHeight - text.clientHeight;
		text.style.height = `${Math.min(text.scrollHeight + border, 140)}px`;
	};

	form.addEventListener('submit', (event) => {
		event.preventDefault();
		void send(text.value);
	});
	text.addEventListener('input', fitHeight);
	text.addEventListener('keydown', (event) => {
		if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
		event.preventDefault();
		void send(text.value);
	});
	text.addEventListener('paste', (event) => {
		const [pasted] = event.clipboardData.files;
		if (!pasted) return;
		event.preventDefault();
		attach(pasted);
	});
	file.addEventListener('change', () => attach(file.files[0]));

	return {
		/** Makes the form write in a conversation, or with null from a new number. */
		show(wanted, lines, taken) {
			const wasNew = thread === null && from.value !== '';
			thread = wanted;
			turnTo(keyOf(wanted));
			// Before the first call the form does not know who writes to which line.
			form.inert = false;
			byId('new-fields').hidden = wanted !== null;
			if (wanted) from.value = '';
			else if (!wasNew) from.value = findFreeNumber(taken);
			const active = lines.filter((line) => line.is_active);
			const looks = JSON.stringify(active.map(({ number, label }) => [number, label]));
			if (to.dataset.looks === looks) return;
			const chosen = to.value;
			to.dataset.looks = looks;
			to.replaceChildren(
				...active.map((line) => element('option', { value: line.number }, lineName(line))),
			);
			if (active.some(({ number }) => number === chosen)) to.value = chosen;
		},
		/** Whether a person has written something that is not sent yet. */
		isWriting() {
			return text.value !== '' || picked !== null;
		},
		/** Puts the focus on the text field. */
		focus() {
			text.focus();
		},
	};
};
