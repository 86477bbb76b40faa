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
	faultSentence: (fault: object) => string;
	turnedAwayText: (path: string, body: string | null) => string;
	whyNothing: (answer: string) => string | undefined;
	meansAnswer: (answer: string) => string | undefined;
	messageStatus: (row: { status: string; created_at?: string }) => string;
	timeOf: (iso: string) => string;
	whenOf: (iso: string, nowIso: string) => string;
};

// The compiler does not read the phone's scripts, so this test checks that they know every kind.
const words = jest.requireActual<Words>('../../sandbox/src/phone/words.js');

describe('The phone has plain words', () => {
	test.each<[string, readonly string[], (word: string) => string | undefined, RegExp]>([
		['event', EVENT_KINDS, words.eventName, /^[A-Z]\w* /],
		['fault', FAULT_KINDS, words.faultText, /^[a-z].*[a-z](?: \(\d{3}\))?$/],
		['state of a delivery', DELIVERY_STATES, words.deliveryState, /^[A-Z]\w/],
		['status', MESSAGE_STATUSES, (status) => words.messageStatus({ status }), /^[A-Z][a-z]/],
		['call', Object.values(PATHS), words.callName, /^[A-Z][a-z]+ /],
		['character', CHARACTER_NAMES, (name) => words.CHARACTERS[name], /^(sends|does) .*\.$/],
	])('for each %s', (_, names, said, form) => {
		for (const name of names) {
			expect([name, said(name)]).toEqual([name, expect.stringMatching(form)]);
			expect(said(name)).not.toMatch(/JSON|HTML|Retry-After|request/);
		}
	});

	test('for each refusal, of a call and of the shop’s message', () => {
		for (const sentence of Object.values(REFUSALS)) {
			const body = JSON.stringify({ status: 'error', error_message: sentence });
			const said = words.answerText({ status: 422, body });
			expect(said).toMatch(/^Refused: [a-z]/);
			expect(said).not.toContain(sentence);
		}
		const said = 'The shop’s message was refused: the line is blocked';
		expect(words.refusalText(REFUSALS.lineBlocked)).toBe(said);
		expect(words.refusalText(REFUSALS.lineBlocked, 'Support')).toBe(`${said} (Support)`);
		expect(words.refusalText('Something new')).toMatch(/refused: Something new$/);
	});

	test('for each answer to a call, and of n8n to an event', () => {
		for (const status of [200, 201, 202, 400, 401, 404, 409, 413, 418, 422, 429, 500, 502, 503]) {
			expect(words.answerText({ status, body: null })).toMatch(/^[A-Z][a-z]+( |$)/);
		}
		expect([200, 404, 500, 418, null].map(words.receiverText)).toEqual([
			...['has it', 'has no such webhook any more', 'broke down', 'did not take it'],
			'did not answer',
		]);
	});

	test('for an event that starts nothing those of n8n, and for no other one', () => {
		const why = 'the filters leave it out';
		const answers = [`starts nothing: ${why}`, '', '{"message":"Workflow was started"}'];
		expect(answers.map(words.whyNothing)).toEqual([why, undefined, undefined]);
	});

	test.each([
		[{ times: 1 }, 'The next time a workflow wants to send a message, the service hangs up'],
		[{ times: 3 }, 'The next 3 times a workflow wants to send a message, the service hangs up'],
		[{ times: null, probability: 0.2 }, 'does nothing, by chance in 20 of 100 cases.'],
		[{ times: null }, 'Each time a workflow wants to'],
	])('for the pending fault %j, which has not happened yet', (fields, said) => {
		const fault = { path: '/v1/send-message', kind: 'reset-before', ...fields };
		expect(words.faultSentence(fault)).toContain(said);
	});

	test.each([
		[
			'/v1/send-message',
			'{"number":"+1555","content":"hi"}',
			'A workflow tried to text +1555 “hi”',
		],
		['/v1/send-message', null, 'A workflow tried to send a message'],
		['/v2/messages', null, 'n8n tried to read the history'],
	])('for who was turned away at %s with %s', (path, body, said) => {
		const why = 'the key or the secret in its credential is not right.';
		expect(words.turnedAwayText(path, body)).toBe(`${said}: ${why}`);
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

	test.each([
		[{ data: { message: { from: '+1555', to: '+1556', text: 'hello' } } }, '+1555 “hello”'],
		[{ event: 'receive', from: '+1555', to: '+1556', content: 'hello' }, '+1555 “hello”'],
		[{ data: { message: { from: '+1555', media_url: 'https://x' } } }, '+1555 Attachment'],
		[{ data: { message: { to: '+1555', text: 'hi', direction: 'outbound' } } }, '+1555 “hi”'],
		[{ data: { line: { line_handle: 'l1', number: '+1556' } } }, '+1556'],
		[{ data: { line_handle: 'l1', number: '+1556' } }, '+1556'],
		[{}, ''],
	])('for what the event %j is about', (body, said) => {
		expect(words.eventContent(JSON.stringify(body))).toBe(said);
	});

	test('for a time of today, of this year and of another year, also of what has not been sent', () => {
		const [at, now] = ['2026-01-05T09:30:00Z', '2026-01-05T12:00:00Z'];
		const time = words.timeOf(at);
		expect(words.whenOf(at, now)).toBe(time);
		expect(words.whenOf('2026-01-03T12:30:00Z', now)).toMatch(/^(Jan 3|3 Jan)$/);
		expect(words.whenOf('2025-12-30T12:30:00Z', now)).toMatch(/30.*2025/);
		expect(words.messageStatus({ status: 'ERROR', created_at: at })).toBe(`Not sent · ${time}`);
	});
});

type Entry = {
	kind: string;
	at: string;
	entry: { id: string; path?: string; fault?: string | null; answer?: { status: number } | null };
};
type Row = { key: string; kind: string; looks?: Array<{ id: string; path: string }> };
type Looks = {
	foldLooks: (entries: Entry[]) => Row[];
	looksText: (looks: Array<{ path: string }>) => string;
};

const { foldLooks, looksText } = jest.requireActual<Looks>('../../sandbox/src/phone/looks.js');

const call = (id: string, path = '/v2/messages?limit=100', fields: object = {}): Entry => ({
	kind: 'call',
	at: '2026-01-05T09:00:00Z',
	entry: { id, path, fault: null, answer: { status: 200 }, ...fields },
});
const event = (id: string): Entry => ({ kind: 'event', at: '2026-01-05T09:00:00Z', entry: { id } });

const rows = (...entries: Entry[]) =>
	foldLooks(entries).map(({ kind, looks }) => looks?.length ?? kind);

describe('The phone’s log', () => {
	test('folds looks at the history and the lines that stand one after the other', () => {
		expect(
			rows(call('6'), call('5', '/v1/lines'), event('4'), call('3'), call('2', '/v1/send-message')),
		).toEqual([2, 'event', 1, 'call']);
	});

	test.each([
		['a look without an answer yet', { answer: null }],
		['a look that was refused', { answer: { status: 429 } }],
		['a look with a fault that a person asked for', { fault: 'slow' }],
	])('shows %s for itself', (_, fields) => {
		expect(rows(call('3'), call('2', '/v2/messages', fields), call('1'))).toEqual([1, 'call', 1]);
	});

	test('keeps a row the same one while looks come in, so that it stays open', () => {
		const before = foldLooks([call('3'), call('2'), event('1')]);
		const after = foldLooks([call('4'), call('3'), call('2'), event('1')]);
		expect(after.map(({ key }) => key)).toEqual(before.map(({ key }) => key));
	});

	test.each([
		[['/v2/messages'], '1 look at the history'],
		[['/v1/lines', '/v2/messages', '/v2/messages?a'], '2 looks at the history, 1 at the lines'],
		[['/v1/lines', '/v1/lines'], '2 looks at the lines'],
	])('says of looks at %j: %s', (paths, text) => {
		expect(looksText(paths.map((path) => ({ path })))).toBe(text);
	});
});

type Last = { conversation_handle: string };
type Unread = {
	update: (state: { now: string; conversations: object[] }, lookedAt: string) => Set<string>;
	saw: (message: Last) => void;
};

const { createUnread } = jest.requireActual<{ createUnread: () => Unread }>(
	'../../sandbox/src/phone/unread.js',
);

const NOW = '2026-01-05T09:00:00Z';

const message = (conversation_handle: string, message_handle: string, more = {}): Last => ({
	...{ message_handle, conversation_handle, is_outbound: true },
	...{ date_sent: NOW, created_at: NOW, ...more },
});
const failedEarlier = { date_sent: null, created_at: '2026-01-05T08:00:00Z' };

test.each([
	['where the line has written while another one was open', 'a', [message('b', '4')], ['b']],
	['but not for what was on the screen before the state had it', 'b', [message('a', '3')], []],
	['nor for what failed earlier and comes later', 'a', [message('c', '5', failedEarlier)], []],
])('The phone marks a conversation %s', (_, lookedAt, news, marked) => {
	const stateOf = (...lasts: Last[]) => ({
		now: NOW,
		conversations: lasts.map((last_message) => ({ ...last_message, last_message })),
	});
	const [one, other] = [message('a', '1'), message('b', '2')];
	const unread = createUnread();
	unread.update(stateOf(one, other), 'a');
	unread.saw(message('a', '3'));
	expect([...unread.update(stateOf(...news), lookedAt)]).toEqual(marked);
});
