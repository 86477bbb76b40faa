import type { EventContent } from '../../nodes/TwoWayMessaging/trigger/event';
import { filtersField } from '../../nodes/TwoWayMessaging/trigger/filterFields';
import { judge, readFilters, refusalOfFilters } from '../../nodes/TwoWayMessaging/trigger/filters';

type Filled = Record<string, unknown>;

const message = {
	message_handle: 'a1',
	from: '+15551230001',
	to: '+15550100001',
	content: 'What is the PRICE?',
	line_handle: 'l1',
};
const received = (more: object = {}): EventContent => ({
	kind: 'receive',
	message: { ...message, ...more },
});
const sent = (more: object = {}): EventContent => ({
	kind: 'outbound',
	message: { ...message, from: message.to, to: message.from, content: 'STOP', ...more },
});
const line = { line_handle: 'l1', number: '+15550100001' };
const blocked: EventContent = { kind: 'line_blocked', line };
const ofEachKind = [received(), sent(), blocked, { ...blocked, kind: 'line_unblocked' as const }];

const saying = (content?: string | null, more: object = {}): EventContent => ({
	kind: 'receive',
	message: { from: '+15551230001', ...(content !== undefined && { content }), ...more },
});
const media = { media_url: 'https://files.example/cat.jpg' };

/** The names of the panel's fields. */
const NAMES = (filtersField.options ?? []).map(({ name }) => name);

const says = (event: EventContent, filled: Filled) => judge(event, readFilters(filled));
const lets = (event: EventContent, filled: Filled) => says(event, filled) !== 'fails';

test('filters that are empty let every event through', () => {
	for (const event of ofEachKind) {
		expect(lets(event, {})).toBe(true);
		expect(lets(event, { lines: [], from: ' ', notFrom: '', contains: '' })).toBe(true);
	}
});

describe('a filter for a line', () => {
	test.each([
		['a handle', ['l1'], true],
		['a handle with its prefix (§6.2)', ['line_l1'], true],
		['a number', ['+15550100001'], true],
		['a choice from the list, which is both', ['l1 +15550100001'], true],
		['a text with commas, semicolons and lines', 'l8, l9;\n l1', true],
		['another choice', ['l2 +15550100002'], false],
	])('compares %s', (_, lines, isOne) => {
		for (const event of ofEachKind) expect(lets(event, { lines })).toBe(isOne);
	});

	const on = (of: { line_handle?: string; to?: string }, lines: unknown) =>
		says({ kind: 'receive', message: { content: 'hello', ...of } }, { lines });
	const handle = { line_handle: 'l1' };
	const number = { to: '+15550100001' };
	const [otherHandle, otherNumber] = [{ line_handle: 'l2' }, { to: '+15550100002' }];

	test.each<[unknown, object]>([
		[['l1 +15550100001'], {}],
		['undefined', {}],
		['l1', number],
		['+15550100001', otherHandle],
		['l1, +15550100001', otherHandle],
		['l1, +15550100001', otherNumber],
		['12345', handle],
		['12345', number],
	])('%j does not know whether the line of an event is it: %j', (lines, of) => {
		expect(on(of, lines)).toBe('unsaid');
	});

	test.each<[string, unknown]>([
		['was chosen from the list', ['l1 +15550100001']],
		['was typed, as its two names', 'l1, +1 (555) 010-0001'],
	])('knows both names of a line that %s', (_, lines) => {
		expect([on(handle, lines), on(number, lines)]).toEqual(['passes', 'passes']);
		expect(on({ ...otherHandle, ...number }, lines)).toBe('passes');
		expect(on({ ...otherHandle, ...otherNumber }, lines)).toBe('fails');
	});

	test.each(['ab1234567', '1234567ab', '7b1f6a52-3c0d', 'l1'])(
		'knows a chosen line by its handle alone, also by one that has digits: “%s”',
		(digits) => {
			const chosen = [`${digits}  0015550100001`];
			expect([on({ line_handle: digits }, chosen), on(number, chosen)]).toEqual([
				...['passes', 'passes'],
			]);
			expect([on(otherHandle, chosen), on(otherNumber, chosen)]).toEqual(['fails', 'fails']);
			expect(on({ line_handle: digits }, digits)).toBe('passes');
		},
	);

	test('knows another line by what both name, and digits by a handle or a short code', () => {
		expect([on(otherHandle, 'l1'), on(otherNumber, '+15550100001')]).toEqual(['fails', 'fails']);
		expect(on({ ...handle, ...otherNumber }, '+15550100001')).toBe('fails');
		expect(on({ to: '12345' }, '12345')).toBe('passes');
		expect(on({ line_handle: '12345' }, '12345')).toBe('passes');
		expect(on({ ...handle, ...number }, '12345')).toBe('fails');
	});
});

