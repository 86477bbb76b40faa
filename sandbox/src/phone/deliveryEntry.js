import { attemptAsCurl } from './curl.js';
import { button, element } from './elements.js';
import { headersPart, pill, textPart } from './logParts.js';
import { copy, notify } from './notices.js';
import { call } from './service.js';
import { deliveryState, eventName, exactTimeOf } from './words.js';

const WAYS = [
	['same', 'Deliver again'],
	['old-timestamp', 'With an old timestamp'],
	['broken-signature', 'With a broken signature'],
];

const TONES = { delivered: 'good', failed: 'bad', dropped: 'bad' };

/** The line of the log that shows the delivery of an event. */
export const deliverySummary = (delivery) => {
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
		pill(
			isRetrying ? `Retrying after ${last.status ?? 'no answer'}` : deliveryState(delivery.state),
			isRetrying ? 'warn' : (TONES[delivery.state] ?? 'quiet'),
		),
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
				attempt.status === null ? attempt.reason : String(attempt.status),
				attempt.status === null || attempt.status >= 300 ? 'bad' : 'good',
			),
			element('span', {}, `${attempt.duration_ms} ms`),
		),
		headersPart('Headers sent', attempt.headers),
		attempt.answer ? textPart('The receiver’s answer', attempt.answer) : null,
		element(
			'div',
			{ className: 'buttons' },
			button('Copy as curl', () => void copy(attemptAsCurl(delivery, attempt), 'The curl command')),
		),
	);

/** What a person sees who opens a delivery: the event and every attempt. */
export const deliveryDetails = (delivery) => {
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
		textPart('Event body', delivery.body),
		element(
			'div',
			{ className: 'buttons', attributes: { role: 'group', 'aria-label': 'Deliver again' } },
			WAYS.map(([as, label]) =>
				button(label, async () => {
					const path = `/sandbox/deliveries/${delivery.id}/redeliver`;
					if (await call('POST', path, { as }))
						notify('Delivered again. The log shows the new attempt.');
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
