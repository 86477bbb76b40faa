import {
	EVENT_KINDS,
	MESSAGE_STATUSES,
	PATHS,
	REFUSALS,
} from '../../nodes/TwoWayMessaging/contract';
import { CHARACTER_NAMES, FAULT_KINDS } from '../../sandbox/src';
import { DELIVERY_STATES } from '../../sandbox/src/webhooks/deliveries';

type Words = {
	eventName: (kind: string) => string | undefined;
	eventContent: (body: string) => string;
	CHARACTERS: Record<string, string>;
	faultText: (kind: string) => string | undefined;
	deliveryState: (state: string) => string | undefined;
	callName: (path: string) => string;
	callContent: (path: string, body: string | null) => string;
	answerText: (answer: { status: number; body: string | null }) => string;
	refusalText: (reason: string, lineLabel?: string | null) => string;
	receiverText: (status: number | null) => string;
	messageStatus: (row: { status: string; created_at?: string }) => string;
	timeOf: (iso: string) => string;
	whenOf: (iso: string, nowIso: string) => string;
};

// The compiler does not read the phone's scripts, so this test checks that they know every kind.
const words = jest.requireActual<Words>('../../sandbox/src/phone/words.js');

describe('The phone has plain words', () => {
	test.each(EVENT_KINDS)('for the event %s', (kind) => {
		expect(words.eventName(kind)).toMatch(/^[A-Z]\w* /);
	});

	test.each(FAULT_KINDS)('for the fault %s', (kind) => {
		expect(`The service ${words.faultText(kind)}`).toMatch(
			/^The service [a-z].*[a-z](?: \(\d{3}\))?$/,
		);
		expect(words.faultText(kind)).not.toMatch(/JSON|HTML|Retry-After|request/);
	});

	test('for a fault that passes by itself', () => {
		expect(words.faultText('refuse-429')).toBe('is too busy: works when tried again (429)');
	});

	test.each(Object.values(REFUSALS))('for the refusal %s', (sentence) => {
		const body = JSON.stringify({ status: 'error', error_message: sentence });
		const said = words.answerText({ status: 422, body });
		expect(said).toMatch(/^Refused: [a-z]/);
		expect(said).not.toContain(sentence);
	});

	test('for a refused answer of the shop', () => {
		const said = 'The shop’s answer was refused: the line is blocked';
		expect(words.refusalText(REFUSALS.lineBlocked)).toBe(said);
		expect(words.refusalText(REFUSALS.lineBlocked, 'Support')).toBe(`${said} (Support)`);
		expect(words.refusalText('Something new')).toMatch(/refused: Something new$/);
	});

	test.each([200, 201, 202, 204, 400, 401, 404, 409, 413, 418, 422, 429, 500, 502, 503, 504])(
		'for the answer %i to a call',
		(status) => {
			expect(words.answerText({ status, body: null })).toMatch(/^[A-Z][a-z]+( |$)/);
		},
	);

	test.each([
		[200, 'has it'],
		[404, 'has no workflow listening there'],
		[500, 'broke down'],
		[418, 'did not take it'],
		[null, 'did not answer'],
	])('for the answer %s of n8n to an event', (status, text) => {
		expect(words.receiverText(status)).toBe(text);
	});

	test.each([
		['/v1/send-message', '{"number":"+1555","content":"hello"}', '+1555 “hello”'],
		['/v1/send-message', '{"number":"+1555","media_url":"https://x"}', '+1555 a picture'],
		['/v1/send-message', '{"number":"+15', ''],
		['/v1/send-message', null, ''],
		['/v1/lines', '{"number":"+1555"}', ''],
	])('for what a call to %s with %s says', (path, body, said) => {
		expect(words.callContent(path, body)).toBe(said);
	});

	test.each(DELIVERY_STATES)('for the state %s of a delivery', (state) => {
		expect(words.deliveryState(state)).toMatch(/^[A-Z]\w/);
	});

	test.each([
		[{ data: { message: { from: '+1555', to: '+1556', text: 'hello' } } }, '+1555 “hello”'],
		[{ event: 'receive', from: '+1555', to: '+1556', content: 'hello' }, '+1555 “hello”'],
		[{ data: { message: { from: '+1555', media_url: 'https://x' } } }, '+1555'],
		[
			{ data: { message: { from: '+1556', to: '+1555', text: 'hi', direction: 'outbound' } } },
			'+1555 “hi”',
		],
		[{ data: { line: { line_handle: 'l1', number: '+1556' } } }, '+1556'],
		[{ data: { line_handle: 'l1', number: '+1556' } }, '+1556'],
		[{}, ''],
	])('for what the event %j is about', (body, said) => {
		expect(words.eventContent(JSON.stringify(body))).toBe(said);
	});

	test('for each character and no other', () => {
		expect(Object.keys(words.CHARACTERS)).toEqual(CHARACTER_NAMES);
		for (const text of Object.values(words.CHARACTERS)) expect(text).toMatch(/^(sends|does) .*\.$/);
	});

	test.each(MESSAGE_STATUSES)('for the status %s of a message', (status) => {
		expect(words.messageStatus({ status })).toMatch(/^[A-Z][a-z]/);
	});

	test('for a time of today, of this year and of another year', () => {
		const now = '2026-01-05T12:00:00Z';
		expect(words.whenOf('2026-01-05T09:30:00Z', now)).toBe(words.timeOf('2026-01-05T09:30:00Z'));
		expect(words.whenOf('2026-01-03T12:30:00Z', now)).toMatch(/^(Jan 3|3 Jan)$/);
		expect(words.whenOf('2025-12-30T12:30:00Z', now)).toMatch(/30.*2025/);
	});

	test('for when a message was written that has not been sent', () => {
		const at = '2026-01-05T09:30:00Z';
		expect(words.messageStatus({ status: 'ERROR', created_at: at })).toBe(
			`Not sent · ${words.timeOf(at)}`,
		);
	});

	test.each(Object.values(PATHS))('for a call to %s', (path) => {
		expect(words.callName(path)).not.toBe(path);
	});
});
