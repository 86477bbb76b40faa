import { EVENT_KINDS, MESSAGE_STATUSES, PATHS } from '../../nodes/TwoWayMessaging/contract';
import { CHARACTER_NAMES, FAULT_KINDS } from '../../sandbox/src';
import { DELIVERY_STATES } from '../../sandbox/src/webhooks/deliveries';

type Words = {
	eventName: (kind: string) => string | undefined;
	eventContent: (body: string) => string;
	CHARACTERS: Record<string, string>;
	faultText: (kind: string) => string | undefined;
	deliveryState: (state: string) => string | undefined;
	callName: (path: string) => string;
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
		expect(words.faultText(kind)).toMatch(/^(is|gets) /);
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
