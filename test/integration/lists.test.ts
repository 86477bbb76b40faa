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
const CONTINUE = { onError: 'continueRegularOutput' as const };

const listOf = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, at) => ({
		number: `+1555123${String(at).padStart(4, '0')}`,
		content: `hello ${at}`,
	}));

const [ANNA = {}, BEN = {}, CARLA = {}] = listOf(3);
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
		{ title: 'an unknown line', item: { ...BEN, line: 'nobody' }, message: 'the ID “nobody”' },
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
		const line = { __rl: true, mode: 'handle', value: '={{ $json.line }}' };

		const media = '={{ $json.media ?? "none" }}';
		const parameters = { ...SEND, line, media, mediaUrl: '={{ $json.mediaUrl }}' };

		const run = await service.run({ parameters, items: [ANNA, item, CARLA] });

		expect(run.nodeError('Node')).toMatchObject({
			message: expect.stringMatching(/\[item 1\]$/),
			description: expect.stringContaining(
				"Nothing was sent for any of the items. To let the others go, open the node's Settings and set On Error to 'Continue'.",
			),
		});
		expect(run.nodeError('Node')?.message).toContain(message);
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

	test('one message names every item that cannot be used', async () => {
		const items = [ANNA, { ...BEN, number: '0151 234' }, CARLA, { ...BEN, content: '' }];

		const run = await service.run({ parameters: SEND, items });

		const { message, description } = run.nodeError('Node') ?? {};
		expect(message).toBe('2 of 4 items cannot be used [items 1, 3]');
		expect(description).toContain(
			'The phone number “0151 234” is not in international format [item 1].',
		);
		expect(description).toContain('There is nothing to send [item 3].');
		expect(description).toContain('Nothing was sent for any of the items.');
		expect(await service.rows()).toEqual([]);
	});

	test('each advice stands behind what it is for', async () => {
		const items = ['0151 2345678', '', '0151 8765432'].map((number) => ({ ...ANNA, number }));

		const run = await service.run({ parameters: SEND, items });

		expect(run.nodeError('Node')?.description).toMatch(
			/“0151 2345678”.*\[item 0\].*“0151 8765432”.*\[item 2\].*choose their country.*is empty \[item 1\]/s,
		);
	});

	test('what is wrong with all of them is said once', async () => {
		const run = await service.run({
			parameters: SEND,
			items: [{ ...ANNA, number: '' }, BEN, { ...CARLA, number: '' }],
		});

		const { message, context } = run.nodeError('Node') ?? {};
		expect(message).toBe('Phone Number is empty [items 0, 2]');
		// n8n shows an item's number of its own behind the message, where an error has one.
		expect(context?.itemIndex).toBeUndefined();
	});

	test('with On Error: Continue the good ones go, and each bad one is told by itself', async () => {
		const items = [ANNA, { ...BEN, number: '0151 234' }, CARLA];

		const run = await service.run({ parameters: SEND, items, node: CONTINUE });

		expect(run.items('Node')).toMatchObject([
			{ json: { status: 'QUEUED', to: ANNA.number }, pairedItem: { item: 0 } },
			{ json: { error: expect.stringContaining('“0151 234”') }, pairedItem: { item: 1 } },
			{ json: { status: 'QUEUED', to: CARLA.number }, pairedItem: { item: 2 } },
		]);
	});

	test('a run that stops later says how many messages had been sent', async () => {
		await service.control.post('/sandbox/inbound', { from: BENS_NUMBER, content: 'STOP' });

		const run = await service.run({ parameters: SEND, items: [ANNA, BEN, CARLA] });

		expect(run.nodeError('Node')).toMatchObject({
			message: 'The customer has opted out of messages [item 1]',
			description: expect.stringContaining(
				'Of the 3 items, when the node stopped: 1 sent, 1 refused',
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

		expect(run.nodeError('Node')?.message).toBe('There is nothing to send [item 1]');
		expect(await service.rows()).toEqual([]);
	});
});

describe('a single item', () => {
	beforeEach(async () => {
		service = await TestService.start({ memory: fastMemory() });
	});

	test.each<[string, object, number]>([
		['stops the node', {}, 0],
		['goes on', CONTINUE, 1],
	])(
		'that fails and %s has no number in its message, as there is no other',
		async (_, node, items) => {
			const one = { ...ANNA, number: '' };
			const run = await service.run({ parameters: SEND, items: [one], node });
			expect(run.nodeError('Node')?.message).toBe(
				items === 0 ? 'Phone Number is empty' : undefined,
			);
			expect(run.json('Node')).toEqual(Array(items).fill({ error: 'Phone Number is empty' }));

			const several = await service.run({ parameters: SEND, items: [one, BEN], node });
			expect(several.nodeError('Node')?.message ?? several.json('Node')[0]?.error).toBe(
				'Phone Number is empty [item 0]',
			);
		},
	);
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
			message: `The service could not send the message ${failed?.message_handle}: No such number [item 1]`,
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
				error: `The service could not send the message ${failed?.message_handle}: No such number [item 1]`,
				...(output === 1 && BEN),
			},
			pairedItem: { item: 1 },
		});
		expect(run.json('Node').filter(({ message_handle: handle }) => handle)).toHaveLength(2);
	});

	test('a skipped message has the columns of the others, in the same order', async () => {
		service = await TestService.start({ memory: fastMemory() });
		await service.control.post('/sandbox/inbound', { from: ANNAS_NUMBER, content: 'STOP' });

		const run = await service.run({
			parameters: waiting('delivered', { ifOptedOut: 'skip' }),
			items: [ANNA, BEN, CARLA],
		});

		const [skipped = {}, ...sent] = run.json('Node');
		expect(sent.map(({ status }) => status)).toEqual(['DELIVERED', 'DELIVERED']);
		for (const one of sent) expect(Object.keys(one)).toEqual(Object.keys(skipped));
		expect(skipped).toMatchObject({ status: 'SKIPPED', to: ANNAS_NUMBER, message_handle: null });
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

	test('Use Another Line sends by another line, and the item says which', async () => {
		const other = await otherLine();
		await block(LINE);

		const run = await service.run({ parameters: byLine(), items: [ANNA, BEN, CARLA] });

		expect(run.json('Node').map(({ line_handle: line }) => line)).toEqual([other, other, other]);
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

		expect(run.json('Node')).toEqual([
			{ error: 'The line is blocked [item 0]' },
			{ error: 'The line is blocked [item 1]' },
		]);
		expect(await timesAsked('/v1/send-message')).toBe(2);
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
			message: `${given.message} [item 1]`,
			description: expect.stringContaining('Nothing was sent for any of the items.'),
		});
		expect(await service.accepted()).toEqual([]);
		expect(await timesAsked('/v1/send-message')).toBe(0);
		expect(await timesAsked('/v1/lines')).toBe(1);
	});

	test.each([
		{ what: 'blocked', change: block, message: BLOCKED },
		{ what: 'not active', change: deactivate, message: INACTIVE },
		{ what: 'gone', change: async () => {}, line: 'gone', message: 'No line of yours has the ID' },
	])('that is $what refuses the replies before the first one leaves', async (given) => {
		await start();
		await given.change(SECOND);

		const items = [reply(ANNA, FIRST), reply(BEN, given.line ?? SECOND)];
		const run = await service.run({ parameters: REPLY, items });

		const { message, description } = run.nodeError('Node') ?? {};
		expect(message).toContain(given.message);
		expect(message).toMatch(/ \[item 1\]$/);
		// Reply has no such field.
		expect(description).not.toContain('under Line');
		expect(await service.accepted()).toEqual([]);
	});

	test('that was blocked a while ago refuses nothing: the service knows better', async () => {
		let nowMs = Date.now();
		await start(new TestClock(() => (nowMs += 61_000)));
		await block(SECOND);

		const run = await service.run({
			parameters: SEND_BY,
			items: [by(ANNA, FIRST), by(BEN, SECOND)],
		});

		expect(run.nodeError('Node')?.description).toContain('1 sent, 1 refused');
	});
});

describe('a list that the limits make long', () => {
	test('is told once in n8n’s log, with how long it will take', async () => {
		let nowMs = Date.now();
		const clock = new TestClock(() => (nowMs += 10_000));
		service = await TestService.start({ memory: new ProcessMemory(clock) });
		service.engine.log.clear();

		await service.run({ parameters: SEND, items: listOf(30) });

		const told = service.engine.log
			.messages('info')
			.filter((message) => message.includes('make the list take about'));
		expect(told).toHaveLength(1);
		expect(told[0]).toMatch(/about \d+ more minutes; \d+ of 30 items are done$/);
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
			parameters: { ...SEND, options: { ifOptedOut: 'skip' } },
			items: [ANNA, BEN, CARLA, { ...CARLA, number: '12' }],
			node: CONTINUE,
		});

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
