import type { IDataObject } from 'n8n-workflow';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import type { Run } from '../support/engine';
import { TestService } from '../support/service';
import { startStub } from '../support/stub';
import { fastMemory, TestClock } from '../support/testClock';

/* What holds for a list of items, and not for a single one. */

const LINE = '7b1f6a52-3c0d-4c5e-9a44-0d8f2f6b1a01';
const LINE_NUMBER = '+15550100001';
const SEND = {
	resource: 'message',
	operation: 'send',
	number: '={{ $json.number }}',
	content: '={{ $json.content }}',
};
const STOPPING = { ...SEND, options: { ifOptedOut: 'fail' } };
const CONTINUE = { onError: 'continueRegularOutput' as const };

const listOf = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, at) => ({
		number: `+1555123${String(at).padStart(4, '0')}`,
		content: `hello ${at}`,
	}));

const [ANNA = {}, BEN = {}, CARLA = {}] = listOf(3);
const SENT_TO_BEN = { to: BEN.number, content: BEN.content, status: 'ERROR', is_outbound: true };
const ANNAS_NUMBER = '+15551230000';
const BENS_NUMBER = '+15551230001';

let service: TestService;

afterEach(async () => {
	await service.stop();
});

const hintsOf = (run: Run) => (run.data.Node?.[0]?.hints ?? []).map(({ message }) => message);

/** How often the service was asked for a path. */
async function timesAsked(path: string): Promise<number> {
	const { data } = await service.control.get<{ calls: Array<{ path: string }> }>('/sandbox/calls');
	return data.calls.filter((call) => call.path.startsWith(path)).length;
}

