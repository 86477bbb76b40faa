import { blockButton, lineTrouble } from './contact.js';
import { button, byId, element, redraw, toggle } from './elements.js';
import { notify } from './notices.js';
import { call } from './service.js';
import { callName, faultOf } from './words.js';

const meter = (name, { limit, remaining }) =>
	element(
		'div',
		{ className: 'meter' },
		element('span', {}, `${remaining} of ${limit} new conversations left this ${name}`),
		element('progress', {
			max: Math.max(1, limit),
			value: remaining,
			ariaLabel: `New conversations left this ${name}`,
		}),
	);

const numberField = (label, value) => {
	const input = element('input', { type: 'number', min: '0', step: '1', value: String(value) });
	return { input, field: element('label', { className: 'field' }, label, input) };
};

const lineCard = (line) => {
	const path = `/sandbox/lines/${line.line_handle}`;
	const hourly = numberField('An hour', line.limits.hourly.limit);
	const daily = numberField('A day', line.limits.daily.limit);
	const trouble = lineTrouble(line);
	return element(
		'article',
		{ className: 'card' },
		element(
			'div',
			{ className: 'row' },
			element('h3', {}, line.label),
			element('span', { className: `badge ${trouble ? 'bad' : 'good'}` }, trouble ?? 'Active'),
		),
		element('p', {}, line.number),
		line.blocked_at
			? element(
					'p',
					{ className: 'bad' },
					`Blocked: ${line.block_reason}. Sends by this line are refused.`,
				)
			: null,
		line.held_conversations > 0
			? element(
					'p',
					{ className: 'warn' },
					`${line.held_conversations} new ${line.held_conversations === 1 ? 'conversation waits' : 'conversations wait'} for the limit.`,
				)
			: null,
		meter('hour', line.limits.hourly),
		meter('day', line.limits.daily),
		element(
			'form',
			{
				className: 'inline',
				onsubmit: (event) => {
					event.preventDefault();
					const limits = { hourly: hourly.input.valueAsNumber, daily: daily.input.valueAsNumber };
					event.target.querySelector('button').focus();
					void call('PATCH', path, { limits }).then((done) => done && notify('Limits changed.'));
				},
			},
			hourly.field,
			daily.field,
			element('button', { ariaLabel: `Change the limits of ${line.label}` }, 'Change'),
		),
		toggle('Active', line.is_active, (isOn) => void call('PATCH', path, { is_active: isOn })),
		element('div', { className: 'buttons' }, blockButton(line)),
	);
};

const faultForm = (paths, kinds, pending) => {
	const path = element(
		'select',
		{},
		paths.map((one) => element('option', { value: one }, `${callName(one)} (${one})`)),
	);
	const kind = element(
		'select',
		{},
		kinds
			.filter((one) => one !== 'pass')
			.map((one) => element('option', { value: one }, faultOf(one))),
	);
	const times = element('input', { type: 'number', min: '1', step: '1', value: '1' });
	return [
		element(
			'form',
			{
				onsubmit: (event) => {
					event.preventDefault();
					event.target.querySelector('button').focus();
					void call('POST', '/sandbox/faults', {
						path: path.value,
						kind: kind.value,
						times: times.valueAsNumber,
					});
				},
			},
			element('label', { className: 'field' }, 'The next call to', path),
			element('label', { className: 'field' }, 'What happens: it', kind),
			element(
				'div',
				{ className: 'inline' },
				element('label', { className: 'field' }, 'Times', times),
				element('button', { className: 'primary' }, 'Let it fail'),
			),
		),
		pending.length
			? element(
					'ul',
					{ className: 'plain', ariaLabel: 'Faults still to come' },
					pending.map((fault) =>
						element(
							'li',
							{},
							`${callName(fault.path)} ${faultOf(fault.kind)}`,
							element('small', {}, ` ${fault.times}×`),
						),
					),
				)
			: null,
		pending.length ? button('Take them back', () => void call('DELETE', '/sandbox/faults')) : null,
	];
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
		element('small', {}, webhook.events.join(', ')),
		element(
			'p',
			{ className: webhook.failures ? 'warn' : '' },
			webhook.status === 'enabled'
				? `${webhook.failures} of 10 failed attempts; at ten the service stops sending.`
				: 'Ten attempts failed, so nothing is sent any more. Publish the workflow again to register it anew.',
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
		' here. Let time pass: retries, limits and look-ups follow.',
	),
	element(
		'div',
		{ className: 'buttons' },
		JUMPS.map(([seconds, label]) =>
			button(`+ ${label}`, async () => {
				const answer = await call('POST', '/sandbox/clock', { advance_seconds: seconds });
				if (answer) notify(`${label} later: ${moment.format(new Date(answer.now))}.`);
			}),
		),
	),
];

const resetPart = () => {
	const keep = element('input', {
		type: 'checkbox',
		checked: true,
		attributes: { role: 'switch' },
	});
	const ask = button('Reset…', () => {
		ask.hidden = true;
		sure.hidden = false;
		sure.querySelector('button').focus();
	});
	const close = () => {
		sure.hidden = true;
		ask.hidden = false;
		ask.focus();
	};
	const sure = element(
		'div',
		{ className: 'buttons', hidden: true },
		button(
			'Yes, start over',
			async () => {
				const done = await call('POST', '/sandbox/reset', { keep_webhooks: keep.checked });
				close();
				if (done) notify('Everything is as at the start.');
			},
			{ className: 'danger' },
		),
		button('Keep everything', close),
	);
	return [
		element(
			'p',
			{},
			'Conversations, contacts, blocks, limits, faults and the log go. The key pair stays.',
		),
		element(
			'label',
			{ className: 'toggle' },
			keep,
			element(
				'span',
				{},
				'Keep the registered webhooks',
				element('small', {}, 'So that active workflows go on hearing from the sandbox'),
			),
		),
		ask,
		sure,
	];
};

/** The controls on the right: lines, faults, webhooks, time, reset. */
export const createControls = () => {
	byId('reset').replaceChildren(...resetPart());
	return {
		/** Shows the sandbox's state. */
		async show(state) {
			redraw(byId('lines'), state.lines, () => state.lines.map(lineCard));
			redraw(byId('webhooks'), state.webhooks, () =>
				state.webhooks.length
					? state.webhooks.map(webhookCard)
					: [
							element(
								'p',
								{ className: 'hint' },
								'None yet. Activate a workflow that begins with the Two-Way Messaging Trigger.',
							),
						],
			);
			redraw(byId('clock'), state.now.slice(0, 16), () => clockPart(state.now));
			const { faults, paths, kinds } = (await call('GET', '/sandbox/faults')) ?? {};
			if (faults) redraw(byId('faults'), [faults, paths], () => faultForm(paths, kinds, faults));
		},
	};
};
