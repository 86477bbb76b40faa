import { attemptAsCurl } from './curl.js';
import { button, element } from './elements.js';
import { foldedPart, headersPart, pill, textPart } from './logParts.js';
import { copy, notify } from './notices.js';
import { call } from './service.js';
import {
	GIVEN_UP,
	UNPUBLISHED,
	answerSaid,
	deliveryState,
	eventContent,
	eventName,
	exactTimeOf,
	meansAnswer,
	receiverText,
	severalListen,
	timeOf,
	whyNothing,
} from './words.js';

const WAYS = [
	['same', 'Deliver again'],
	['old-timestamp', 'Deliver too late: to be refused'],
	['broken-signature', 'Deliver forged: to be refused'],
];

const BY_HAND = {
	same: 'Delivered again by hand',
	'old-timestamp': 'Delivered again by hand, with an old timestamp',
	'broken-signature': 'Delivered again by hand, with a broken signature',
};

const TONES = { delivered: 'good', failed: 'bad', dropped: 'bad' };

/** What a person wants to know of an event's deliveries first: whether a workflow has it. */
const URGENCY = ['delivered', 'sending', 'waiting', 'failed', 'dropped'];

const byUrgency = (deliveries) =>
	[...deliveries].sort((one, other) => URGENCY.indexOf(one.state) - URGENCY.indexOf(other.state));

const isTest = (url) => url.includes('/webhook-test/');

/**
 * Whether a delivery went to a test in n8n's editor that had ended: the service does not forget a test's URL, and n8n
 * answers there that nobody listens.
 */
const isEndedTest = ({ url, attempts }) => isTest(url) && attempts.at(-1)?.status === 404;

/** Whether a delivery went to a webhook that had been given up before: of an earlier test, or of a workflow that was stopped. */
const isDead = ({ state, attempts }) => state === 'dropped' && attempts.length === 0;

/** The events of these deliveries, in their order, each with its deliveries. */
export const eventsOf = (deliveries) => {
	const events = new Map();
	for (const delivery of deliveries) {
		const { event_id: id, event, created_at: at, body } = delivery;
		if (!events.has(id)) events.set(id, { id, event, created_at: at, body, all: [] });
		events.get(id).all.push(delivery);
	}
	return [...events.values()].map(({ all, ...event }) => ({
		...event,
		deliveries: all.filter((delivery) => !isDead(delivery) && !isEndedTest(delivery)),
		dead: all.filter(isDead).map(({ url }) => url),
		endedTests: all.filter(isEndedTest).map(({ url }) => url),
	}));
};

/** What n8n answered last; that it has had the event before does not change what became of it. */
const lastAnswer = ({ attempts }) =>
	attempts.findLast(({ answer }) => whyNothing(answer) !== 'it has come before')?.answer;

const whyNothingOf = (delivery) => whyNothing(lastAnswer(delivery));

/** Why an event that was delivered starts no workflow at all, where each that has it says so. */
const whyNoneStarts = (deliveries) => {
	const whys = deliveries.filter(({ state }) => state === 'delivered').map(whyNothingOf);
	return whys.every(Boolean) ? whys[0] : undefined;
};

/** Whether nobody listens at the webhook: n8n says so of a workflow that was stopped. */
const isStopped = ({ state, attempts }) => state !== 'delivered' && attempts.at(-1)?.status === 404;

/** How many workflows have the same text, and do not say that they start nothing. */
const countStarting = (event, deliveries) => {
	if (event !== 'receive') return 0;
	const starting = deliveries.filter(
		(one) => one.state === 'delivered' && !isTest(one.url) && !whyNothingOf(one),
	);
	return new Set(starting.map(({ url }) => url)).size;
};