describe('all items are read before the first message leaves', () => {
	beforeEach(async () => {
		service = await TestService.start({ memory: fastMemory() });
	});

	const unusable = [
		{ title: 'a number', item: { ...BEN, number: '0151 234' }, message: 'in international format' },
		{ title: 'no number', item: { ...BEN, number: '' }, message: 'Phone Number is empty' },
		{ title: 'no text', item: { ...BEN, content: ' ' }, message: 'There is nothing to send' },
		{ title: 'a list', item: { ...BEN, content: ['hello'] }, message: 'Text is a list' },
		{
			title: 'an unknown line',
			item: { ...BEN, line: 'nobody' },
			message: 'The line does not exist or is not active',
		},
		...[
			'https://a:99999/x.jpg',
			'https://%/x',
			'https://[::1',
			'https:///x.jpg',
			'https://<b>',
		].map((mediaUrl) => ({
			title: `the URL ${mediaUrl}`,
			item: { ...BEN, media: 'url', mediaUrl },
			message: `Media URL “${mediaUrl}” is not a complete URL`,
		})),
		{
			title: 'a list of URLs',
			item: { ...BEN, media: 'url', mediaUrl: ['https://x/y', 'https://x/z'] },
			message: 'Media URL is a list, and not one URL',
		},
		{
			title: 'a number that no line has',
			item: { ...BEN, line: '+15559999999' },
			message: 'No line of yours has the number +15559999999',
		},
	];

	test.each(unusable)('$title refuses the run: nothing was sent', async ({ item, message }) => {
		const line = { __rl: true, mode: 'handle', value: `={{ $json.line ?? "${LINE}" }}` };

		const media = '={{ $json.media ?? "none" }}';
		const parameters = { ...SEND, line, media, mediaUrl: '={{ $json.mediaUrl }}' };

		const run = await service.run({ parameters, items: [ANNA, item, CARLA] });

		expect(run.nodeError('Node')).toMatchObject({
			message: expect.stringContaining(message),
			description: expect.stringMatching(
				/^Item 2[.,].*<br>Nothing was sent for any of the items\. To let the other 2 go, set On Error in the node's Settings to 'Continue'\.$/,
			),
		});
		expect(await service.rows()).toEqual([]);
	});

	test('a file that is missing refuses the run, and no other file is uploaded', async () => {
		const parameters = { ...SEND, media: '={{ $json.media }}', mediaUrl: 'https://example.com/a' };

		const run = await service.run({
			parameters,
			items: [
				{ ...ANNA, media: 'none' },
				{ ...BEN, media: 'binary' },
			],
		});

		expect(run.nodeError('Node')).toMatchObject({
			description: expect.stringContaining('Nothing was sent for any of the items.'),
		});
		expect(await service.rows()).toEqual([]);
	});

	test('one message names every item that cannot be used, a line each, with what to do', async () => {
		const odd = ['0151 2345678', '', '0151 8765432'].map((number) => ({ ...BEN, number }));
		const items = [ANNA, ...odd, { ...CARLA, content: '' }];

		const run = await service.run({ parameters: SEND, items });

		const { message, description, context } = run.nodeError('Node') ?? {};
		expect(message).toBe('4 of 5 items cannot be used');
		expect(description?.split('<br>')).toEqual([
			'Item 2: The phone number “0151 2345678” is not in international format.',
			'Item 4: The phone number “0151 8765432” is not in international format.',
			expect.stringContaining('choose their country'),
			'Item 3: Phone Number is empty.',
			expect.stringContaining('gives nothing for this item'),
			`Item 5, ${String(CARLA.number)}: There is nothing to send.`,
			'Fill in Text, or choose a Media to send, or both.',
			expect.stringContaining('Nothing was sent for any of the items. To let the other 1 go'),
		]);
		// n8n shows an item's number of its own behind the message, counted from 0, where an error has one.
		expect(context?.itemIndex).toBeUndefined();
		expect(await service.rows()).toEqual([]);
	});

	test('what is wrong with all of them is said once', async () => {
		const items = [{ ...ANNA, number: '' }, BEN, { ...CARLA, number: '' }];

		const run = await service.run({ parameters: SEND, items });

		const { message, description } = run.nodeError('Node') ?? {};
		expect(message).toBe('Phone Number is empty');
		expect(description).toMatch(/^Item 1\.<br>Item 3\.<br>Its expression/);
	});

	test('of many, twenty are named, and how many more there are', async () => {
		const items = listOf(30).map((item) => ({ ...item, content: '' }));

		const run = await service.run({ parameters: SEND, items });

		expect(run.nodeError('Node')?.description?.match(/Item \d+/g)).toHaveLength(20);
		expect(run.nodeError('Node')?.description).toContain('<br>And 10 more.<br>');
	});

	test('with On Error: Continue the good ones go, and each bad one is told by itself', async () => {
		const items = [ANNA, { ...BEN, number: '0151 234' }, CARLA];

		const run = await service.run({ parameters: SEND, items, node: CONTINUE });

		expect(run.items('Node')).toMatchObject([
			{ json: { status: 'QUEUED', to: ANNA.number }, pairedItem: { item: 0 } },
			{
				json: {
					...{ to: '0151 234', content: BEN.content, status: 'NOT SENT' },
					error: 'The phone number “0151 234” is not in international format',
				},
				pairedItem: { item: 1 },
			},
			{ json: { status: 'QUEUED', to: CARLA.number }, pairedItem: { item: 2 } },
		]);
	});

	test('a run that stops later says how many messages had been sent', async () => {
		await service.control.post('/sandbox/inbound', { from: BENS_NUMBER, content: 'STOP' });

		const run = await service.run({ parameters: STOPPING, items: [ANNA, BEN, CARLA] });

		expect(run.nodeError('Node')).toMatchObject({
			message: 'The customer has opted out of messages',
			description: expect.stringMatching(
				/^Item 2, \+15551230001\.<br>.*<br>Of the 3 items, when the node stopped: 1 sent, 1 refused\. A new execution sends those again: .*Send Only Once Per/,
			),
		});
		expect(await service.accepted()).toHaveLength(1);
	});

	test('a reply is read before the first message leaves, too', async () => {
		const REPLY = { resource: 'message', operation: 'reply', content: '={{ $json.answer }}' };
		const text = { event: 'receive', to: LINE_NUMBER, is_outbound: false, line_handle: LINE };

		const run = await service.run({
			parameters: REPLY,
			items: [
				{ ...text, from: ANNAS_NUMBER, answer: 'hi' },
				{ ...text, from: BENS_NUMBER, answer: '' },
			],
		});

		expect(run.nodeError('Node')?.message).toBe('There is nothing to send');
		expect(await service.rows()).toEqual([]);
	});
});

