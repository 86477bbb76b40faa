import { createActivity } from './activity.js';
import { createComposer } from './composer.js';
import { createContact } from './contact.js';
import { createControls } from './controls.js';
import { byId, element } from './elements.js';
import { createMessages } from './messages.js';
import { copy } from './notices.js';
import { call } from './service.js';
import { createThreads } from './threads.js';
import { createUnread } from './unread.js';

/** Changes within this time are shown together. */
const TOGETHER_MS = 120;
const THREADS_AT_ONCE = 100;
const EVERYTHING = ['message', 'refusal', 'call', 'delivery'];

let threadCount = THREADS_AT_ONCE;
let state = null;
/** The open conversation; null while a person writes a new text, undefined until something has been chosen. */
let openHandle;

const tabs = [...document.querySelectorAll('[role=tab]')];
const choose = (tab) => {
	for (const one of tabs) {
		const isChosen = one === tab;
		one.setAttribute('aria-selected', String(isChosen));
		one.tabIndex = isChosen ? 0 : -1;
		byId(one.getAttribute('aria-controls')).hidden = !isChosen;
	}
};

/** On a narrow page, one thing is on the screen; Activity and Controls are tabs on a wide one. */
const view = (name) => {
	document.body.dataset.view = name;
	const tab = tabs.find((one) => one.getAttribute('aria-controls') === name);
	if (tab) choose(tab);
	for (const button of document.querySelectorAll('.views button')) {
		button.setAttribute('aria-pressed', String(button.dataset.view === name));
	}
};

const open = async (handle, message) => {
	openHandle = handle;
	view('phone');
	const isLoaded = state?.conversations.some((one) => one.conversation_handle === handle);
	// A conversation that was looked for may be older than those that the list has loaded.
	if (handle === null || isLoaded) show();
	else await refresh([]);
	await messages.open(handle, message);
	// Unless the person has gone on to type elsewhere.
	if (!document.activeElement?.matches('input, textarea')) composer.focus();
};

/** The conversation on the screen, if the person can see it. */
const lookedAt = () => {
	const isSeen = document.visibilityState === 'visible' && byId('phone').offsetParent !== null;
	return isSeen ? openHandle : null;
};

const showUnread = (count) => {
	const mark = byId('unread');
	mark.hidden = count === 0;
	mark.replaceChildren(String(count), element('span', { className: 'unseen' }, ' unread'));
	document.title = count === 0 ? 'Sandbox phone' : `(${count}) Sandbox phone`;
};

const messages = createMessages();
const unread = createUnread();
const threads = createThreads((handle, message) => void open(handle, message));
const contact = createContact({ back: () => view('threads') });
const controls = createControls();
const activity = createActivity();
const composer = createComposer({
	onSent: async (row) => {
		openHandle = row.conversation_handle;
		messages.follow();
		await refresh(['message']);
		composer.focus();
	},
});

const show = () => {
	if (!state) return;
	const handles = unread.update(state, lookedAt());
	showUnread(handles.size);
	threads.show(state, openHandle, handles);
	const thread = state.conversations.find((one) => one.conversation_handle === openHandle);
	const line = state.lines.find((one) => one.line_handle === thread?.line_handle);
	contact.show(thread?.contact ?? null, line ?? null);
	composer.show(
		thread && line ? { number: thread.contact.number, line: line.number } : null,
		state.lines,
		new Set(state.conversations.map((one) => one.contact.number)),
	);
	const consent = byId('consent');
	consent.hidden = !thread?.contact.opted_out;
	consent.textContent = 'Opted out: sends to this number are refused. Reply START to opt in again.';
	const empty = byId('phone-empty');
	empty.hidden = Boolean(thread);
	if (!thread && !empty.firstChild) empty.append(...welcome());
};

const welcome = () => {
	const text =
		'Write a text below from any number. It arrives on a line and starts the workflow that listens there. The answer appears here.';
	return [
		element('img', { src: '/phone/icon.svg', alt: '', width: 52, height: 52 }),
		element('h3', {}, 'You hold a customer’s phone'),
		element('p', {}, text),
	];
};

const refresh = async (types) => {
	const asked = openHandle;
	const [latest] = await Promise.all([
		call('GET', `/sandbox/state?limit=${threadCount}&conversation_handle=${asked ?? ''}`),
		activity.refresh(types),
	]);
	if (!latest) return;
	state = latest;
	activity.setState(state);
	byId('workflows').hidden = state.workflows_url === null;
	byId('workflows').href = state.workflows_url ?? '';
	const isKnown = state.conversations.some((one) => one.conversation_handle === openHandle);
	if (openHandle === undefined && composer.isWriting()) openHandle = null;
	// Another one that was opened meanwhile is not gone: this state was not asked for it.
	else if (openHandle === asked && openHandle !== null && !isKnown) {
		openHandle = state.conversations[0]?.conversation_handle;
	}
	show();
	await Promise.all([messages.open(openHandle ?? null), controls.show(state)]);
	if (types.includes('message') || types.includes('refusal')) await messages.refresh();
	// The messages were read after the state, and may have one more.
	const newest = messages.newest();
	if (newest && newest.conversation_handle === lookedAt()) unread.saw(newest);
};

/** The kinds of changes that the page does not show yet. */
const changed = new Set();
let isRefreshing = false;
const refreshSoon = async (...types) => {
	for (const type of types) changed.add(type);
	if (isRefreshing) return;
	isRefreshing = true;
	try {
		while (changed.size > 0) {
			await new Promise((resolve) => setTimeout(resolve, TOGETHER_MS));
			const now = [...changed];
			changed.clear();
			await refresh(now);
		}
	} finally {
		isRefreshing = false;
	}
};

const follow = () => {
	const live = byId('live');
	const changes = new EventSource('/sandbox/events');
	changes.addEventListener('hello', () => {
		live.textContent = 'Live';
		live.className = 'badge good';
		void refreshSoon(...EVERYTHING);
	});
	changes.addEventListener('change', (event) => {
		const { type } = JSON.parse(event.data);
		if (type === 'reset') unread.reset();
		if (type === 'reset' || type === 'clock') void refreshSoon(...EVERYTHING);
		else void refreshSoon(type);
	});
	changes.addEventListener('error', () => {
		live.textContent = 'Sandbox does not answer';
		live.className = 'badge bad';
	});
};

for (const [at, tab] of tabs.entries()) {
	tab.onclick = () => choose(tab);
	tab.onkeydown = ({ key }) => {
		if (key !== 'ArrowLeft' && key !== 'ArrowRight') return;
		const next = tabs[(at + 1) % tabs.length];
		choose(next);
		next.focus();
	};
}
choose(tabs[0]);

for (const button of document.querySelectorAll('.views button')) {
	button.onclick = () => {
		view(button.dataset.view);
		show();
	};
}
document.addEventListener('visibilitychange', () => show());
view('phone');
byId('new-text').onclick = () => void open(null);
byId('more-threads').onclick = () => {
	threadCount += THREADS_AT_ONCE;
	void refreshSoon('message');
};
byId('address').textContent = location.origin;
byId('address').onclick = () => void copy(location.origin, 'The base URL');
follow();
