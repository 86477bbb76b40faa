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
	[422, REFUSALS.unknownLine, 'switched off'],
	[422, REFUSALS.optedOut, 'has opted out'],
	[422, REFUSALS.lineBlocked, 'The line Front desk is blocked'],
];

describe('§7 a refusal', () => {
	const send = { operation: 'send', line: 'Front desk' };

	test.each(REFUSED)(
		'%i “%s” has words of its own, and the service’s only where they say more',
		(status, sentence, message) => {
			const words = explain(answer(status, { message: sentence }), BASE_URL, send);
			expect(words.message).toContain(message);
			expect(words.description).not.toContain('The service says');

			const more = `${sentence} since noon`;
			const told = explain(answer(status, { message: more }), BASE_URL, send);
			expect(told.message).toBe(words.message);
			expect(told.description).toBe(`${words.description} The service says: “${more}”.`);
		},
	);

	const BLOCKED = REFUSALS.lineBlocked;
	const WORDS = ['message', 'Message', 'error_message', 'error_description', 'error', 'detail'];

	test.each<[unknown]>([
		...[...WORDS, 'title', 'reason'].map((name): [unknown] => [{ status: '422', [name]: BLOCKED }]),
		...['message', 'title', 'detail', 'reason', 'description'].map((name): [unknown] => [
			{ errors: [{ code: 7, [name]: BLOCKED }] },
		]),
		[{ error: { message: BLOCKED } }],
		[{ error: { error_message: BLOCKED } }],
		[{ error: { message: [BLOCKED] } }],
		[{ data: { message: BLOCKED } }],
		[{ errors: { line_handle: [BLOCKED] } }],
		[{ errors: { line_handle: [{ message: BLOCKED }] } }],
		[{ message: [BLOCKED] }],
		[{ detail: [{ loc: ['body', 'line'], msg: BLOCKED }] }],
		[{ problem: { details: [BLOCKED] } }],
		[[BLOCKED]],
		[[{ field: 'to', message: BLOCKED }]],
		[[{ errors: { line_handle: [BLOCKED] } }]],
		[BLOCKED],
	])('counts wherever it stands: %j', (body) => {
		expect(refusalKind(answer(422, body))).toBe('lineBlocked');
		expect(serviceSentence(body)).toBe(BLOCKED);
	});

	test.each<[string, unknown]>([
		['a field', { errors: { number: ['The number is malformed.'] } }],
		['a plain text', 'The number is malformed.\n'],
	])('that the document does not name shows the service’s own sentence, from %s', (_, body) => {
		const words = explain(answer(422, body), BASE_URL);
		expect(words.message).toBe('The service refused the request (status 422)');
		expect(words.description).toContain('“The number is malformed.”');
	});

	test.each([
		['a page of a proxy', '<html><h1>413 Request Entity Too Large</h1></html>'],
		['JSON', { message: 'The file is larger than 10 MB.' }],
		['nothing', ''],
	])('with status 413 says that it was too large: %s', (_, body) => {
		const { message, description } = explain(answer(413, body), BASE_URL);
		expect(message).toBe('What the node sent is too large for the service (status 413)');
		expect(description).toContain('Send a smaller file');
	});
});

describe('a list', () => {
	const LIST = ['The content may not be greater than 1600 characters.', 'The number is malformed.'];

	test.each([
		[LIST.join(' '), { content: [LIST[0]], number: [LIST[1]] }],
		[LIST.join(' '), LIST],
		[LIST.join(' '), LIST.map((detail) => ({ detail, code: 'E1' }))],
		['The given data was invalid.', ['E1600']],
	])('of what is refused is shown whole, unless it has only codes: %s', (said, errors) => {
		expect(serviceSentence({ message: 'The given data was invalid.', errors })).toBe(said);
	});

	test.each([
		[422, 'The service refused the request (status 422)', 'It gave no reason.'],
		[404, 'The service did not find what the node asked for', 'Check the ID'],
	])('is a refusal with status %i, also without a sentence', (status, message, description) => {
		const words = explain(answer(status, []), BASE_URL);
		expect(words.message).toBe(message);
		expect(words.description).toContain(description);
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
		expect(description).toMatch(/\b(ask|check|try|fill|choose|send|wait|change|they replied)\b/i);
	});

	test('advise no operation to use an option or a field that it does not have', () => {
		const advice = (sentence: string, operation: string) =>
			explain(answer(422, { message: sentence }), BASE_URL, { operation, line: 'l1' }).description;

		expect(advice(REFUSALS.lineBlocked, 'send')).toContain("'If Line Blocked'");
		expect(advice(REFUSALS.lineBlocked, ASK_AND_WAIT)).not.toContain("'If Line Blocked'");
		expect(advice(REFUSALS.unknownLine, 'send')).toContain('under Line');
		expect(advice(REFUSALS.unknownLine, 'reply')).not.toContain('under Line');
	});

	test.each([
		['send', REFUSALS.lineBlocked, 'No line can send now'],
		['send', REFUSALS.unknownLine, 'None of your lines is active'],
		[ASK_AND_WAIT, REFUSALS.lineBlocked, 'No line can send now'],
		['reply', REFUSALS.lineBlocked, 'No line can send now'],
	])(
		'speak of all lines, and advise to choose none, where any might have sent: %s, %s',
		(operation, sentence, message) => {
			const words = explain(answer(422, { message: sentence }), BASE_URL, { operation });

			expect(words.message).toBe(message);
			expect(words.description).not.toMatch(/under Line|this line|If Line Blocked/);
		},
	);

	test.each([answer(404, '<html></html>'), answer(302, ''), answer(200, '<html></html>')])(
		'tell another web site from the service: %j',
		(outcome) => {
			expect(explain(outcome, BASE_URL).message).toContain('is not the messaging service');
		},
	);
});