/** What became of an event, where its state alone does not say it; empty where it does. */
const whatBecame = (event, deliveries) => {
	const why = whyNoneStarts(deliveries);
	if (why) return `n8n has it: ${why}`;
	if (byUrgency(deliveries)[0]?.state === 'dropped') return GIVEN_UP;
	if (deliveries.length > 0 && deliveries.every(isStopped)) {
		const [next] = deliveries.flatMap((one) => one.next_attempt_at ?? []).sort();
		return `${UNPUBLISHED}${next ? ` Tries again at ${timeOf(next)}.` : ''}`;
	}
	if (event === 'receive' && deliveries.length === 0) {
		return 'Publish one that starts with the Two-Way Messaging Trigger.';
	}
	const workflows = countStarting(event, deliveries);
	return [
		workflows > 1 ? severalListen(workflows) : '',
		deliveries.map(lastAnswer).map(meansAnswer).find(Boolean) ?? '',
	]
		.join(' ')
		.trim();
};

const statePill = (deliveries) => {
	// Nobody knows yet whether a test still listens, and a text is not lost without it, nor without a workflow that was stopped.
	const takers = deliveries.filter(
		(one) => one.state === 'delivered' || !(isTest(one.url) || isStopped(one)),
	);
	const [first] = byUrgency(takers.length > 0 ? takers : deliveries);
	if (!first || (isStopped(first) && first.state === 'waiting')) {
		return pill('No workflow is listening', 'quiet');
	}
	const have = takers.filter((one) => one.state === 'delivered').length;
	if (have > 0 && have < takers.length) {
		return pill(`${have} of ${takers.length} received`, 'warn');
	}
	if (whyNoneStarts(takers)) return pill('Starts no workflow', 'quiet');
	const { state, attempts } = first;
	const last = attempts.at(-1);
	if (state !== 'waiting' || !last) return pill(deliveryState(state), TONES[state] ?? 'quiet');
	return pill(`n8n ${withCode(last.status)}: tries again`, 'warn');
};

/** What the receiver did, with the status that says so. */
const withCode = (status) => `${receiverText(status)}${status === null ? '' : ` (${status})`}`;

const counted = (count, one, several) => (count === 1 ? one : `${count} ${several}`);

/** Where an event went to, in words: the workflows of each n8n, and the tests in editors. */
const receiversIn = (deliveries) => {
	const urls = [...new Set(deliveries.map(({ url }) => url))];
	const hosts = urls.filter((url) => !isTest(url)).map((url) => new URL(url).host);
	const places = [...new Set(hosts)].map((host) => {
		const { length } = hosts.filter((other) => other === host);
		return counted(length, `a workflow at ${host}`, `workflows at ${host}`);
	});
	const tests = urls.filter(isTest).length;
	if (tests > 0) places.push(counted(tests, 'a test in the editor', 'tests in the editor'));
	return places.length > 0 ? `to ${places.join(' and ')}` : null;
};

/** The line of the log that shows an event: who, what, and where it went. */
export const eventSummary = ({ event, body, deliveries }) => {
	const became = whatBecame(event, deliveries);
	const listening = deliveries.filter((one) => !isStopped(one));
	// That there are several is said already.
	const receivers = countStarting(event, deliveries) > 1 ? null : receiversIn(listening);
	return [
		element('span', { className: 'arrow out', title: 'An event to n8n' }, '←'),
		element(
			'span',
			{ className: 'what' },
			element('strong', {}, eventName(event)),
			element('small', {}, eventContent(body)),
			receivers && element('small', {}, receivers),
			became && element('small', { className: 'why' }, became),
		),
		statePill(deliveries),
	];
};

const isAccepted = ({ status }) => status !== null && status < 300;

/** Whether a person sent what must be refused, and it was. */
const isRefusedOnPurpose = ({ by, status }) => by && by !== 'same' && status === 401;

