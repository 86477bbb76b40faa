import type { Fields } from '../../nodes/TwoWayMessaging/message';
import { ConversationRows } from '../../nodes/TwoWayMessaging/resources/message/conversationRows';

const ANNA = '+15551230001';
const BEN = '+15551230002';
const LINE = '+15550100001';
const OTHER_LINE = '+15550100002';

const CONVERSATION = {
	conversationHandle: 'c1',
	customer: ANNA,
	lineHandle: 'l1',
	lineNumber: LINE,
};

/** A row that says for certain that it is of another conversation. */
const OF_ANOTHER = { conversation_handle: 'c2' };

const shown = (rows: Fields[], conversation = CONVERSATION) => {
	const collected = new ConversationRows(conversation);
	for (const row of rows) collected.add([row]);
	expect(collected.count).toBe(collected.rows().length);
	return collected.rows();
};

describe('a row of the history is one of the conversation', () => {
	test.each<[string, Fields]>([
		['names it', { conversation_handle: 'c1' }],
		[
			'names it, whatever its numbers are',
			{ conversation_handle: 'c1', from: BEN, is_outbound: false },
		],
		['is from the customer', { from: '+1 (555) 123-0001', is_outbound: false }],
		['is to the customer', { to: ANNA, from: LINE, is_outbound: true }],
		['is to the customer, and does not say which way it went', { to: ANNA, from: LINE }],
		['is from the customer, and does not say which way it went', { from: ANNA, to: LINE }],
		[
			'is from the customer to the line by its ID',
			{ from: ANNA, line_handle: 'line_l1', is_outbound: false },
		],
	])('if it %s', (_, row) => {
		expect(shown([row, OF_ANOTHER])).toEqual([row]);
	});
});

describe('a row of the history is none of the conversation', () => {
	test.each<[string, Fields]>([
		['names another', { conversation_handle: 'c2', from: ANNA, is_outbound: false }],
		['is from another customer', { from: BEN, is_outbound: false }],
		['is to another customer', { to: BEN, is_outbound: true }],
		['is between others, and does not say which way it went', { from: BEN, to: LINE }],
		['is to another line, and does not say which way it went', { from: ANNA, to: OTHER_LINE }],
		['is to another line', { to: OTHER_LINE, is_outbound: false }],
		[
			'is of another line by its ID',
			{ from: ANNA, to: LINE, line_handle: 'l2', is_outbound: false },
		],
	])('if it %s', (_, row) => {
		expect(shown([row])).toEqual([]);
	});
});

describe('§2.6 a row that does not say whose it is', () => {
	const unsaid = [{ to: LINE, is_outbound: false }, { to: LINE }, { status: 'QUEUED' }];

	test('counts, as the service was asked for this conversation', () => {
		expect(shown(unsaid)).toEqual(unsaid);
	});

	test.each([
		['before', [OF_ANOTHER, ...unsaid]],
		['behind', [...unsaid, OF_ANOTHER]],
	])('does not count where the service shows another conversation %s it', (_, rows) => {
		expect(shown(rows)).toEqual([]);
	});

	test('does not count beside another conversation that nobody has asked for', () => {
		const collected = new ConversationRows(CONVERSATION);

		collected.add([...unsaid, OF_ANOTHER], (row) => row !== OF_ANOTHER);

		expect(collected.rows()).toEqual([]);
	});
});

test('rows of all conversations count where none is named, if they are wanted', () => {
	const collected = new ConversationRows(undefined);

	collected.add([OF_ANOTHER, { from: BEN }], (row) => row === OF_ANOTHER);

	expect(collected.rows()).toEqual([OF_ANOTHER]);
});
