type Last = {
	message_handle: string;
	conversation_handle: string;
	is_outbound: boolean;
	date_sent: string | null;
	created_at: string;
};
type Unread = {
	update: (state: { now: string; conversations: object[] }, lookedAt: string) => Set<string>;
	saw: (message: Last) => void;
};

const { createUnread } = jest.requireActual<{ createUnread: () => Unread }>(
	'../../sandbox/src/phone/unread.js',
);

const NOW = '2026-01-05T09:00:00Z';
const EARLIER = '2026-01-05T08:00:00Z';

const message = (conversation: string, handle: string, fields: Partial<Last> = {}): Last => ({
	message_handle: handle,
	conversation_handle: conversation,
	is_outbound: true,
	date_sent: NOW,
	created_at: NOW,
	...fields,
});
const stateOf = (...lasts: Last[]) => ({
	now: NOW,
	conversations: lasts.map((last) => ({
		conversation_handle: last.conversation_handle,
		last_message: last,
	})),
});

describe('The phone marks a conversation', () => {
	test('where the line has written while another one was open', () => {
		const unread = createUnread();
		unread.update(stateOf(message('a', '1'), message('b', '2')), 'a');
		const marked = unread.update(stateOf(message('a', '3'), message('b', '4')), 'a');
		expect([...marked]).toEqual(['b']);
	});

	test('but not for a message that was on the screen before the state had it', () => {
		const unread = createUnread();
		unread.update(stateOf(message('a', '1'), message('b', '2')), 'a');
		unread.saw(message('a', '3'));
		const marked = unread.update(stateOf(message('a', '3'), message('b', '2')), 'b');
		expect([...marked]).toEqual([]);
	});

	test('but not for a message that failed before the page was opened, and that "Show more" has brought', () => {
		const unread = createUnread();
		unread.update(stateOf(message('a', '1')), 'a');
		const failed = message('b', '2', { date_sent: null, created_at: EARLIER });
		expect([...unread.update(stateOf(message('a', '1'), failed), 'a')]).toEqual([]);
	});
});
