import type { EventContent } from '../../nodes/TwoWayMessaging/trigger/event';
import { passesFilters, readFilters } from '../../nodes/TwoWayMessaging/trigger/filters';

const received: EventContent = {
	kind: 'receive',
	message: {
		message_handle: 'a1',
		from: '+15551230001',
		to: '+15550100001',
		content: 'What is the PRICE?',
		line_handle: 'l1',
	},
};
const sent: EventContent = {
	kind: 'outbound',
	message: { from: '+15550100001', to: '+15551230001', content: 'STOP', line_handle: 'l1' },
};
const blocked: EventContent = {
	kind: 'line_blocked',
	line: { line_handle: 'l1', number: '+15550100001' },
};
const unblocked: EventContent = { kind: 'line_unblocked', line: blocked.line };
const lets = (event: EventContent, filled: Record<string, unknown>) =>
	passesFilters(event, readFilters(filled));
const saying = (content: string | null): EventContent => ({
	kind: 'receive',
	message: { ...received.message, content },
});

describe('filters', () => {
	test('that are empty let every event through', () => {
		for (const event of [received, sent, blocked, unblocked]) {
			expect(lets(event, {})).toBe(true);
			expect(lets(event, { lines: [], from: ' ', contains: '' })).toBe(true);
		}
	});

	test.each([
		['a handle', ['l1']],
		['a handle with its prefix (§6.2)', ['line_l1']],
		['a number', ['+15550100001']],
		['a choice from the list, which is both', ['l1 +15550100001']],
		['a text with commas', 'l9, l1'],
		['a text with semicolons and lines', 'l9;\n l1'],
	])('for a line compare %s', (_, lines) => {
		for (const event of [received, sent, blocked, unblocked]) {
			expect(lets(event, { lines })).toBe(true);
		}
	});

	test('for a line leave out the events of other lines', () => {
		for (const event of [received, sent, blocked, unblocked]) {
			expect(lets(event, { lines: ['l2 +15550100002'] })).toBe(false);
			expect(lets(event, { lines: 'l2, +15550100002' })).toBe(false);
		}
	});

	test('for a line leave out an event that names no line', () => {
		expect(lets({ kind: 'receive', message: {} }, { lines: ['l1'] })).toBe(false);
		expect(lets({ kind: 'line_blocked', line: {} }, { lines: 'undefined' })).toBe(false);
	});

	test('§6.3 for a line compare the number where the flat form has no handle', () => {
		const message = { ...received.message };
		delete message.line_handle;
		expect(lets({ kind: 'receive', message }, { lines: ['l1 +15550100001'] })).toBe(true);
	});

	test.each([
		['+15551230001', true],
		['+1 (555) 123-0001', true],
		['0015551230001', true],
		['+15559990000, +15551230001', true],
		['+15559990000', false],
		['5551230001', false],
		['somebody', false],
	])('for the sender “%s” let a text from +15551230001 through: %s', (from, expected) => {
		expect(lets(received, { from })).toBe(expected);
	});

	test('for the sender let a text through that does not say who sent it (§2.6), as it must not be lost', () => {
		const message = { ...received.message };
		delete message.from;
		expect(lets({ kind: 'receive', message }, { from: '+15559990000' })).toBe(true);
	});

	test.each([
		['price', true],
		[' price ', true],
		['is the', true],
		['hours', false],
	])(
		'for the text “%s”, in any case, let “What is the PRICE?” through: %s',
		(contains, expected) => {
			expect(lets(received, { contains })).toBe(expected);
		},
	);

	test('for a text, whatever it is, leave out a picture without text', () => {
		for (const contains of 'abcdefghijklmnopqrstuvwxyz!?') {
			expect(lets(saying(null), { contains })).toBe(false);
		}
	});

	test.each([
		...['STOP', 'stop', ' Stop. ', 'unsubscribe', 'STOPALL', 'cancel', 'end', 'QUIT!', 'Stop!!..'],
		`STOP${'!'.repeat(36)}`,
	])('§1.5 leave out “%s” as an opt-out word', (content) => {
		expect(lets(saying(content), { ignoreOptOutWords: true })).toBe(false);
		expect(lets(saying(content), { ignoreOptOutWords: false })).toBe(true);
	});

	test.each([
		...['please stop by', 'START', 'the end', '', '!', 'sto.p', '.stop'],
		`STOP${'!'.repeat(37)}`,
	])('let “%s” through, which is not an opt-out word', (content) => {
		expect(lets(saying(content), { ignoreOptOutWords: true })).toBe(true);
	});

	test('for sender, text and opt-out words count for received messages only', () => {
		const filled = { from: '+15559990000', contains: 'price', ignoreOptOutWords: true };
		expect(lets(sent, filled)).toBe(true);
		expect(lets(blocked, filled)).toBe(true);
	});
});