describe('Wait For', () => {
	const waiting = (waitFor: string, more: object = {}) => ({
		...SEND,
		options: { waitFor, ...more },
	});

	test.each(['sent', 'delivered'])('%s: one look serves all messages', async (waitFor) => {
		service = await TestService.start({ sentAfterMs: 800, deliveredAfterMs: 100 });
		const items = listOf(40);

		const run = await service.run({ parameters: waiting(waitFor), items });

		const comeSoFar = waitFor === 'sent' ? /^(SENT|DELIVERED)$/ : /^DELIVERED$/;
		expect(run.items('Node')).toMatchObject(
			items.map(({ number }, item) => ({
				json: { to: number, status: expect.stringMatching(comeSoFar) as string },
				pairedItem: { item },
			})),
		);
		expect((await timesAsked('/status')) + (await timesAsked('/v2/messages'))).toBeLessThan(6);
	});

	test('every message leaves before the first wait begins', async () => {
		service = await TestService.start({ sentAfterMs: 600_000 });

		const run = await service.run({
			parameters: waiting('sent', { waitSeconds: 1 }),
			items: listOf(20),
		});

		expect(run.json('Node').map(({ status }) => status)).toEqual(listOf(20).map(() => 'QUEUED'));
		expect((await timesAsked('/status')) + (await timesAsked('/v2/messages'))).toBeLessThan(25);
	});

	test('a message that ends in ERROR is an error, with its handle and the reason', async () => {
		service = await TestService.start({ memory: fastMemory() });
		await service.control.patch(`/sandbox/contacts/${BENS_NUMBER}`, {
			fail_next: 'No such number',
		});

		const run = await service.run({ parameters: waiting('sent'), items: [ANNA, BEN, CARLA] });

		const failed = (await service.accepted()).find(({ to }) => to === BENS_NUMBER);
		expect(run.nodeError('Node')).toMatchObject({
			message: `The service could not send the message ${failed?.message_handle}: No such number`,
			description: expect.stringContaining('2 sent, 1 could not be sent'),
		});
	});

	test.each([
		['continueRegularOutput' as const, 0],
		['continueErrorOutput' as const, 1],
	])('with %s it fails alone, and its item names the message', async (onError, output) => {
		service = await TestService.start({ memory: fastMemory() });
		await service.control.patch(`/sandbox/contacts/${BENS_NUMBER}`, {
			fail_next: 'No such number',
		});

		const run = await service.run({
			parameters: waiting('sent'),
			items: [ANNA, BEN, CARLA],
			node: { onError },
		});

		const failed = (await service.accepted()).find(({ to }) => to === BENS_NUMBER);
		expect(run.items('Node', output)).toContainEqual({
			json: {
				...(output === 1 ? BEN : { ...SENT_TO_BEN, message_handle: failed?.message_handle }),
				error: `The service could not send the message ${failed?.message_handle}: No such number`,
			},
			pairedItem: { item: 1 },
		});
		expect(run.json('Node').filter(({ error }) => !error)).toHaveLength(2);
	});

	test('every item of a list begins with the same fields, and none says null', async () => {
		service = await TestService.start({ memory: fastMemory() });
		await service.control.post('/sandbox/inbound', { from: ANNAS_NUMBER, content: 'STOP' });
		const [first = {}, second = {}] = listOf(5).slice(3);
		const line = { __rl: true, mode: 'handle', value: LINE };

		const run = await service.run({
			parameters: { ...waiting('delivered'), line },
			items: [ANNA, BEN, { ...CARLA, number: '0151 234' }, first, second],
			node: CONTINUE,
		});

		const items = run.json('Node');
		const statuses = items.map(({ status }) => status);
		expect(statuses).toEqual(['SKIPPED', 'DELIVERED', 'NOT SENT', 'DELIVERED', 'DELIVERED']);
		for (const item of items) {
			expect(Object.values(item)).not.toContain(null);
			const columns = Object.keys(item).filter((name) => !['date_sent', 'from'].includes(name));
			expect(columns.slice(0, 3)).toEqual(['to', 'content', 'status']);
		}
		expect(items.map(({ from }) => from).filter((from) => from === LINE_NUMBER)).toHaveLength(4);
		expect(items[0]?.error_message).toBe('Contact has opted out of messages');
	});

	test('a message that the history does not show is asked for by its status when the time is over', async () => {
		service = await TestService.start();
		let handles = 0;
		const stub = await startStub(({ path, query }) => {
			if (path === '/v1/send-message') {
				return { status: 201, body: { status: 'QUEUED', message_handle: `m${(handles += 1)}` } };
			}
			if (path === '/v2/messages') return { body: { messages: [] } };
			return { body: { message_handle: query.get('message_handle'), status: 'SENT' } };
		});
		const engine = service.engineWith(service.credential({ baseUrl: stub.url }));

		const run = await service.run(
			{ parameters: waiting('sent', { waitSeconds: 1 }), items: [ANNA, BEN, CARLA] },
			engine,
		);
		await stub.stop();

		expect(run.json('Node').map(({ status }) => status)).toEqual(['SENT', 'SENT', 'SENT']);
	});

	test('the statuses tell where the history cannot be read', async () => {
		service = await TestService.start({ sentAfterMs: 300 });
		await service.fault('/v2/messages', 'status-500', 100);

		const run = await service.run({ parameters: waiting('sent'), items: [ANNA, BEN, CARLA] });

		expect(run.json('Node').map(({ status }) => status)).toEqual(['SENT', 'SENT', 'SENT']);
	}, 15_000);
});

