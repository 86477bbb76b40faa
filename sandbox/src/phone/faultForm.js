import { button, element } from './elements.js';
import { notify } from './notices.js';
import { call } from './service.js';
import { callName, faultSentence, faultText } from './words.js';

/** The form that adds a fault, and the list of the pending faults. */
export const faultForm = (paths, kinds, pending) => {
	const path = element(
		'select',
		{},
		paths.map((one) => element('option', { value: one }, callName(one))),
	);
	const kind = element(
		'select',
		{},
		kinds
			.filter((one) => one !== 'pass')
			.map((one) => element('option', { value: one }, faultText(one))),
	);
	const times = element('input', { type: 'number', min: '1', step: '1', value: '1' });
	return [
		element(
			'form',
			{
				onsubmit: (event) => {
					event.preventDefault();
					event.target.querySelector('button').focus();
					const fault = { path: path.value, kind: kind.value, times: times.valueAsNumber || 1 };
					void call('POST', '/sandbox/faults', fault).then(
						(added) => added && notify(faultSentence(fault)),
					);
				},
			},
			element('label', { className: 'field' }, 'The next time a workflow wants to', path),
			element('label', { className: 'field' }, 'The service', kind),
			element(
				'div',
				{ className: 'inline' },
				element('label', { className: 'field' }, 'Times', times),
				element('button', { className: 'primary' }, 'Make it fail'),
			),
		),
		pending.length
			? element(
					'ul',
					{ className: 'plain', ariaLabel: 'Pending faults' },
					pending.map((fault) => element('li', {}, faultSentence(fault))),
				)
			: null,
		pending.length
			? button(
					pending.length === 1 ? 'Remove it' : 'Remove them',
					() => void call('DELETE', '/sandbox/faults'),
				)
			: null,
	];
};
