import fc from 'fast-check';
import {
	findMessage,
	findRecord,
	findRows,
	hasStatus,
	isMessage,
} from '../../nodes/TwoWayMessaging/service/answers';

const MESSAGE = { message_handle: '5d0f', status: 'SENT' };

/** What any operator may put around what was asked for. */
const wrapped = (inner: unknown, names: string[]): unknown =>
	names.reduceRight<unknown>((body, name) => ({ status: 'ok', [name]: body }), inner);

const names = fc.array(
	fc.string().filter((name) => name !== '__proto__' && name !== 'status'),
	{
		maxLength: 3,
	},
);

describe('what an answer is about', () => {
	test('is found under up to three names, whatever they are', () => {
		fc.assert(
			fc.property(names, (above) => {
				expect(findMessage(wrapped(MESSAGE, above))).toEqual(expect.objectContaining(MESSAGE));
				expect(findRows(wrapped([MESSAGE], above), isMessage)).toEqual([MESSAGE]);
				expect(findRows(wrapped([], above), isMessage)).toEqual([]);
			}),
		);
	});

	test('is found in a list of one', () => {
		expect(findMessage([MESSAGE])).toBe(MESSAGE);
	});

	test('is no status of the request itself', () => {
		const body = { status: 'ok', message: { status: 'sent' } };

		expect(findRecord(body, hasStatus)).toBe(body.message);
	});

	test.each([
		['an empty object', {}],
		['a list of several', [MESSAGE, MESSAGE]],
		['a page', '<html></html>'],
		['a refusal', { message: 'Unauthenticated.' }],
		['nothing', undefined],
	])('is not found in %s', (_, body) => {
		expect(findMessage(body)).toBeUndefined();
	});
});

describe('the rows of an answer', () => {
	test('are the records among what the list holds', () => {
		expect(findRows({ rows: [null, 'm0', MESSAGE, []] }, isMessage)).toEqual([MESSAGE]);
	});

	test('stand in the list that has such rows, beside others', () => {
		expect(findRows({ warnings: ['old'], tags: [], rows: [MESSAGE] }, isMessage)).toEqual([
			MESSAGE,
		]);
	});

	test.each([
		['no list', { status: 'ok' }],
		['rows that cannot be told apart', { messages: [{ content: 'hi' }] }],
		['something else in place of the list', { messages: 'none', data: null }],
		['that it did not go well', { success: false, messages: [] }],
		['null beside a sentence', { messages: null, error: 'Try again later.' }],
	])('are not taken for none where the answer holds %s', (_, body) => {
		expect(findRows(body, isMessage)).toBeUndefined();
	});

	test.each([
		['an empty list', { messages: [] }],
		['null in place of the list', { messages: null, has_more: false, total: 0, next: null }],
		['nothing', {}],
	])('are none where the answer holds %s', (_, body) => {
		expect(findRows(body, isMessage)).toEqual([]);
	});
});