describe('a look-up of many numbers', () => {
	const LOOK_UP = { resource: 'number', operation: 'lookup', number: '={{ $json.number }}' };
	const NUMBERS = listOf(6).map(({ number }) => String(number));

	/** Looks all numbers up at a service that knows each at the given question. */
	async function lookUp(
		knownAt: (number: string) => number,
		{ parameters = {}, refusedAt = -1 }: { parameters?: object; refusedAt?: number } = {},
	) {
		const asked: string[] = [];
		const stub = await startStub(({ query }) => {
			const number = query.get('number') ?? '';
			if (asked.length === refusedAt) {
				asked.push('429');
				return { status: 429, headers: { 'retry-after': '2' } };
			}
			asked.push(number);
			const times = asked.filter((one) => one === number).length;
			if (times < knownAt(number)) return { status: 202, body: {} };
			return { body: { number, service: 'SMS' } };
		});
		const run = await service.run(
			{
				parameters: { ...LOOK_UP, ...parameters },
				items: NUMBERS.map((number) => ({ number })),
				node: CONTINUE,
			},
			service.engineWith(service.credential({ baseUrl: stub.url })),
		);
		await stub.stop();
		return { asked, run };
	}

	beforeEach(async () => {
		service = await TestService.start();
	});

	test('§4.6 asks about all numbers once before it asks about any again', async () => {
		const { asked, run } = await lookUp(() => 2);

		expect(asked).toEqual([...NUMBERS, ...NUMBERS]);
		expect(run.json('Node')).toEqual(NUMBERS.map((number) => ({ number, service: 'SMS' })));
	});

	test('waits for all numbers at the same time', async () => {
		const { asked } = await lookUp(() => 3);

		// One number after the other, the third question about a number would come before the second about the next.
		expect(asked.slice(6, 12).sort()).toEqual([...NUMBERS].sort());
	});

	test('one that stays unknown does so alone, and the items keep their order', async () => {
		const [never = ''] = NUMBERS;

		const { run } = await lookUp((number) => (number === never ? 99 : 1), {
			parameters: { options: { waitSeconds: 1 } },
		});

		expect(run.items('Node')).toEqual(
			NUMBERS.map((number, item) => ({
				json: { number, service: number === never ? null : 'SMS' },
				pairedItem: { item },
			})),
		);
	});

	test.each([
		['first', 3],
		['second', 6],
	])('§8.1 a wait for the limit before a %s question does not count', async (_which, refusedAt) => {
		const { run } = await lookUp(() => 2, {
			parameters: { options: { waitSeconds: 1 } },
			refusedAt,
		});

		expect(run.json('Node')).toEqual(NUMBERS.map((number) => ({ number, service: 'SMS' })));
	});
});

