import type { EventContent } from '../../nodes/TwoWayMessaging/trigger/event';
import { judge, readFilters, refusalOfFilters } from '../../nodes/TwoWayMessaging/trigger/filters';

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
	judge(event, readFilters(filled)) !== 'fails';
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

	describe('for a line do not know', () => {
		const on = (line: { line_handle?: string; to?: string }, lines: unknown) =>
			judge({ kind: 'receive', message: { content: 'hello', ...line } }, readFilters({ lines }));
		const handle = { line_handle: 'l1' };
		const number = { to: '+15550100001' };
		const [otherHandle, otherNumber] = [{ line_handle: 'l2' }, { to: '+15550100002' }];

		test('whose an event is that names none, and let it through, as it must not be lost', () => {
			for (const lines of ['l1', '+15550100001', ['l1 +15550100001'], 'undefined']) {
				expect(on({}, lines)).toBe('unsaid');
			}
		});

		test('whether a handle and a number are of the same line', () => {
			expect([on(number, 'l1'), on(otherNumber, 'l1')]).toEqual(['unsaid', 'unsaid']);
			expect([on(handle, '+15550100001'), on(otherHandle, '+15550100001')]).toEqual([
				'unsaid',
				'unsaid',
			]);
			expect([on(otherHandle, 'l1, +15550100001'), on(otherNumber, 'l1, +15550100001')]).toEqual([
				'unsaid',
				'unsaid',
			]);
		});

		test('nothing more of a line that was chosen from the list, which has both', () => {
			const chosen = ['l1 +15550100001'];
			expect([on(handle, chosen), on(number, chosen)]).toEqual(['passes', 'passes']);
			expect([on(otherHandle, chosen), on(otherNumber, chosen)]).toEqual(['fails', 'fails']);
		});

		test.each(['ab1234567', '1234567ab', '7b1f6a52-3c0d'])(
			'nothing more of a line whose handle “%s” has digits, and knows it by its handle',
			(digits) => {
				const chosen = [`${digits}  0015550100001`];
				expect([on({ line_handle: digits }, chosen), on(number, chosen)]).toEqual([
					...['passes', 'passes'],
				]);
				expect([on(otherHandle, chosen), on(otherNumber, chosen)]).toEqual(['fails', 'fails']);
				expect(on({ line_handle: digits }, digits)).toBe('passes');
			},
		);

		test('which of the names between spaces are of one line, where there are more than two', () => {
			expect(on(otherHandle, 'l1 l3 +15550100001')).toBe('unsaid');
		});

		test('anything but what is said: the same name lets an event through, another does not', () => {
			for (const lines of ['l1, +15550100001', ['l1 +15550100001'], 'l1, +1 (555) 010-0001']) {
				expect([on(handle, lines), on(number, lines)]).toEqual(['passes', 'passes']);
				expect(on({ ...otherHandle, ...number }, lines)).toBe('passes');
				expect(on({ ...otherHandle, ...otherNumber }, lines)).toBe('fails');
			}
			expect([on(otherHandle, 'l1'), on(otherNumber, '+15550100001')]).toEqual(['fails', 'fails']);
			expect(on({ ...handle, ...otherNumber }, '+15550100001')).toBe('fails');
		});

		test('whether digits are a handle or a short code, until an event says both', () => {
			expect(on({ to: '12345' }, '12345')).toBe('passes');
			expect(on({ line_handle: '12345' }, '12345')).toBe('passes');
			expect([on(handle, '12345'), on(number, '12345')]).toEqual(['unsaid', 'unsaid']);
			expect(on({ ...handle, ...number }, '12345')).toBe('fails');
		});
	});

	test('do not know what they ask about and an event does not say', () => {
		const unsaid = (event: EventContent, filled: Record<string, unknown>) =>
			judge(event, readFilters(filled));
		const message = { from: '+15551230001' };
		const kinds = [
			{ kind: 'receive', message },
			{ kind: 'outbound', message },
		] as const;
		for (const event of kinds) expect(unsaid(event, { channel: ['SMS'] })).toBe('unsaid');
		expect(unsaid(kinds[0], { contains: 'price' })).toBe('unsaid');
		expect(unsaid(kinds[0], { textIs: 'price', optOutWords: 'include' })).toBe('unsaid');
		expect(unsaid(kinds[0], { optOutWords: 'only' })).toBe('unsaid');
		expect(unsaid(kinds[0], {})).toBe('unsaid');
		expect(unsaid(kinds[0], { optOutWords: 'include' })).toBe('passes');
		expect(unsaid(kinds[1], { outcome: 'failed' })).toBe('unsaid');
		expect(unsaid(kinds[1], {})).toBe('passes');
		expect(unsaid({ kind: 'receive', message: { content: 'hi' } }, { notFrom: '+1555' })).toBe(
			'unsaid',
		);
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

	const picture = (content: string | null): EventContent => ({
		kind: 'receive',
		message: { ...received.message, content, media_url: 'https://files.example/cat.jpg' },
	});

	test('for a text, whatever it is, leave out a picture without text', () => {
		for (const contains of 'abcdefghijklmnopqrstuvwxyz!?') {
			expect(lets(picture(null), { contains })).toBe(false);
			expect(lets(picture(''), { contains })).toBe(false);
		}
	});

	test('for a text do not know what a message says that has neither text nor media', () => {
		for (const content of [null, '']) {
			expect(judge(saying(content), readFilters({ contains: 'price' }))).toBe('unsaid');
			expect(judge(saying(content), readFilters({}))).toBe('unsaid');
			expect(judge(picture(content), readFilters({}))).toBe('passes');
		}
	});

	test('for a text do not know what a message says that names only its media', () => {
		const message = { from: '+15551230001', media_url: 'https://files.example/cat.jpg' };
		for (const filled of [{ contains: 'cat' }, { contains: 'cat', optOutWords: 'include' }]) {
			expect(judge({ kind: 'receive', message }, readFilters(filled))).toBe('unsaid');
		}
	});

	test.each([
		['price', false],
		['What is the price', true],
		[' what is the PRICE? ', true],
		['hours, what is the price', true],
		['hours', false],
	])(
		'for the words “%s”, which have to be all, let “What is the PRICE?” through: %s',
		(textIs, is) => {
			expect(lets(received, { textIs })).toBe(is);
		},
	);

	test('for words take a question mark alone for a word, and a picture without text for none', () => {
		expect(lets(saying('?'), { textIs: 'menu, ?' })).toBe(true);
		expect(lets(saying('menu!'), { textIs: 'menu, ?' })).toBe(true);
		expect(lets(saying('a menu'), { textIs: 'menu, ?' })).toBe(false);
		expect(lets(picture(null), { textIs: 'menu, ?' })).toBe(false);
	});

	test.each([
		['+1 (555) 123-0001', false],
		['+15559990000; +15551230001', false],
		['+15559990000', true],
		['', true],
	])(
		'for who is not to start it, “%s” lets a text from +15551230001 through: %s',
		(notFrom, is) => {
			expect(lets(received, { notFrom })).toBe(is);
			expect(lets(received, { from: '+15551230001', notFrom })).toBe(is);
		},
	);

	test('for senders let a text through that names none', () => {
		const message = { ...received.message };
		delete message.from;
		const unnamed: EventContent = { kind: 'receive', message };
		expect(lets(unnamed, { from: '+15559990000', notFrom: '+15551230001' })).toBe(true);
	});

	describe.each([
		'STOP',
		'Stop!!..',
		`STOP${'!'.repeat(36)}`,
		'stop',
		' Stop. ',
		'unsubscribe',
		'STOPALL',
		'cancel',
		'end',
		'QUIT!',
		'START',
		'unstop',
	])('§1.5 take “%s” for a word of consent, which', (content) => {
		test.each([
			[{}, false],
			[{ optOutWords: 'ignore' }, false],
			[{ optOutWords: 'include' }, true],
			[{ optOutWords: 'only' }, true],
		])('%j lets through: %s', (filled, is) => {
			expect(lets(saying(content), filled)).toBe(is);
		});
	});

	test.each(['please stop by', 'start now', 'the end', `${' '.repeat(50)}hi`, 'constructor'])(
		'take “%s” for a text as every other',
		(content) => {
			expect(lets(saying(content), {})).toBe(true);
			expect(lets(saying(content), { optOutWords: 'only' })).toBe(false);
		},
	);

	test('§2.2 compare the channel of messages, in the spelling of either form', () => {
		const bySms: EventContent = { ...received, message: { ...received.message, service: 'SMS' } };
		expect(lets(bySms, { channel: ['SMS', 'RCS'] })).toBe(true);
		expect(lets(bySms, { channel: ['sms'] })).toBe(true);
		expect(lets(bySms, { channel: ['iMessage'] })).toBe(false);
		const sentBySms: EventContent = { ...sent, message: { ...sent.message, service: 'SMS' } };
		expect(lets(sentBySms, { channel: ['iMessage'] })).toBe(false);
	});

	test('for a channel let a message through that names none', () => {
		expect(lets(received, { channel: ['iMessage'] })).toBe(true);
		expect(
			lets({ ...sent, message: { ...sent.message, service: null } }, { channel: ['SMS'] }),
		).toBe(true);
	});

	test.each([
		[{ status: 'ERROR' }, false, true],
		[{ error_message: 'Undeliverable' }, false, true],
		[{ status: 'SENT' }, true, false],
		[{ status: 'DELIVERED', error_message: null }, true, false],
		[{}, true, true],
	])('let %j through as sent: %s, as failed: %s', (said, asSent, asFailed) => {
		const outbound: EventContent = { kind: 'outbound', message: { ...sent.message, ...said } };
		expect(lets(outbound, { outcome: 'sent' })).toBe(asSent);
		expect(lets(outbound, { outcome: 'failed' })).toBe(asFailed);
		expect(lets(outbound, { outcome: 'any' })).toBe(true);
	});

	test('for sender, text and opt-out words count for received messages only', () => {
		const filled = { from: '+15559990000', contains: 'price', textIs: 'x', optOutWords: 'only' };
		expect(lets(sent, filled)).toBe(true);
		expect(lets(blocked, { ...filled, channel: ['SMS'], outcome: 'failed' })).toBe(true);
	});

	test('for an outcome count for messages of ours only', () => {
		expect(
			lets(
				{ ...received, message: { ...received.message, status: 'RECEIVED' } },
				{ outcome: 'failed' },
			),
		).toBe(true);
	});
});

