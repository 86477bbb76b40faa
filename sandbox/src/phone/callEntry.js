import { callAsCurl } from './curl.js';
import { button, element } from './elements.js';
import { bodyPart, headersPart, pill } from './logParts.js';
import { copy } from './notices.js';
import { callName, faultText } from './words.js';

const toneOf = (status) => {
	if (status === null) return 'bad';
	if (status >= 500) return 'bad';
	return status >= 400 ? 'warn' : 'good';
};

/** The line of the log that shows a call to the service. */
export const callSummary = (entry) => [
	element('span', { className: 'arrow in', title: 'A call to the service' }, '→'),
	element(
		'span',
		{ className: 'what' },
		element('strong', {}, callName(entry.path.split('?')[0])),
		element('small', {}, `${entry.method} ${entry.path}`),
	),
	entry.duration_ms === null
		? pill('waiting', 'quiet')
		: pill(
				entry.answer ? String(entry.answer.status) : 'no answer',
				toneOf(entry.answer?.status ?? null),
			),
];

/** What a person sees who opens a call: the request and its answer. */
export const callDetails = (entry) => [
	entry.fault
		? element(
				'p',
				{ className: 'warn' },
				`A fault that you asked for: the call ${faultText(entry.fault)}.`,
			)
		: null,
	headersPart('Request headers', entry.request.headers),
	bodyPart('Request', entry.request),
	entry.answer
		? [
				headersPart(`Answer ${entry.answer.status}: headers`, entry.answer.headers),
				bodyPart(`Answer ${entry.answer.status}`, entry.answer),
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
