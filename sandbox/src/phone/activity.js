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

/** Replaces the content of a part; the focus and the open details stay. */
const replaceContent = (part, children) => {
	const controls = () => [...part.querySelectorAll('button, summary, pre')];
	const place = controls().indexOf(document.activeElement);
	const open = [...part.querySelectorAll('details')].map((one) => one.open);
	part.replaceChildren(...children.flat(2).filter((child) => child !== null));
	part.querySelectorAll('details').forEach((one, at) => (one.open = open[at] ?? false));
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
	let hasWebhooks = false;
	let rows = 0;

	const emptyText = () => {
		if (kinds === 'deliveries' && !hasWebhooks) {
			return [
				'No webhook is registered',
				'Activate a workflow that starts with the Two-Way Messaging Trigger. Its webhook URL appears under Controls, Advanced.',
			];
		}
		if (kinds === 'deliveries')
			return [
				'No event has been delivered yet',
				'Text a line from the phone: the event appears here with every attempt to deliver it.',
			];
		return [
			'The service has not been called yet',
			`In the playground, n8n has the credential already. Where the sandbox runs alone, its terminal shows the key pair, and the Base URL is ${location.origin}.`,
		];
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
		reconcile(byId('log'), entries, ({ key }) => key, drawEntry);
		const empty = byId('log-empty');
		empty.hidden = entries.length > 0;
		const [title, words] = emptyText();
		empty.replaceChildren(element('h3', {}, title), element('p', {}, words));
		byId('more-log').hidden = all.length < wanted || wanted >= MOST_ENTRIES;
		rows = entries.length;
	};

	const refresh = async (which) => {
		const [newCalls, newDeliveries] = await Promise.all([
			which.includes('call') ? call('GET', `/sandbox/calls?limit=${wanted}`) : null,
			which.includes('delivery') ? call('GET', `/sandbox/deliveries?limit=${wanted}`) : null,
		]);
		calls = newCalls?.calls ?? calls;
		deliveries = newDeliveries?.deliveries ?? deliveries;
		show();
		const isShort = rows < FEW_ROWS && calls.length === wanted && wanted < MOST_CALLS_UNASKED;
		if (isShort) await showOlder();
	};

	const showOlder = async () => {
		wanted = Math.min(MOST_ENTRIES, wanted + PAGE_ENTRIES);
		await refresh(['call', 'delivery']);
	};

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
		/** Takes the registered webhooks, because the empty log says whether there are any. */
		setWebhooks(webhooks) {
			hasWebhooks = webhooks.some(({ status }) => status === 'enabled');
		},
	};
};
