import { characterForm } from './characterForm.js';
import { button, byId, element, redraw } from './elements.js';
import { faultForm } from './faultForm.js';
import { lineCard } from './lineCard.js';
import { notify } from './notices.js';
import { resetForm } from './resetForm.js';
import { call } from './service.js';
import { GIVEN_UP, eventName } from './words.js';

const isTest = ({ url }) => url.includes('/webhook-test/');

/** What a person has to know of a webhook: whether it gets events, and that a test's need not. */
const webhookWords = (webhook) => {
	if (webhook.status === 'disabled') {
		return isTest(webhook) ? 'A test in the editor that has ended.' : GIVEN_UP;
	}
	return isTest(webhook)
		? `A test in the editor. When it has ended, nobody listens there, and after ten attempts (${webhook.failures} so far) the service stops sending.`
		: `${webhook.failures} of 10 attempts failed. After ten the service stops sending.`;
};

const webhookCard = (webhook) =>
	element(
		'article',
		{ className: 'card' },
		element(
			'div',
			{ className: 'row' },
			element('p', { className: 'address' }, webhook.url),
			element(
				'span',
				{ className: `badge ${webhook.status === 'enabled' ? 'good' : 'bad'}` },
				webhook.status === 'enabled' ? 'Enabled' : 'Disabled',
			),
		),
		element(
			'div',
			{ className: 'row' },
			element('small', {}, webhook.events.map(eventName).join(', ')),
			button('Remove', () => void call('DELETE', `/sandbox/webhooks/${webhook.id}`), {
				className: 'quiet',
				ariaLabel: `Remove ${webhook.url}`,
			}),
		),
		element(
			'p',
			{ className: webhook.failures && !isTest(webhook) ? 'warn' : '' },
			webhookWords(webhook),
		),
	);

const JUMPS = [
	[60, '1 minute'],
	[3_600, '1 hour'],
	[43_200, '12 hours'],
];

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

const clockPart = (now) => [
	element(
		'p',
		{},
		'It is ',
		element('time', { dateTime: now }, moment.format(new Date(now))),
		' here. When you let time pass, the service’s retries, limits and look-ups follow, and n8n does not.',
	),
	element(
		'div',
		{ className: 'buttons' },
		JUMPS.map(([seconds, label]) =>
			button(`+ ${label}`, async () => {
				const answer = await call('POST', '/sandbox/clock', { advance_seconds: seconds });
				if (answer) notify(`${label} later: it is ${moment.format(new Date(answer.now))}.`);
			}),
		),
	),
];

/** The webhooks that events go to; those that were given up are folded, as each test in the editor leaves one behind. */
const webhooksPart = (webhooks) => {
	const enabled = webhooks.filter(({ status }) => status === 'enabled');
	const disabled = webhooks.filter((webhook) => !enabled.includes(webhook));
	const title = `${disabled.length} ${disabled.length === 1 ? 'webhook is' : 'webhooks are'} disabled: ten attempts had failed`;
	return [
		...(enabled.length > 0
			? enabled.map(webhookCard)
			: [
					element(
						'p',
						{ className: 'hint' },
						'No workflow is listening. Publish one that starts with the Two-Way Messaging Trigger.',
					),
				]),
		...(disabled.length > 0
			? [element('details', {}, element('summary', {}, title), disabled.map(webhookCard))]
			: []),
	];
};

/** Creates the controls on the right: lines, faults, webhooks, character, time, reset. */
export const createControls = () => {
	byId('reset').replaceChildren(...resetForm());
	return {
		/** Shows the sandbox's state. */
		async show(state) {
			redraw(byId('lines'), state.lines, () => state.lines.map(lineCard));
			redraw(byId('webhooks'), state.webhooks, () => webhooksPart(state.webhooks));
			redraw(byId('character'), state.character, () => characterForm(state.character));
			redraw(byId('clock'), state.now.slice(0, 16), () => clockPart(state.now));
			const { faults, paths, kinds } = (await call('GET', '/sandbox/faults')) ?? {};
			if (faults) redraw(byId('faults'), [faults, paths], () => faultForm(paths, kinds, faults));
		},
	};
};
