import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { readCollection, readText } from '../nodes/TwoWayMessaging/fields/readField';
import {
	amountValue,
	shownValue,
	textValue,
	timeValueMs,
} from '../nodes/TwoWayMessaging/parameterValues';
import type { Item } from '../nodes/TwoWayMessaging/service/request';

const FIELD = { name: 'name', default: 'data' } as INodeProperties;

const callerWith = (value: unknown) =>
	({
		context: {
			getNodeParameter: (_name: string, _itemIndex: number, usual: unknown) => value ?? usual,
		} as unknown as IExecuteFunctions,
	}) as Item;

describe('the value of a field, which may come from an expression,', () => {
	test('is a text, empty where there is nothing, or without the spaces around it, or the fallback', () => {
		expect([' hello ', 42, null, undefined].map(textValue)).toEqual([' hello ', '42', '', '']);
		expect(readText(callerWith(' a '), FIELD)).toBe('a');
		expect(readText(callerWith(undefined), FIELD)).toBe('data');
	});

	test.each([
		[5, [5, '5']],
		[0, [0]],
		[60, ['', 'soon', -1, null, Number.NaN, true]],
	])('is an amount, or the fallback: %d for %j', (amount, values) => {
		expect(values.map((value) => amountValue(value, 60))).toEqual(values.map(() => amount));
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
		const shown = ['👍'.repeat(50), null, Number.NaN, { a: 1 }, ['b']];
		expect(shown.map(shownValue)).toEqual(['👍'.repeat(40), 'null', 'NaN', '{"a":1}', '["b"]']);
	});

	test('is a collection, which is empty where an expression gives something else', () => {
		expect(readCollection(callerWith({ limit: 1 }), 'options')).toEqual({ limit: 1 });
		expect(readCollection(callerWith('text'), 'options')).toEqual({});
	});
});
