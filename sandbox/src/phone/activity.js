import { callDetails, callSummary } from './callEntry.js';
import { eventDetails, eventsOf, eventSummary } from './deliveryEntry.js';
import { byId, element, reconcile } from './elements.js';
import { call } from './service.js';
import { exactTimeOf } from './words.js';

const PAGE_ENTRIES = 50;
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

/** Draws an entry of the log. Its details are made when someone opens it, and stay up to date while it is open. */
const drawEntry = ({ kind, entry, at }, known) => {
	const isCall = kind === 'call';
	const item =
		known ??
		element(
			'li',
			{},
			element('details', {}, element('summary', {}), element('div', { className: 'details' })),
		);
	const details = item.firstElementChild;
	const [summary, body] = details.children;
	summary.replaceChildren(
		...(isCall ? callSummary(entry) : eventSummary(entry)),
		element(
			'small',
			{ className: 'when' },
			[
				exactTimeOf(at),
				isCall && entry.duration_ms !== null ? ` · ${entry.duration_ms} ms` : '',
			].join(''),
		),
	);
	const show = () => {
		if (details.open) replaceContent(body, isCall ? callDetails(entry) : eventDetails(entry));
	};
	details.ontoggle = () => (details.open ? show() : body.replaceChildren());
	show();
	return item;
};

/** Creates the live log on the right: calls to the service and deliveries of events, newest first. */
export const createActivity = () => {
	let calls = [];
	let deliveries = [];
	let wanted = PAGE_ENTRIES;
	let kinds = 'all';
	let hasWebhooks = false;

	const emptyText = () => {
		if (kinds === 'deliveries' && !hasWebhooks) {
			return [
				'No webhook is registered',
				'Activate a workflow that starts with the Two-Way Messaging Trigger. Its webhook URL appears under Controls.',
			];
		}
		if (kinds === 'deliveries')
			return [
				'No event has been delivered yet',
				'Text a line from the phone: the event appears here with every attempt to deliver it.',
			];
		return [
			'The service has not been called yet',
			`Use ${location.origin} as the Base URL of the credential. The sandbox shows the key pair in its terminal.`,
		];
	};

	const show = () => {
		const entries = [
			...(kinds === 'deliveries'
				? []
				: calls.map((entry) => ({ kind: 'call', at: entry.at, entry }))),
			...(kinds === 'calls'
				? []
				: eventsOf(deliveries).map((entry) => ({ kind: 'event', at: entry.created_at, entry }))),
		]
			.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
			.slice(0, wanted);
		reconcile(byId('log'), entries, ({ kind, entry }) => `${kind} ${entry.id}`, drawEntry);
		const empty = byId('log-empty');
		empty.hidden = entries.length > 0;
		const [title, words] = emptyText();
		empty.replaceChildren(element('h3', {}, title), element('p', {}, words));
		byId('more-log').hidden = entries.length < wanted || wanted >= MOST_ENTRIES;
	};

	const refresh = async (which) => {
		const [newCalls, newDeliveries] = await Promise.all([
			which.includes('call') ? call('GET', `/sandbox/calls?limit=${wanted}`) : null,
			which.includes('delivery') ? call('GET', `/sandbox/deliveries?limit=${wanted}`) : null,
		]);
		calls = newCalls?.calls ?? calls;
		deliveries = newDeliveries?.deliveries ?? deliveries;
		show();
	};

	byId('more-log').onclick = () => {
		wanted = Math.min(MOST_ENTRIES, wanted + PAGE_ENTRIES);
		void refresh(['call', 'delivery']);
	};
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
