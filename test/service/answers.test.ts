import fc from 'fast-check';
import { findMessage, findRows, isMessage } from '../../nodes/TwoWayMessaging/service/answers';

const MESSAGE = { message_handle: '5d0f', status: 'SENT' };

/** What any operator may put around what was asked for. */
const wrapped = (inner: unknown, names: string[]): unknown =>
	names.reduceRight<unknown>((body, name) => ({ status: 'ok', [name]: body }), inner);

const name = fc.string().filter((one) => one !== '__proto__' && one !== 'status');

describe('what an answer is about', () => {
	test('is found under up to three names, whatever they are', () => {
		fc.assert(
			fc.property(fc.array(name, { maxLength: 3 }), (above) => {
				expect(findMessage(wrapped(MESSAGE, above))).toEqual(expect.objectContaining(MESSAGE));
				expect(findRows(wrapped([MESSAGE], above), isMessage)).toEqual([MESSAGE]);
				expect(findRows(wrapped([], above), isMessage)).toEqual([]);
			}),
		);
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
	test.each([
		['the records among what a list holds', { rows: [null, 'm0', MESSAGE, []] }, [MESSAGE]],
		['those of the list that has any', { warnings: ['old'], tags: [], rows: [MESSAGE] }, [MESSAGE]],
		['none where the list is empty', { messages: [] }, []],
		['none where null is in place of it', { messages: null, has_more: false, total: 0 }, []],
		['none where there is nothing', {}, []],
		['unknown where there is no list', { status: 'ok' }, undefined],
		['unknown where they cannot be told apart', { messages: [{ content: 'hi' }] }, undefined],
		['unknown where something else stands', { messages: 'none', data: null }, undefined],
		['unknown where it did not go well', { success: false, messages: [] }, undefined],
		['unknown where a sentence stands', { messages: null, error: 'Try again later.' }, undefined],
	])('are %s', (_, body, rows) => {
		expect(findRows(body, isMessage)).toEqual(rows);
	});
});
