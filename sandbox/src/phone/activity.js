import { callDetails, callSummary } from './callEntry.js';
import { eventDetails, eventsOf, eventSummary } from './deliveryEntry.js';
import { byId, element, reconcile } from './elements.js';
import { foldLooks, looksText } from './looks.js';
import { call } from './service.js';
import { exactTimeOf, timeOf } from './words.js';

const PAGE_ENTRIES = 50;
/** So many calls are read, where those before were nothing but looks, until there are so many rows. */
const MOST_CALLS_UNASKED = 200;
const FEW_ROWS = 15;
const MOST_ENTRIES = 1_000;
/** This close to its top (CSS pixels) a person sees the newest entry. */
const NEAR_TOP = 40;

/** Replaces the content of a part; the focus stays, and what a person has opened or closed, by its key. */
const replaceContent = (part, children) => {
	const controls = () => [...part.querySelectorAll('button, summary, pre')];
	const place = controls().indexOf(document.activeElement);
	const folded = () => [...part.querySelectorAll('details')];
	const wasOpen = new Map(folded().map((one) => [one.dataset.key, one.open]));
	part.replaceChildren(...children.flat(2).filter((child) => child !== null));
	for (const one of folded()) one.open = wasOpen.get(one.dataset.key) ?? one.open;
	if (place >= 0) controls()[place]?.focus();
};

/** Draws a part that a person can open. What is in it is made when they do, and stays up to date while it is open. */
const drawFolded = (known, summaryParts, showBody) => {
	const item =
		known ??
		element(
			'li',
			{},
			element('details', {}, element('summary', {}), element('div', { className: 'details' })),
		);
	const details = item.firstElementChild;
	const [summary, body] = details.children;
	summary.replaceChildren(...summaryParts);
	const show = () => details.open && showBody(body);
	details.ontoggle = () => (details.open ? show() : body.replaceChildren());
	show();
	return item;
};

const timeLine = (at, { duration_ms: duration = null } = {}) =>
	element(
		'small',
		{ className: 'when' },
		exactTimeOf(at) + (duration === null ? '' : ` · ${duration} ms`),
	);

/** Draws an entry of the log: a call, an event, or looks that are folded into one line. */
const drawEntry = ({ kind, entry, looks, at }, known) => {
	if (kind === 'looks') return drawLooks(looks, known);
	const isCall = kind === 'call';
	const summary = isCall ? callSummary(entry) : eventSummary(entry);
	return drawFolded(known, [...summary, timeLine(at, entry)], (body) =>
		replaceContent(body, isCall ? callDetails(entry) : eventDetails(entry)),
	);
};

const drawLooks = (looks, known) => {
	const [newest, oldest] = [looks[0], looks.at(-1)].map(({ at }) => timeOf(at));
	const times = newest === oldest ? newest : `${oldest} to ${newest}`;
	const item = drawFolded(
		known,
		[element('span', {}, looksText(looks)), element('small', {}, times)],
		(body) => {
			const list =
				body.firstElementChild ?? body.appendChild(element('ol', { className: 'calls' }));
			const entries = looks.map((entry) => ({ kind: 'call', entry, at: entry.at }));
			reconcile(list, entries, ({ entry }) => entry.id, drawEntry);
		},
	);
	item.className = 'looks';
	return item;
};