test.each<[Filled, EventContent]>([
	[{ channel: ['SMS'] }, saying('hi')],
	[{ channel: ['SMS'] }, sent({ service: null })],
	[{ contains: 'price' }, saying()],
	[{ contains: 'price' }, saying('')],
	[{ contains: 'cat', optOutWords: 'include' }, saying(undefined, media)],
	[{ textIs: 'price', optOutWords: 'include' }, saying()],
	[{ optOutWords: 'only' }, saying()],
	[{}, saying(null)],
	[{ outcome: 'failed' }, sent()],
	[{ from: '+15559990000' }, received({ from: undefined })],
	[{ notFrom: '+1555' }, received({ from: undefined })],
])('%j does not know what an event does not say, and lets it through: %j', (filled, event) => {
	expect(says(event, filled)).toBe('unsaid');
});

test.each<[string, Filled, EventContent]>([
	['opt-out words are included', { optOutWords: 'include' }, saying()],
	['it is a picture without a text', {}, saying('', media)],
	['it is one of ours', {}, sent()],
])('nothing is unsaid where %s', (_, filled, event) => {
	expect(says(event, filled)).toBe('passes');
});

test.each<[Filled, boolean]>([
	[{ from: '+1 (555) 123-0001' }, true],
	[{ from: '0015551230001' }, true],
	[{ from: '+15559990000, +15551230001' }, true],
	[{ from: '+15559990000' }, false],
	[{ from: '5551230001' }, false],
	[{ notFrom: '+1 (555) 123-0001' }, false],
	[{ notFrom: '+15559990000; +15551230001' }, false],
	[{ from: '+15551230001', notFrom: '+15551230001' }, false],
	[{ from: '+15551230001', notFrom: '+15559990000' }, true],
	[{ contains: 'price' }, true],
	[{ contains: ' price ' }, true],
	[{ contains: 'is the' }, true],
	[{ contains: 'hours' }, false],
	[{ textIs: 'price' }, false],
	[{ textIs: 'What is the price' }, true],
	[{ textIs: ' what is the PRICE? ' }, true],
	[{ textIs: 'hours, what is the price' }, true],
])('%j let “What is the PRICE?” from +15551230001 through: %s', (filled, isLet) => {
	expect(lets(received(), filled)).toBe(isLet);
});

test('a filter for a text, whatever it is, leaves out a picture without text', () => {
	for (const contains of 'abcdefghijklmnopqrstuvwxyz!?') {
		for (const content of [null, '']) {
			expect(lets(saying(content, media), { contains })).toBe(false);
		}
	}
});

test('a filter for words takes a question mark alone for a word, and a picture without text for none', () => {
	const passing = ['?', 'menu!', 'a menu'].map((text) => lets(saying(text), { textIs: 'menu, ?' }));
	expect(passing).toEqual([true, true, false]);
	expect(lets(saying(null, media), { textIs: 'menu, ?' })).toBe(false);
});

test.each(['STOP', ' Stop!!.. ', 'START'])(
	'§1.5 “%s” is a word of consent, which only the filter of opt-out words lets through',
	(text) => {
		const withWords = ['', 'ignore', 'include', 'only'].map((optOutWords) =>
			lets(saying(text), optOutWords ? { optOutWords } : {}),
		);
		expect(withWords).toEqual([false, false, true, true]);
	},
);

test.each(['please stop by', 'start now', 'the end', `${' '.repeat(50)}hi`, 'constructor'])(
	'“%s” is a text as every other',
	(content) => {
		expect(lets(saying(content), {})).toBe(true);
		expect(lets(saying(content), { optOutWords: 'only' })).toBe(false);
	},
);

test('§2.2 the channel of messages is compared in the spelling of either form', () => {
	for (const bySms of [received({ service: 'SMS' }), sent({ service: 'SMS' })]) {
		expect(lets(bySms, { channel: ['SMS', 'RCS'] })).toBe(true);
		expect(lets(bySms, { channel: ['sms'] })).toBe(true);
		expect(lets(bySms, { channel: ['iMessage'] })).toBe(false);
	}
});

test.each([
	[{ status: 'ERROR' }, false, true],
	[{ error_message: 'Undeliverable' }, false, true],
	[{ status: 'DELIVERED', error_message: null }, true, false],
	[{}, true, true],
])('%j passes as sent: %s, as failed: %s', (said, asSent, asFailed) => {
	const passes = ['sent', 'failed', 'any'].map((outcome) => lets(sent(said), { outcome }));
	expect(passes).toEqual([asSent, asFailed, true]);
});

