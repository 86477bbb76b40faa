import { callAsCurl } from './curl.js';
import { button, element } from './elements.js';
import { bodyPart, headersPart, pill } from './logParts.js';
import { copy } from './notices.js';
import { answerText, callContent, callName, faultText, turnedAwayText } from './words.js';

const pathOf = ({ path }) => path.split('?')[0];

const toneOf = (status) => {
	if (status === null) return 'bad';
	if (status >= 500) return 'bad';
	return status >= 400 ? 'warn' : 'good';
};

const contentOf = ({ path, request, method }) =>
	callContent(pathOf({ path }), request.body) || `${method} ${path}`;

/** Whom a call is about and what it says, or who was turned away. */
const contentPart = (entry) =>
	entry.answer?.status === 401
		? element('small', { className: 'why' }, turnedAwayText(pathOf(entry), entry.request.body))
		: element('small', {}, contentOf(entry));

/** The line of the log that shows a call to the service. */
export const callSummary = (entry) => [
	element('span', { className: 'arrow in', title: 'A call to the service' }, '→'),
	element(
		'span',
		{ className: 'what' },
		element('strong', {}, callName(pathOf(entry))),
		contentPart(entry),
		entry.fault ? element('small', {}, 'You asked for this fault') : '',
	),
	entry.duration_ms === null
		? pill('waiting', 'quiet')
		: pill(
				entry.answer ? `${answerText(entry.answer)} (${entry.answer.status})` : 'No answer',
				toneOf(entry.answer?.status ?? null),
			),
];

/** What a person sees who opens a call: the request and its answer. */
export const callDetails = (entry) => [
	entry.fault
		? element(
				'p',
				{ className: 'warn' },
				`You asked for this: the service ${faultText(entry.fault)}.`,
			)
		: null,
	element('dl', {}, element('dt', {}, 'Call'), element('dd', {}, `${entry.method} ${entry.path}`)),
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