describe('a filter whose expression gives no text', () => {
	const menu: EventContent = saying('menu');
	const answer: EventContent = saying('42');
	const byRcs: EventContent = { ...received, message: { ...received.message, service: 'RCS' } };
	const failed: EventContent = { ...sent, message: { ...sent.message, status: 'ERROR' } };

	test.each<[string, unknown, EventContent, unknown]>([
		['from', ['+15551230001'], received, ['+15559990000']],
		['from', 15551230001, received, 15559990000],
		['from', [[15559990000], '+15551230001'], received, [15559990000]],
		['notFrom', ['+15559990000'], received, ['+15551230001']],
		['notFrom', 15559990000, received, 15551230001],
		['channel', 'rcs', byRcs, 'SMS'],
		['channel', 'SMS, RCS', byRcs, 'SMS, iMessage'],
		['lines', 15550100001, received, 15550100002],
		['lines', [15550100001], received, [15550100002]],
		['textIs', ['menu', 'help'], menu, ['help']],
		['textIs', 42, answer, 43],
		['contains', 42, answer, 43],
		['contains', ['43', 'EN'], menu, ['43', '44']],
		['contains', true, saying('That is true'), false],
		['outcome', 'Failed', failed, 'Sent'],
		['optOutWords', 'Include', saying('STOP'), 'Ignore'],
	])('filters as its text does: %s with %j', (name, passing, event, failing) => {
		expect(lets(event, { [name]: passing })).toBe(true);
		expect(lets(event, { [name]: failing })).toBe(false);
		expect(refusalOfFilters({ [name]: passing })).toBeUndefined();
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
		['notFrom', { phone: '+15551230001' }],
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
	test.each(['0151 2345678', 'somebody', '+0151', '+1234567890123456', '7', '+1555123000l'])(
		'as “%s” is',
		(entry) => {
			const refusal = expect.stringContaining(`No message can come from “${entry}”`) as string;
			expect(refusalOfFilters({ from: `+15551230001, ${entry}` })).toEqual(refusal);
			expect(refusalOfFilters({ notFrom: entry })).toEqual(refusal);
		},
	);

	test('in a list or as a number, too', () => {
		expect(refusalOfFilters({ from: ['+15551230001', 'somebody'] })).toContain('“somebody”');
		expect(refusalOfFilters({ notFrom: 7 })).toContain('“7”');
	});

	test.each([
		'+15551230001',
		'15551230001',
		'0044 20 7946 0958',
		'+44 (0)20 7946 0958',
		'12345',
		'',
	])('as “%s” is not', (entry) => {
		expect(refusalOfFilters({ from: entry, notFrom: entry })).toBeUndefined();
	});
});