test('filters for sender, text and opt-out words count for received messages only', () => {
	const filled = { from: '+15559990000', contains: 'price', textIs: 'x', optOutWords: 'only' };
	expect(lets(sent(), filled)).toBe(true);
	expect(lets(blocked, { ...filled, channel: ['SMS'], outcome: 'failed' })).toBe(true);
});

test('the filter for an outcome counts for messages of ours only', () => {
	expect(lets(received({ status: 'RECEIVED' }), { outcome: 'failed' })).toBe(true);
});

describe('a filter whose expression gives no text', () => {
	const byRcs = received({ service: 'RCS' });
	const menu = saying('menu');

	test.each<[string, unknown, EventContent, unknown]>([
		['from', ['+15551230001'], received(), ['+15559990000']],
		['from', 15551230001, received(), 15559990000],
		['from', [[15559990000], '+15551230001'], received(), [15559990000]],
		['notFrom', ['+15559990000'], received(), ['+15551230001']],
		['channel', 'rcs', byRcs, 'SMS'],
		['channel', 'SMS, RCS', byRcs, 'SMS, iMessage'],
		['lines', 15550100001, received(), 15550100002],
		['textIs', ['menu', 'help'], menu, ['help']],
		['textIs', 42, saying('42'), 43],
		['contains', 42, saying('42'), 43],
		['contains', ['43', 'EN'], menu, ['43', '44']],
		['outcome', 'Failed', sent({ status: 'ERROR' }), 'Sent'],
		['optOutWords', 'Include', saying('STOP'), 'Ignore'],
	])('filters as its text does: %s with %j', (name, passing, event, failing) => {
		expect(lets(event, { [name]: passing })).toBe(true);
		expect(lets(event, { [name]: failing })).toBe(false);
		expect(refusalOfFilters({ [name]: passing })).toBeUndefined();
	});

	test.each(NAMES)('as every field of the panel does: %s', (name) => {
		// The one is a choice of Outcome, the other of Opt-Outs; each is a text for the others.
		const read = ['sent', 'only'].map((value) => readFilters({ [name]: value }));
		expect(read).not.toEqual([readFilters({}), readFilters({})]);
		expect(refusalOfFilters({ [name]: { phone: '+15551230001' } })).toContain('cannot be a filter');
	});

	test.each(['from', 'channel', 'lines', 'textIs', 'contains'])(
		'but an object is no filter, and lets nothing through: %s',
		(name) => {
			for (const value of [{ phone: '+15551230001' }, [{ menu: 'menu' }]]) {
				expect(lets(byRcs, { [name]: value })).toBe(false);
				expect(refusalOfFilters({ [name]: value })).toContain('cannot be a filter');
			}
		},
	);

	test.each([
		['outcome', 'delivered'],
		['outcome', ['sent', 'failed']],
		['optOutWords', true],
	])('but is none of the choices: %s with %j', (name, value) => {
		expect(refusalOfFilters({ [name]: value })).toMatch(/^“.+” cannot be a filter/);
	});

	test.each([undefined, null, '', [], [''], [[], null]])('and no value at all, as %j', (value) => {
		for (const name of ['from', 'notFrom', 'channel', 'lines', 'textIs', 'contains']) {
			expect(lets(byRcs, { [name]: value })).toBe(true);
			expect(refusalOfFilters({ [name]: value })).toBeUndefined();
		}
	});
});

describe('a number in a filter can be nobody’s', () => {
	test.each([
		...['0151 2345678', 'somebody', '+0151', '+1234567890123456', '7', '+1555123000l'],
		// Numbers as they are dialled inside a country.
		...['555 0009', '(555) 123-0009', '415 555 0123', '4155550123'],
	])('as “%s” is', (entry) => {
		const refusal = `No message can come from “${entry}”`;
		expect(refusalOfFilters({ from: `+15551230001, ${entry}` })).toContain(refusal);
		expect(refusalOfFilters({ from: ['+15551230001', entry] })).toContain(refusal);
		expect(refusalOfFilters({ notFrom: entry })).toContain(refusal);
	});

	test.each(['15551230001', '0044 20 7946 0958', '+44 (0)20 7946 0958', '12345', ''])(
		'as “%s” is not',
		(entry) => expect(refusalOfFilters({ from: entry, notFrom: entry })).toBeUndefined(),
	);
});
