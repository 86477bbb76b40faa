import { REFUSALS } from '../../nodes/TwoWayMessaging/contract';
import { ASK_AND_WAIT } from '../../nodes/TwoWayMessaging/n8n/agentTools';
import { explain, refusalKind, serviceSentence } from '../../nodes/TwoWayMessaging/service/errors';
import type { Answer } from '../../nodes/TwoWayMessaging/service/outcome';

const BASE_URL = 'https://api.example.com';

const answer = (status: number, body: unknown): Answer => ({
	kind: 'answer',
	status,
	headers: {},
	body,
});

/** n8n's wording rules: none of these words belongs into a message. */
const FORBIDDEN = /\b(error|problem|failure|mistake)\b/i;

const REFUSED: Array<[number, string, string]> = [
	[401, REFUSALS.unauthenticated, 'did not accept the key pair'],
	[422, REFUSALS.nothingToSend, 'nothing to send'],
	[422, REFUSALS.unknownLine, 'does not exist or is not active'],
	[422, REFUSALS.optedOut, 'has opted out'],
	[422, REFUSALS.lineBlocked, 'line is blocked'],
];

describe('§7 a refusal', () => {
	test.each(REFUSED)('%i “%s” has words of its own', (status, sentence, message) => {
		const words = explain(answer(status, { message: sentence }), BASE_URL);

		expect(words.message).toContain(message);
		expect(words.description).toContain(sentence);
	});

	test.each([
		['message', { message: REFUSALS.lineBlocked }],
		['error_message', { status: 'error', error_message: REFUSALS.lineBlocked }],
		['error', { error: REFUSALS.lineBlocked }],
		['error.message', { error: { message: REFUSALS.lineBlocked } }],
		['detail', { detail: REFUSALS.lineBlocked }],
		['errors{}', { errors: { line_handle: [REFUSALS.lineBlocked] } }],
		['errors[]', { errors: [{ message: REFUSALS.lineBlocked }] }],
		['errors[].title', { errors: [{ title: REFUSALS.lineBlocked, status: '422' }] }],
		['errors[].detail', { errors: [{ detail: REFUSALS.lineBlocked, code: 7 }] }],
		['errors{}[].message', { errors: { line_handle: [{ message: REFUSALS.lineBlocked }] } }],
		['title', { type: 'about:blank', title: REFUSALS.lineBlocked }],
		['error.error_message', { error: { error_message: REFUSALS.lineBlocked } }],
		['data.message', { data: { message: REFUSALS.lineBlocked } }],
		['a list', [REFUSALS.lineBlocked]],
		['a list of records', [{ field: 'to', message: REFUSALS.lineBlocked }]],
		['a list of records with errors', [{ errors: { line_handle: [REFUSALS.lineBlocked] } }]],
		['errors[].reason', { errors: [{ field: 'line_handle', reason: REFUSALS.lineBlocked }] }],
		['errors[].description', { errors: [{ description: REFUSALS.lineBlocked }] }],
		['reason', { reason: REFUSALS.lineBlocked }],
		['message[]', { message: [REFUSALS.lineBlocked] }],
		['detail[].msg', { detail: [{ loc: ['body', 'line'], msg: REFUSALS.lineBlocked }] }],
		['error.message[]', { error: { message: [REFUSALS.lineBlocked] } }],
	])('is read from %s', (_place, body) => {
		expect(refusalKind(answer(422, body))).toBe('lineBlocked');
		expect(serviceSentence(body)).toBe(REFUSALS.lineBlocked);
	});

	test('that the document does not name shows the service’s own sentence', () => {
		const words = explain(
			answer(422, { errors: { number: ['The number is malformed.'] } }),
			BASE_URL,
		);

		expect(words.message).toBe('The service refused the request (status 422)');
		expect(words.description).toContain('The number is malformed.');
	});
});

describe('a list of what is refused', () => {
	const LIST = ['The content may not be greater than 1600 characters.', 'The number is malformed.'];

	test.each([
		['field by field', { errors: { content: [LIST[0]], number: [LIST[1]] } }],
		['as a list', { errors: LIST }],
		[
			'with the field that each is about',
			{ errors: LIST.map((detail) => ({ detail, code: 'E1' })) },
		],
	])('is shown whole, in place of the sentence above it: %s', (_, body) => {
		const said = serviceSentence({ message: 'The given data was invalid.', ...body });
		expect(said).toBe(LIST.join(' '));
	});

	test('is not shown where it has only codes', () => {
		const body = { message: 'The given data was invalid.', errors: ['E1600'] };
		expect(serviceSentence(body)).toBe('The given data was invalid.');
	});
});