/** Creates the live log on the right: calls to the service and deliveries of events, newest first. */
export const createActivity = () => {
	let calls = [];
	let deliveries = [];
	let wanted = PAGE_ENTRIES;
	let kinds = 'all';
	/** Whether a workflow listens, and whether n8n has ever called: a reset does not change that it is connected. */
	let isListening = false;
	let isConnected = false;
	let rows = 0;
	/** The time of the newest entry that a person has seen at the top. */
	let seenAt = '';

	const scroller = byId('activity');
	const newer = byId('newer');

	const emptyTexts = () => [
		'Send a text from the phone: the workflow that listens to its line gets it, and what happens appears here.',
		...(isListening
			? []
			: [
					'No workflow is listening yet. Publish one that starts with the Two-Way Messaging Trigger.',
				]),
		...(isConnected
			? []
			: [
					`n8n has not called yet. In its credential, the Base URL is ${location.origin}, and the terminal of the sandbox shows the key and the secret.`,
				]),
	];

	const showEmpty = () => {
		const empty = byId('log-empty');
		empty.hidden = rows > 0;
		empty.replaceChildren(
			element('h3', {}, 'Nothing has happened yet'),
			...emptyTexts().map((words) => element('p', {}, words)),
		);
	};

	/** What a person looks at, which stays in its place: an opened entry, or below the top the first one in sight. */
	const lookedAt = () => {
		const { top, bottom } = scroller.getBoundingClientRect();
		const inSight = [...byId('log').children].filter((item) => {
			const place = item.getBoundingClientRect();
			return place.bottom > top && place.top < bottom;
		});
		const opened = inSight.find((item) => item.firstElementChild.open);
		return opened ?? (scroller.scrollTop < NEAR_TOP ? null : inSight[0]);
	};

	/** Says how many entries came while a person looks at older ones. */
	const showNewer = (entries) => {
		if (scroller.scrollTop < NEAR_TOP) seenAt = entries[0]?.at ?? '';
		const count = entries.filter(({ kind, at }) => kind !== 'looks' && at > seenAt).length;
		newer.hidden = count === 0;
		newer.textContent = `${count} newer ↑`;
	};

	const show = () => {
		const all = [
			...(kinds === 'deliveries'
				? []
				: calls.map((entry) => ({ kind: 'call', at: entry.at, entry }))),
			...(kinds === 'calls'
				? []
				: eventsOf(deliveries).map((entry) => ({ kind: 'event', at: entry.created_at, entry }))),
		].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
		const entries = foldLooks(all.slice(0, wanted));
		const anchor = lookedAt();
		const top = anchor?.getBoundingClientRect().top;
		reconcile(byId('log'), entries, ({ key }) => key, drawEntry);
		if (anchor?.isConnected) scroller.scrollTop += anchor.getBoundingClientRect().top - top;
		byId('more-log').hidden = all.length < wanted || wanted >= MOST_ENTRIES;
		rows = entries.length;
		showEmpty();
		showNewer(entries);
	};

	const refresh = async (which) => {
		const [newCalls, newDeliveries] = await Promise.all([
			which.includes('call') ? call('GET', `/sandbox/calls?limit=${wanted}`) : null,
			which.includes('delivery') ? call('GET', `/sandbox/deliveries?limit=${wanted}`) : null,
		]);
		calls = newCalls?.calls ?? calls;
		deliveries = newDeliveries?.deliveries ?? deliveries;
		isConnected ||= calls.length > 0;
		show();
		const isShort = rows < FEW_ROWS && calls.length === wanted && wanted < MOST_CALLS_UNASKED;
		if (isShort) await showOlder();
	};

	const showOlder = async () => {
		wanted = Math.min(MOST_ENTRIES, wanted + PAGE_ENTRIES);
		await refresh(['call', 'delivery']);
	};

	newer.onclick = () => {
		scroller.scrollTop = 0;
		scroller.focus();
	};
	scroller.addEventListener('scroll', () => {
		if (scroller.scrollTop < NEAR_TOP && !newer.hidden) show();
	});
	byId('more-log').onclick = () => void showOlder();
	for (const choice of document.querySelectorAll('[data-show]')) {
		choice.onclick = () => {
			kinds = choice.dataset.show;
			for (const other of document.querySelectorAll('[data-show]')) {
				other.setAttribute('aria-pressed', String(other === choice));
			}
			show();
		};
	}

	return {
		/** Reads the newest entries of these kinds (`call`, `delivery`). */
		refresh,
		/** Takes the sandbox's state, because the empty log says what is missing. In the playground n8n is connected. */
		setState({ webhooks, workflows_url: workflowsUrl }) {
			isListening = webhooks.some(({ status }) => status === 'enabled');
			isConnected ||= webhooks.length > 0 || workflowsUrl !== null;
			showEmpty();
		},
	};
};
