import type { IExecuteFunctions } from 'n8n-workflow';
import {
	amountValue,
	choiceValue,
	readCollection,
	readText,
	shownValue,
	textValue,
	timeValueMs,
} from '../nodes/TwoWayMessaging/parameterValues';

/** A node whose one field has a value. */
const callerWith = (value: unknown) =>
	({
		getNodeParameter: (_name: string, _itemIndex: number, fallback: unknown) => value ?? fallback,
	}) as unknown as IExecuteFunctions;

describe('the value of a field, which may come from an expression,', () => {
	test.each([
		['a text', ' hello ', ' hello '],
		['a number', 42, '42'],
		['null', null, ''],
		['nothing', undefined, ''],
	])('is a text: %s', (_what, value, text) => {
		expect(textValue(value)).toBe(text);
	});

	test('is a text without the spaces around it, or the fallback', () => {
		expect(readText(callerWith(' a '), 'name', 0)).toBe('a');
		expect(readText(callerWith(undefined), 'name', 0, 'data')).toBe('data');
	});

	test.each([
		[5, 5],
		[0, 0],
		['5', 5],
		['', 60],
		['soon', 60],
		[-1, 60],
		[null, 60],
		[Number.NaN, 60],
		[true, 60],
	])('is an amount, or the fallback: %p is %d', (value, amount) => {
		expect(amountValue(value, 60)).toBe(amount);
	});

	test.each([
		['b', 'b'],
		[' B ', 'b'],
		['c', undefined],
		[['b'], undefined],
		[undefined, 'a'],
		[null, 'a'],
		[' ', 'a'],
	])('is one of the choices, or the fallback where it is none: %p is %s', (value, choice) => {
		expect(choiceValue(value, ['a', 'b'], 'a')).toBe(choice);
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

	test('is a collection, which is empty where an expression gives something else', () => {
		expect(readCollection(callerWith({ limit: 1 }), 'options', 0)).toEqual({ limit: 1 });
		expect(readCollection(callerWith('text'), 'options', 0)).toEqual({});
	});
});