describe('If Line Blocked', () => {
	const OTHER_LINE_NUMBER = '+15550100002';
	const MOVED = 'The chosen line is blocked, so another one has sent';
	const byLine = (more: object = {}) => ({
		...SEND,
		line: { __rl: true, mode: 'handle', value: LINE },
		options: { ifLineBlocked: 'anotherLine', ...more },
	});

	beforeEach(async () => {
		service = await TestService.start({ memory: fastMemory() });
	});

	const block = async (line: string) =>
		await service.control.post(`/sandbox/lines/${line}/block`, { reason: 'spam reports' });

	/** The ID of the sandbox's other line. */
	async function otherLine(): Promise<string> {
		const lines = (
			await service.run({ parameters: { resource: 'line', operation: 'getMany' } })
		).json('Node');
		const other = lines.find(({ number }) => number === OTHER_LINE_NUMBER);
		return String(other?.line_handle);
	}

	test('Use Another Line sends by another line, and the item says so', async () => {
		const other = await otherLine();
		await block(LINE);

		const run = await service.run({ parameters: byLine(), items: [ANNA, BEN, CARLA] });

		expect(run.json('Node')).toEqual(
			[0, 1, 2].map(() => expect.objectContaining({ status: 'QUEUED', note: MOVED })),
		);
		expect(hintsOf(run)).toEqual(['3 sent', MOVED]);
		const rows = await service.accepted();
		expect(rows.map(({ line_handle: line }) => line)).toEqual([other, other, other]);
	});

	test('does not try a line again in the run that was blocked once', async () => {
		await block(LINE);

		await service.run({ parameters: byLine(), items: [ANNA, BEN, CARLA] });

		expect(await timesAsked('/v1/send-message')).toBe(4);
	});

	test('says that the line is blocked where all of them are', async () => {
		await block(LINE);
		await block(await otherLine());

		const run = await service.run({ parameters: byLine(), items: [ANNA, BEN], node: CONTINUE });

		expect(run.json('Node')).toEqual(
			[ANNA, BEN].map(({ number: to, content }) => ({
				...{ to, content, status: 'NOT SENT', error: 'The line is blocked' },
			})),
		);
		expect(await timesAsked('/v1/send-message')).toBe(3);
	});

	test.each([
		['no line is chosen', { line: '' }, /^All lines are blocked/],
		['another line may send', {}, /^All lines are blocked/],
		['the chosen one has to', { options: {} }, /^Choose another one under Line/],
	])('one sentence says what to do where %s', async (_, more, advice) => {
		await block(LINE);
		await block(await otherLine());

		const run = await service.run({ parameters: { ...byLine(), ...more }, items: [ANNA] });

		expect(run.nodeError('Node')?.description).toMatch(advice);
	});

	test('stops without the option, and leaves a line that is not blocked alone', async () => {
		await service.run({ parameters: byLine(), items: [ANNA] });
		expect(await service.accepted()).toMatchObject([{ line_handle: LINE }]);
		await block(LINE);

		const run = await service.run({ parameters: byLine({ ifLineBlocked: 'fail' }), items: [BEN] });

		expect(run.nodeError('Node')?.message).toBe('The line is blocked');
	});
});