describe('a list', () => {
	test.each([
		[422, 'The service refused the request (status 422)', 'It gave no reason.'],
		[404, 'The service did not find what the node asked for', 'Check the ID'],
	])('is a refusal with status %i, also without a sentence', (status, message, description) => {
		const words = explain(answer(status, []), BASE_URL);

		expect(words.message).toBe(message);
		expect(words.description).toContain(description);
	});

	test('is no answer of the service where nothing was refused', () => {
		const { message } = explain(answer(200, ['hello']), BASE_URL);

		expect(message).toContain('is not the messaging service');
	});
});

describe('a refusal that is no JSON', () => {
	test.each([
		['a page of a proxy', '<html><h1>413 Request Entity Too Large</h1></html>'],
		['JSON', { message: 'The file is larger than 10 MB.' }],
		['nothing', ''],
	])('with status 413 says that it was too large: %s', (_, body) => {
		const { message, description } = explain(answer(413, body), BASE_URL);

		expect(message).toBe('What the node sent is too large for the service (status 413)');
		expect(description).toContain('Send a smaller file');
	});

	test('but a plain text is the service’s sentence', () => {
		const words = explain(answer(422, 'The number is malformed.\n'), BASE_URL);

		expect(words.message).toBe('The service refused the request (status 422)');
		expect(words.description).toContain('“The number is malformed.”');
	});

	test.each([
		{ Message: REFUSALS.optedOut },
		{ error_description: REFUSALS.optedOut },
		{ problem: { details: [REFUSALS.optedOut] } },
	])('counts in whatever field it stands: %j', (body) => {
		expect(refusalKind(answer(422, body))).toBe('optedOut');
		expect(serviceSentence(body)).toBe(REFUSALS.optedOut);
	});

	test('but a plain text is one of the document’s refusals', () => {
		expect(refusalKind(answer(422, REFUSALS.optedOut))).toBe('optedOut');
	});
});

describe('words for people', () => {
	const outcomes = [
		answer(413, '<html></html>'),
		answer(422, 'The number is malformed.'),
		answer(201, ''),
		...REFUSED.map(([status, message]) => answer(status, { message })),
		answer(422, {}),
		answer(404, { message: 'Not found.' }),
		answer(404, '<html></html>'),
		answer(302, ''),
		answer(200, '<html></html>'),
		answer(200, {}),
		answer(500, { message: 'Server Error' }),
		answer(503, undefined),
		{ kind: 'unsent', code: 'ECONNREFUSED' } as const,
		{ kind: 'unanswered', code: 'ECONNRESET' } as const,
	];

	test.each(outcomes)('say what to do next, without n8n’s forbidden words: %j', (outcome) => {
		const { message, description } = explain(outcome, BASE_URL);

		expect(message).not.toMatch(FORBIDDEN);
		expect(message).not.toMatch(/[.!]$/);
		expect(description.replace(/“[^”]*”/g, '')).not.toMatch(FORBIDDEN);
		expect(description).toMatch(/\b(check|try|fill|choose|send|wait|change|they replied)\b/i);
	});

	test('advise no operation to use an option or a field that it does not have', () => {
		const advice = (sentence: string, operation: string) =>
			explain(answer(422, { message: sentence }), BASE_URL, { operation, line: 'l1' }).description;

		expect(advice(REFUSALS.lineBlocked, 'send')).toContain("'If Line Blocked'");
		expect(advice(REFUSALS.lineBlocked, ASK_AND_WAIT)).not.toContain("'If Line Blocked'");
		expect(advice(REFUSALS.unknownLine, 'send')).toContain('under Line');
		expect(advice(REFUSALS.unknownLine, 'reply')).not.toContain('under Line');
	});

	test('advise to choose another line only where one was chosen, and the node has not tried all', () => {
		const advice = (fields: object) =>
			explain(answer(422, { message: REFUSALS.lineBlocked }), BASE_URL, { ...fields }).description;
		const line = { __rl: true, mode: 'list', value: 'l1' };

		expect(advice({ operation: 'send', line })).toContain('Choose another one under Line');
		for (const fields of [
			{ line: { ...line, value: '' } },
			{ line, options: { ifLineBlocked: 'anotherLine' } },
		]) {
			expect(advice({ operation: 'send', ...fields })).toContain('All lines are blocked.');
		}
	});

	test('tell another web site from the service', () => {
		for (const outcome of [
			answer(404, '<html></html>'),
			answer(302, ''),
			answer(200, '<html></html>'),
		]) {
			expect(explain(outcome, BASE_URL).message).toContain('is not the messaging service');
		}
	});
});
