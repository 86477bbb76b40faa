import { attemptAsCurl } from './curl.js';
import { button, element } from './elements.js';
import { headersPart, pill, textPart } from './logParts.js';
import { copy, notify } from './notices.js';
import { call } from './service.js';
import {
	GIVEN_UP,
	answerSaid,
	deliveryState,
	eventContent,
	eventName,
	exactTimeOf,
	mayAnswer,
	receiverText,
	whyNothing,
} from './words.js';

const WAYS = [
	['same', 'Deliver again'],
	['old-timestamp', 'With an old timestamp'],
	['broken-signature', 'With a broken signature'],
];

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

/** Whether a delivery went to a URL that had been given up before: of an earlier test, or of a workflow that was stopped. */
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

/** What became of an event, where its state alone does not say it. */
const whatBecame = (deliveries) => {
	const said = whyNoneStarts(deliveries) ?? deliveries.map(lastAnswer).map(mayAnswer).find(Boolean);
	if (said) return `n8n has it: ${said}`;
	return byUrgency(deliveries)[0]?.state === 'dropped' ? GIVEN_UP : null;
};

/** Whether nobody listens at the URL: n8n says so of a workflow that was stopped. */
const isStopped = ({ attempts }) => attempts.at(-1)?.status === 404;

const statePill = (event, deliveries) => {
	if (deliveries.length === 0) return pill('No workflow is listening', 'quiet');
	const [{ state, attempts }] = byUrgency(deliveries);
	// Nobody knows yet whether a test still listens, and a text is not lost without it, nor without a workflow that was stopped.
	const takers = deliveries.filter(
		(one) => one.state === 'delivered' || !(isTest(one.url) || isStopped(one)),
	);
	const have = takers.filter((one) => one.state === 'delivered').length;
	if (have > 0 && have < takers.length) {
		return pill(`${have} of ${takers.length} received`, 'warn');
	}
	if (whyNoneStarts(takers)) return pill('Starts no workflow', 'quiet');
	const starting = takers.filter((one) => !isTest(one.url) && !whyNothingOf(one));
	const workflows = new Set(starting.map(({ url }) => url)).size;
	if (event === 'receive' && have > 0 && workflows > 1) {
		return pill(`${workflows} workflows have it`, 'warn');
	}
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
	const listening = deliveries.filter((one) => !isStopped(one));
	const receivers = receiversIn(listening.length > 0 ? listening : deliveries);
	const became = whatBecame(deliveries);
	return [
		element('span', { className: 'arrow out', title: 'An event to a receiver' }, '←'),
		element(
			'span',
			{ className: 'what' },
			element('strong', {}, eventName(event)),
			element('small', {}, eventContent(body)),
			receivers && element('small', {}, receivers),
			became && element('small', { className: 'why' }, became),
		),
		statePill(event, deliveries),
	];
};

const attemptItem = (delivery, attempt, number) =>
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
			pill(
				attempt.status === null ? attempt.reason : `n8n ${withCode(attempt.status)}`,
				attempt.status === null || attempt.status >= 300 ? 'bad' : 'good',
			),
			element('span', {}, `${attempt.duration_ms}\u00a0ms`),
		),
		headersPart('Headers sent', attempt.headers),
		attempt.answer ? textPart('The receiver’s answer', answerSaid(attempt.answer)) : null,
		element(
			'div',
			{ className: 'buttons' },
			button('Copy as curl', () => void copy(attemptAsCurl(delivery, attempt), 'The curl command')),
		),
	);

/** What a person sees who opens an event: who has it, every attempt for each URL, and what it says. */
export const eventDetails = ({ id, body, deliveries, dead, endedTests }) => [
	element('dl', {}, element('dt', {}, 'Event'), element('dd', {}, id)),
	...byUrgency(deliveries).map((delivery, at, [first]) =>
		at > 0 && first.state === 'delivered' && delivery.state !== 'delivered'
			? foldedDelivery(delivery)
			: deliveryDetails(delivery),
	),
	textPart('Event body', body),
	foldedUrls(
		endedTests,
		`${counted(endedTests.length, 'A test', 'tests')} in the editor got nothing: the test had ended`,
	),
	foldedUrls(
		dead,
		`${dead.length} disabled ${dead.length === 1 ? 'URL' : 'URLs'} got nothing: ten attempts had failed`,
	),
];

/** A delivery that nobody has got, of an event that another one has. */
const foldedDelivery = (delivery) => {
	const last = delivery.attempts.at(-1);
	const title = last ? `n8n ${withCode(last.status)}` : deliveryState(delivery.state);
	return element(
		'details',
		{},
		element('summary', {}, `Another endpoint: ${title}`),
		element('div', { className: 'details' }, deliveryDetails(delivery)),
	);
};

const foldedUrls = (urls, title) =>
	urls.length > 0
		? element(
				'details',
				{},
				element('summary', {}, title),
				element(
					'ul',
					{},
					urls.map((url) => element('li', {}, url)),
				),
			)
		: null;

const deliveryDetails = (delivery) => {
	let number = 0;
	return [
		element(
			'dl',
			{},
			element('dt', {}, 'Endpoint'),
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
						notify('One more attempt is made. The log shows how it ends.');
				}),
			),
		),
		element(
			'ol',
			{ className: 'attempts', ariaLabel: 'Attempts' },
			delivery.attempts.map((attempt) => {
				if (attempt.by === null) number++;
				return attemptItem(delivery, attempt, number);
			}),
		),
	];
};
