import { element } from './elements.js';
import { laidOut } from './words.js';

/** A part that a person can open. Its key says which one it is when the parts around it change. */
export const foldedPart = (key, title, children, properties = {}) =>
	element(
		'details',
		{ attributes: { 'data-key': key }, ...properties },
		element('summary', {}, title),
		children,
	);

/** Headers that a person can open. */
export const headersPart = (title, headers, key = title) =>
	foldedPart(
		key,
		title,
		element(
			'dl',
			{},
			Object.entries(headers).map(([name, value]) => [
				element('dt', {}, name),
				element('dd', {}, value),
			]),
		),
		{ className: 'headers' },
	);

/** A text with a title; JSON is laid out for reading. */
export const textPart = (title, text) =>
	element(
		'figure',
		{},
		element('figcaption', {}, title),
		element('pre', { tabIndex: 0, ariaLabel: title, attributes: { role: 'group' } }, laidOut(text)),
	);

/** The body of a request or an answer; null where there is none. */
export const bodyPart = (title, { body, is_cut }) =>
	body === null ? null : textPart(is_cut ? `${title} (its beginning)` : title, body);

/** A short label that shows how something ended. */
export const pill = (label, tone) => element('span', { className: `pill ${tone}` }, label);
