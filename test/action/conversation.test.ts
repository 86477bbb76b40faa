import { readConversation } from '../../nodes/TwoWayMessaging/action/message/conversation';
import type { Fields } from '../../nodes/TwoWayMessaging/message';
import type { HistoryRow } from '../../nodes/TwoWayMessaging/service/history';
import { connectionTo, response } from '../service/context';

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

type Wanted = { conversation?: typeof CONVERSATION; isWanted?: (row: HistoryRow) => boolean };

/** The rows that come out of a history, each of which has a handle and stands on a page of its own. */
const shown = async (
	rows: Fields[],
	{ conversation, isWanted }: Wanted = { conversation: CONVERSATION },
) => {
	const left = rows.map((row, at) => [row, { ...row, message_handle: `m${at}` }] as const);
	const bodies = new Map<string, Fields>(left.map(([row, body]) => [body.message_handle, row]));
	const { connection } = await connectionTo(() =>
		response(200, { messages: left.splice(0, 1).map(([, body]) => body) }),
	);
	const read = await readConversation(connection, conversation, { limit: 100, isWanted }, 0);
	return read.map(({ message }) => bodies.get(message.message_handle ?? ''));
};

describe('beside another conversation, a row of the history is shown', () => {
	test.each<[string, Fields]>([
		['names the conversation', { conversation_handle: 'c1', from: BEN, is_outbound: false }],
		['is from the customer', { from: '+1 (555) 123-0001', is_outbound: false }],
		['is to the customer', { to: ANNA, from: LINE, is_outbound: true }],
		['is to the customer, and does not say which way it went', { to: ANNA, from: LINE }],
		['is from the customer, and does not say which way it went', { from: ANNA, to: LINE }],
		[
			'is from the customer to the line by its ID',
			{ from: ANNA, line_handle: 'line_l1', is_outbound: false },
		],
	])('if it %s', async (_, row) => {
		expect(await shown([row, OF_ANOTHER])).toEqual([row]);
	});

	test.each<[string, Fields]>([
		['names another conversation', { ...OF_ANOTHER, from: ANNA, is_outbound: false }],
		['is from another customer', { from: BEN, is_outbound: false }],
		['is to another customer', { to: BEN, is_outbound: true }],
		['is between others, and does not say which way it went', { from: BEN, to: LINE }],
		['is to another line, and does not say which way it went', { from: ANNA, to: OTHER_LINE }],
		['is to another line', { to: OTHER_LINE, is_outbound: false }],
		['is of another line by its ID', { from: ANNA, to: LINE, line_handle: 'l2' }],
	])('and not if it %s', async (_, row) => {
		expect(await shown([row])).toEqual([]);
	});
});

describe('§2.6 a row that does not say whose it is', () => {
	const unsaid = [{ to: LINE, is_outbound: false }, { to: LINE }, { status: 'QUEUED' }];

	test('counts, as the service was asked for this conversation', async () => {
		expect(await shown(unsaid)).toEqual(unsaid);
	});

	test.each([
		['before', [OF_ANOTHER, ...unsaid]],
		['behind', [...unsaid, OF_ANOTHER]],
	])('does not count where the service shows another conversation %s it', async (_, rows) => {
		expect(await shown(rows)).toEqual([]);
	});

	test('does not count beside another conversation that nobody has asked for', async () => {
		const isWanted = ({ message }: HistoryRow) => message.conversation_handle !== 'c2';

		expect(await shown([...unsaid, OF_ANOTHER], { conversation: CONVERSATION, isWanted })).toEqual(
			[],
		);
	});
});

test('rows of all conversations count where none is named, if they are wanted', async () => {
	const isWanted = ({ message }: HistoryRow) => message.from === undefined;

	expect(await shown([OF_ANOTHER, { from: BEN }], { isWanted })).toEqual([OF_ANOTHER]);
});
