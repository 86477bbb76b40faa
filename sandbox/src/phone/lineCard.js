import { element } from './elements.js';
import { lineState, stateChoice } from './lineState.js';
import { notify } from './notices.js';
import { call } from './service.js';

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

/** Why a line is blocked. The usual reasons say themselves that it is. */
const blockText = (reason) => (/^blocked\b/i.test(reason) ? reason : `Blocked: ${reason}`);

const STATES = {
	Active: () => null,
	Off: () => element('p', {}, 'Off: it neither sends nor receives.'),
	Blocked: ({ block_reason: reason }) =>
		element(
			'p',
			{ className: 'bad' },
			`${blockText(reason)}. The service refuses to send from this line.`,
		),
};

/** The card of a line: its state, what is left of its limits, and the controls that change them. */
export const lineCard = (line) => {
	const path = `/sandbox/lines/${line.line_handle}`;
	const hourly = numberField('Per hour', line.limits.hourly.limit);
	const daily = numberField('Per day', line.limits.daily.limit);
	return element(
		'article',
		{ className: 'card' },
		element(
			'div',
			{ className: 'row' },
			element('h3', {}, line.label),
			element('span', {}, line.number),
		),
		stateChoice(line),
		STATES[lineState(line)](line),
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
	);
};
