import { shownValue, textValue, timeValueMs } from '../nodes/TwoWayMessaging/parameterValues';

/* test/integration/oddValues has the values that are refused, and test/integration/messages what is chosen. */

describe('the value of a field, which may come from an expression,', () => {
	test('is a text, empty where there is nothing', () => {
		expect([' hello ', 42, null, undefined].map(textValue)).toEqual([' hello ', '42', '', '']);
	});

	test.each([
		['in the workflow’s zone where it names none', '2026-01-01T09:00:00', 8],
		['with an offset', '2026-01-01T09:00:00+03:00', 6],
		['in UTC', '2026-01-01T09:00:00Z', 9],
		['in the workflow’s zone where it is a date of digits only', 20260101, -1],
	])('is a time %s', (_how, value, hour) => {
		expect(timeValueMs(value, 'Europe/Berlin')).toBe(Date.UTC(2026, 0, 1, hour));
	});

	test('is no time where it is empty, and NaN where it cannot be read', () => {
		expect(timeValueMs('', 'UTC')).toBeUndefined();
		expect(timeValueMs(null, 'UTC')).toBeUndefined();
		expect(timeValueMs('yesterday-ish', 'UTC')).toBeNaN();
	});

	test('is shown by its beginning, and what is no text as JSON', () => {
		const cyclic: { self?: object } = {};
		cyclic.self = cyclic;
		const shown = ['👍'.repeat(50), null, Number.NaN, { a: 1 }, ['b'], new Error('no'), cyclic];
		expect(shown.map(shownValue)).toEqual([
			'👍'.repeat(40),
			'null',
			'NaN',
			'{"a":1}',
			'["b"]',
			'Error: no',
			'[object Object]',
		]);
	});
});