describe('a line that cannot send, in a list', () => {
	const LINES = [LINE, '7b1f6a52-3c0d-4c5e-9a44-0d8f2f6b1a02'];
	const [FIRST = '', SECOND = ''] = LINES;
	const by = (item: IDataObject, line: string) => ({ ...item, line });
	const SEND_BY = { ...SEND, line: { __rl: true, mode: 'handle', value: '={{ $json.line }}' } };
	const REPLY = { resource: 'message', operation: 'reply', content: 'hi' };
	const reply = ({ number }: IDataObject, line: string) => ({
		event: 'receive',
		from: number,
		to: LINE_NUMBER,
		is_outbound: false,
		line_handle: line,
	});

	const start = async (clock = new TestClock()) => {
		service = await TestService.start({ memory: new ProcessMemory(clock) });
	};
	const block = async (line: string) =>
		await service.control.post(`/sandbox/lines/${line}/block`, { reason: 'spam reports' });
	const deactivate = async (line: string) =>
		await service.control.patch(`/sandbox/lines/${line}`, { is_active: false });

	const BLOCKED = 'The line is blocked';
	const INACTIVE = 'The line does not exist or is not active';

	test.each([
		{ what: 'blocked', change: block, message: BLOCKED },
		{ what: 'not active', change: deactivate, message: INACTIVE },
	])('that is $what refuses the run before the first message leaves', async (given) => {
		await start();
		await given.change(SECOND);

		const items = [by(ANNA, FIRST), by(BEN, SECOND), by(CARLA, FIRST)];
		const run = await service.run({ parameters: SEND_BY, items });

		expect(run.nodeError('Node')).toMatchObject({
			message: given.message,
			description: expect.stringContaining('Nothing was sent for any of the items.'),
		});
		expect(await service.accepted()).toEqual([]);
		expect(await timesAsked('/v1/send-message')).toBe(0);
		expect(await timesAsked('/v1/lines')).toBe(1);
	});

	test.each([
		{ what: 'blocked', change: block, message: BLOCKED },
		{ what: 'not active', change: deactivate, message: INACTIVE },
		{ what: 'gone', change: async () => {}, line: 'gone', message: INACTIVE },
	])('that is $what refuses the replies before the first one leaves', async (given) => {
		await start();
		await given.change(SECOND);

		const items = [reply(ANNA, FIRST), reply(BEN, given.line ?? SECOND)];
		const run = await service.run({ parameters: REPLY, items });

		const { message, description } = run.nodeError('Node') ?? {};
		expect(message).toContain(given.message);
		expect(description).toMatch(/^Item 2[,.]/);
		// Reply has no such field.
		expect(description).not.toContain('under Line');
		expect(await service.accepted()).toEqual([]);
	});
});

describe('the hint after a list', () => {
	beforeEach(async () => {
		service = await TestService.start({ memory: fastMemory() });
	});

	test('counts what became of the messages', async () => {
		await service.control.post('/sandbox/inbound', { from: BENS_NUMBER, content: 'STOP' });
		await service.fault('/v1/send-message', 'reset-before');

		const run = await service.run({
			parameters: SEND,
			items: [ANNA, BEN, CARLA, { ...CARLA, number: '12' }],
			node: CONTINUE,
		});

		expect(run.json('Node').map(({ status }) => status)).toEqual([
			...['NOT CONFIRMED', 'SKIPPED', 'QUEUED', 'NOT SENT'],
		]);

		expect(hintsOf(run)).toEqual(['1 sent, 1 opted out, 1 not confirmed, 1 refused']);
	});

	test.each([
		['for a single message', SEND, [ANNA]],
		['for no message', SEND, []],
		['after another operation', { resource: 'line', operation: 'getMany' }, [{}, {}]],
	])('does not stand %s', async (_what, parameters, items) => {
		const run = await service.run({ parameters, items });

		expect(hintsOf(run)).toEqual([]);
	});
});
