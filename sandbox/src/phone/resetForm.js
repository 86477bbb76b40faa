import { button, element } from './elements.js';
import { notify } from './notices.js';
import { call } from './service.js';

/** The form that starts over, after asking. */
export const resetForm = () => {
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
				if (done) notify('Everything is as it was at the start.');
			},
			{ className: 'danger' },
		),
		button('Keep everything', close),
	);
	return [
		element(
			'p',
			{},
			'This removes conversations, customers, blocks, changed limits, faults, a changed character and the log. The key pair stays, and what the sandbox began with comes back.',
		),
		element(
			'label',
			{ className: 'toggle' },
			keep,
			element(
				'span',
				{},
				'Keep the registered webhooks',
				element('small', {}, 'Published workflows then still get events from the sandbox'),
			),
		),
		ask,
		sure,
	];
};
