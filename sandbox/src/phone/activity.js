import { button, byId, element, reconcile } from './elements.js';
import { attemptAsCurl, callAsCurl } from './curl.js';
import { copy, notify } from './notices.js';
import { call } from './service.js';
import { callName, deliveryState, eventName, exactTimeOf, faultOf, laidOut } from './words.js';

const PAGE_ENTRIES = 50;
const MOST_ENTRIES = 1_000;

const WAYS = [
	['same', 'Deliver again'],
	['old-timestamp', 'With an old timestamp'],
	['broken-signature', 'With a broken signature'],
];

const headersOf = (title, headers) =>
	element(
		'details',
		{ className: 'headers' },
		element('summary', {}, title),
		element(
			'dl',
			{},
			Object.entries(headers).map(([name, value]) => [
				element('dt', {}, name),
				element('dd', {}, value),
			]),
		),
	);

const textOf = (title, text) =>
	element(
		'figure',
		{},
		element('figcaption', {}, title),
		element('pre', { tabIndex: 0, ariaLabel: title, attributes: { role: 'group' } }, laidOut(text)),
	);

const bodyOf = (title, { body, is_cut }) =>
	body === null ? null : textOf(is_cut ? `${title} (its beginning)` : title, body);

const statusPill = (label, tone) => element('span', { className: `pill ${tone}` }, label);

const toneOf = (status) => {
	if (status === null) return 'bad';
	if (status >= 500) return 'bad';
	return status >= 400 ? 'warn' : 'good';
};

const callDetails = (entry) => [
	entry.fault
		? element(
				'p',
				{ className: 'warn' },
				`A fault you asked for: the call ${faultOf(entry.fault)}.`,
			)
		: null,
	headersOf('Request headers', entry.request.headers),
	bodyOf('Request', entry.request),
	entry.answer
		? [
				headersOf(`Answer ${entry.answer.status}: headers`, entry.answer.headers),
				bodyOf(`Answer ${entry.answer.status}`, entry.answer),
			]
		: element(
				'p',
				{},
				entry.duration_ms === null ? 'Not answered yet.' : 'It ended without an answer.',
			),
	element(
		'div',
		{ className: 'buttons' },
		button('Copy as curl', () => void copy(callAsCurl(entry), 'The curl command'), {
			disabled: entry.request.is_cut,
		}),
	),
];

const attemptOf = (delivery, attempt, number) =>
	element(
		'li',
		{},
		element(
			'p',
			{ className: 'row' },
			element(
				'strong',
				{},
				attempt.by ? `By hand: ${attempt.by.replace('-', ' ')}` : `Attempt ${number}`,
			),
			element('time', { dateTime: attempt.at }, exactTimeOf(attempt.at)),
		),
		element(
			'p',
			{ className: 'row' },
			statusPill(
				attempt.status === null ? attempt.reason : String(attempt.status),
				attempt.status === null || attempt.status >= 300 ? 'bad' : 'good',
			),
			element('span', {}, `${attempt.duration_ms} ms`),
		),
		headersOf('Headers sent', attempt.headers),
		attempt.answer ? textOf('What the receiver answered', attempt.answer) : null,
		element(
			'div',
			{ className: 'buttons' },
			button('Copy as curl', () => void copy(attemptAsCurl(delivery, attempt), 'The curl command')),
		),
	);

const deliveryDetails = (delivery) => {
	let number = 0;
	return [
		element(
			'dl',
			{},
			element('dt', {}, 'Endpoint'),
			element('dd', {}, delivery.url),
			element('dt', {}, 'Event'),
			element('dd', {}, delivery.event_id),
			delivery.next_attempt_at
				? [
						element('dt', {}, 'Next attempt'),
						element('dd', {}, exactTimeOf(delivery.next_attempt_at)),
					]
				: null,
		),
		textOf('Event body', delivery.body),
		element(
			'div',
			{ className: 'buttons', attributes: { role: 'group', 'aria-label': 'Deliver again' } },
			WAYS.map(([as, label]) =>
				button(label, async () => {
					const path = `/sandbox/deliveries/${delivery.id}/redeliver`;
					if (await call('POST', path, { as })) notify('Delivered once more; see the new attempt.');
				}),
			),
		),
		element(
			'ol',
			{ className: 'attempts', ariaLabel: 'Attempts' },
			delivery.attempts.map((attempt) => {
				if (attempt.by === null) number++;
				return attemptOf(delivery, attempt, number);
			}),
		),
	];
};

