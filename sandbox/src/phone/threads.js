import { byId, element, reconcile } from './elements.js';
import { call } from './service.js';
import { messageTime, whenOf } from './words.js';

/** A person who types looks for what stands in the field when they have paused for so long. */
const PAUSE_MS = 200;
const MOST_FOUND = 500;

/** What comes before the words of the last message: whether it got to the customer, else who wrote it. */
const prefixOf = (last, isRefused) => {
	if (isRefused) return 'Refused: ';
	if (last?.status === 'ERROR') return 'Not sent: ';
	return last?.is_outbound ? 'Line: ' : '';
};

/** What the list shows of a conversation: the number, the last message or the one that was looked for, its time and its state. */
const summaryOf = (conversation, { lines, openHandle, unread, now }) => {
	const { found_message: found, last_message: newest, last_refusal: refused } = conversation;
	const message = found ?? newest;
	const isRefused = !found && refused !== null && !(message?.created_at > refused.at);
	const last = isRefused ? refused : message;
	const at = isRefused ? refused.at : last && messageTime(last);
	const line = lines.find(({ line_handle }) => line_handle === conversation.line_handle);
	return {
		handle: conversation.conversation_handle,
		found: found?.message_handle,
		number: conversation.contact.number,
		line: line?.label ?? '',
		words: last ? last.content || 'Attachment' : '',
		prefix: prefixOf(last, isRefused),
		hasFailed: isRefused || last?.status === 'ERROR',
		service: message?.service ?? '',
		at,
		when: at ? whenOf(at, now) : '',
		isOptedOut: conversation.contact.opted_out,
		isOpen: conversation.conversation_handle === openHandle,
		isUnread: unread.has(conversation.conversation_handle),
	};
};

const draw = (thread, open) => {
	const button = element(
		'button',
		{ type: 'button', tabIndex: -1, onclick: () => open(thread.handle, thread.found) },
		element(
			'span',
			{ className: 'row' },
			element(
				'strong',
				{},
				thread.isUnread
					? element(
							'span',
							{ className: 'mark' },
							element('span', { className: 'unseen' }, 'Unread: '),
						)
					: null,
				thread.number,
			),
			thread.at ? element('time', { dateTime: thread.at }, thread.when) : null,
		),
		element(
			'span',
			{ className: 'words' },
			thread.hasFailed ? element('span', { className: 'bad' }, thread.prefix) : thread.prefix,
			thread.words,
		),
		element(
			'span',
			{ className: 'row' },
			element('small', {}, thread.line),
			thread.isOptedOut
				? element('small', { className: 'badge bad' }, 'Opted out')
				: thread.service
					? element('small', { className: `channel ${thread.service}` }, thread.service)
					: null,
		),
	);
	button.classList.toggle('unread', thread.isUnread);
	if (thread.isOpen) button.setAttribute('aria-current', 'true');
	return element('li', {}, button);
};

/** Creates the list of conversations on the left, in which arrow keys move from one to the next. */
export const createThreads = (open) => {
	const list = byId('thread-list');
	const find = byId('find');
	let latest = { conversations: [], lines: [], openHandle: null, unread: new Set(), total: 0 };

	/** The conversations with the words that are looked for, among all that there are; null while nothing is looked for. */
	let found = null;

	const buttons = () => [...list.querySelectorAll('button')];
	const setTabStop = () => {
		const all = buttons();
		const focused = all.includes(document.activeElement) ? document.activeElement : null;
		const entry = focused ?? list.querySelector('[aria-current]') ?? all[0];
		for (const button of all) button.tabIndex = button === entry ? 0 : -1;
	};

	const show = () => {
		const { conversations, total } = latest;
		const threads = (found ?? conversations).map((conversation) => summaryOf(conversation, latest));
		const focused = document.activeElement?.closest('#thread-list li')?.dataset.handle;
		reconcile(
			list,
			threads,
			({ handle }) => handle,
			(thread) => {
				const item = draw(thread, open);
				item.dataset.handle = thread.handle;
				return item;
			},
		);
		if (focused && !list.contains(document.activeElement)) {
			list.querySelector(`[data-handle="${CSS.escape(focused)}"] button`)?.focus();
		}
		setTabStop();
		const empty = byId('threads-empty');
		empty.hidden = threads.length > 0;
		empty.textContent = conversations.length
			? 'No conversation has this number or text.'
			: 'No conversations yet. Text a line, or let your workflow send.';
		find.closest('label').hidden = conversations.length < 2 && find.value === '';
		byId('more-threads').hidden = found !== null || total <= conversations.length;
	};

	/** Looks for the words in the field. The list stays as it is until they are found. */
	const search = async () => {
		const words = find.value.trim();
		const query = new URLSearchParams({ find: words, limit: MOST_FOUND });
		const state = words === '' ? null : await call('GET', `/sandbox/state?${query}`);
		if (find.value.trim() !== words) return;
		found = state?.conversations ?? null;
		show();
	};

	let pause;
	find.addEventListener('input', () => {
		clearTimeout(pause);
		pause = setTimeout(() => void search(), find.value.trim() === '' ? 0 : PAUSE_MS);
	});
	list.addEventListener('keydown', (event) => {
		const all = buttons();
		const at = all.indexOf(document.activeElement);
		const to = {
			ArrowDown: at + 1,
			ArrowUp: at - 1,
			Home: 0,
			End: all.length - 1,
		}[event.key];
		if (to === undefined || !all[to]) return;
		event.preventDefault();
		all[to].focus();
		setTabStop();
	});

	return {
		/** Shows the sandbox's conversations, and marks the open one and those that are unread. */
		show(state, openHandle, unread) {
			latest = {
				conversations: state.conversations,
				lines: state.lines,
				openHandle,
				unread,
				total: state.counts.conversations,
				now: state.now,
			};
			show();
			if (found) void search();
		},
	};
};