const attemptItem = (delivery, attempt, number, became) =>
	element(
		'li',
		{},
		element(
			'p',
			{ className: 'row' },
			element('strong', {}, attempt.by ? BY_HAND[attempt.by] : `Attempt ${number}`),
			element('time', { dateTime: attempt.at }, exactTimeOf(attempt.at)),
		),
		element(
			'p',
			{ className: 'row' },
			pill(
				isRefusedOnPurpose(attempt)
					? `n8n refused it, as it should (${attempt.status})`
					: attempt.status === null
						? attempt.reason
						: `n8n ${withCode(attempt.status)}`,
				isRefusedOnPurpose(attempt) || isAccepted(attempt) ? 'good' : 'bad',
			),
			element('span', {}, `${attempt.duration_ms}\u00a0ms`),
		),
		headersPart('Headers sent', attempt.headers, `${delivery.id} ${attempt.at}`),
		attempt.answer && !isSaid(attempt.answer, became)
			? textPart('What n8n answered', answerSaid(attempt.answer))
			: null,
		element(
			'div',
			{ className: 'buttons' },
			button('Copy as curl', () => void copy(attemptAsCurl(delivery, attempt), 'The curl command')),
		),
	);

/** Whether the words for what became of the event say already what n8n has answered. */
const isSaid = (answer, became) => {
	const words = whyNothing(answer) ?? meansAnswer(answer);
	return words !== undefined && became.includes(words);
};

/** What a person sees who opens an event: who has it, every attempt for each webhook, and what it says. */
export const eventDetails = ({ id, event, body, deliveries, dead, endedTests }) => {
	const became = whatBecame(event, deliveries);
	return [
		element('dl', {}, element('dt', {}, 'Event'), element('dd', {}, id)),
		...(deliveries.length > 1
			? deliveries.map((delivery, at) => foldedDelivery(delivery, at + 1, became))
			: deliveries.map((delivery) => deliveryDetails(delivery, became))),
		textPart('Event body', body),
		foldedUrls(
			'tests',
			endedTests,
			`${counted(endedTests.length, 'A test', 'tests')} in the editor got nothing: the test had ended`,
		),
		foldedUrls(
			'disabled',
			dead,
			`${dead.length} disabled ${dead.length === 1 ? 'webhook' : 'webhooks'} got nothing: ten attempts had failed`,
		),
	];
};

/** One delivery of several, each in its place whatever becomes of it. Who has got nothing is folded at first. */
const foldedDelivery = (delivery, number, became) => {
	const last = delivery.attempts.at(-1);
	const words = last ? `n8n ${withCode(last.status)}` : deliveryState(delivery.state);
	return foldedPart(
		delivery.id,
		`Webhook ${number}: ${words}`,
		element('div', { className: 'details' }, deliveryDetails(delivery, became)),
		{ open: delivery.state === 'delivered' },
	);
};

const foldedUrls = (key, urls, title) =>
	urls.length > 0
		? foldedPart(
				key,
				title,
				element(
					'ul',
					{},
					urls.map((url) => element('li', {}, url)),
				),
			)
		: null;

const deliveryDetails = (delivery, became) => {
	let number = 0;
	return [
		element(
			'dl',
			{},
			element('dt', {}, 'Webhook'),
			element('dd', {}, delivery.url),
			delivery.next_attempt_at
				? [
						element('dt', {}, 'Next attempt'),
						element('dd', {}, exactTimeOf(delivery.next_attempt_at)),
					]
				: null,
		),
		element(
			'div',
			{ className: 'buttons', attributes: { role: 'group', 'aria-label': 'Deliver again' } },
			WAYS.map(([as, label]) =>
				button(label, async () => {
					const path = `/sandbox/deliveries/${delivery.id}/redeliver`;
					if (await call('POST', path, { as }))
						notify('Delivering again. Activity shows what comes back.');
				}),
			),
		),
		element(
			'ol',
			{ className: 'attempts', ariaLabel: 'Attempts' },
			delivery.attempts
				.map((attempt) => {
					if (attempt.by === null) number++;
					return attemptItem(delivery, attempt, number, became);
				})
				// The newest is seen first, right below the buttons.
				.reverse(),
		),
	];
};