const callSummary = (entry) => [
	element('span', { className: 'arrow in', title: 'A call to the service' }, '→'),
	element(
		'span',
		{ className: 'what' },
		element('strong', {}, callName(entry.path.split('?')[0])),
		element('small', {}, `${entry.method} ${entry.path}`),
	),
	entry.duration_ms === null
		? statusPill('waiting', 'quiet')
		: statusPill(
				entry.answer ? String(entry.answer.status) : 'no answer',
				toneOf(entry.answer?.status ?? null),
			),
];

const TONES = { delivered: 'good', failed: 'bad', dropped: 'bad' };

const deliverySummary = (delivery) => {
	const last = delivery.attempts.at(-1);
	const isRetrying = delivery.state === 'waiting' && last;
	return [
		element('span', { className: 'arrow out', title: 'An event to a receiver' }, '←'),
		element(
			'span',
			{ className: 'what' },
			element('strong', {}, eventName(delivery.event)),
			element(
				'small',
				{},
				`${delivery.event} · ${delivery.attempts.length} ${delivery.attempts.length === 1 ? 'attempt' : 'attempts'}`,
			),
		),
		statusPill(
			isRetrying ? `Retries, last ${last.status ?? 'no answer'}` : deliveryState(delivery.state),
			isRetrying ? 'warn' : (TONES[delivery.state] ?? 'quiet'),
		),
	];
};

/** Fills a part anew and gives the focus back to the control that had it. */
const fill = (part, children) => {
	const controls = () => [...part.querySelectorAll('button, summary, pre')];
	const place = controls().indexOf(document.activeElement);
	const open = [...part.querySelectorAll('details')].map((one) => one.open);
	part.replaceChildren(...children.flat(2).filter((child) => child !== null));
	part.querySelectorAll('details').forEach((one, at) => (one.open = open[at] ?? false));
	if (place >= 0) controls()[place]?.focus();
};

/** One line of the log; its details are made when someone opens them, and kept up to date while open. */
const draw = ({ kind, entry, at }, known) => {
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
		...(isCall ? callSummary(entry) : deliverySummary(entry)),
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
		if (details.open) fill(body, isCall ? callDetails(entry) : deliveryDetails(entry));
	};
	details.ontoggle = () => (details.open ? show() : body.replaceChildren());
	show();
	return item;
};

/** The live log on the right: calls to the service and deliveries of events, newest first. */
export const createActivity = () => {
	let calls = [];
	let deliveries = [];
	let wanted = PAGE_ENTRIES;
	let kinds = 'all';
	let hasWebhooks = false;

	const emptyWords = () => {
		if (kinds === 'deliveries' && !hasWebhooks) {
			return [
				'No webhook is registered',
				'Activate a workflow that begins with the Two-Way Messaging Trigger. Its address appears under Controls.',
			];
		}
		if (kinds === 'deliveries')
			return [
				'Nothing delivered yet',
				'Text a line from the phone: the event appears here with each attempt.',
			];
		return [
			'Nothing has called yet',
			`Use ${location.origin} as the base address of the credential; the key pair stands in the terminal of the sandbox.`,
		];
	};

	const show = () => {
		const entries = [
			...(kinds === 'deliveries'
				? []
				: calls.map((entry) => ({ kind: 'call', at: entry.at, entry }))),
			...(kinds === 'calls'
				? []
				: deliveries.map((entry) => ({ kind: 'delivery', at: entry.created_at, entry }))),
		]
			.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
			.slice(0, wanted);
		reconcile(byId('log'), entries, ({ kind, entry }) => `${kind} ${entry.id}`, draw);
		const empty = byId('log-empty');
		empty.hidden = entries.length > 0;
		const [title, words] = emptyWords();
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
		/** Asks for the newest entries of these kinds (`call`, `delivery`). */
		refresh,
		/** Learns whether anything is registered, for what the empty log says. */
		learn(webhooks) {
			hasWebhooks = webhooks.length > 0;
		},
	};
};
