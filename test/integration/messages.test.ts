import { startStub, type StubAnswer } from '../support/stub';
import { TestService } from '../support/service';

const ANNA = '+15551230001';
const BEN = '+15551230002';

let service: TestService;

beforeEach(async () => {
	service = await TestService.start({ lookupAfterMs: 100 });
});

afterEach(async () => {
	await service.stop();
});

const send = async (number: string, content: string) =>
	await service.run({
		parameters: { resource: 'message', operation: 'send', number, content },
	});

const receive = async (from: string, content: string) =>
	await service.control.post('/sandbox/inbound', { from, content });

describe('message: getStatus', () => {
	const GET_STATUS = {
		resource: 'message',
		operation: 'getStatus',
		messageHandle: '={{ $json.message_handle }}',
	};

	test('§4.4 says DELIVERED, as the history does, where the status says only SENT', async () => {
		const [sent] = (await send(ANNA, 'hello')).json('Node');
		await service.sandbox.settled();

		const run = await service.run({ parameters: GET_STATUS, items: [sent ?? {}] });

		expect(run.json('Node')).toEqual([
			expect.objectContaining({
				message_handle: sent?.message_handle,
				status: 'DELIVERED',
				service: 'iMessage',
				to: ANNA,
			}),
		]);
	});

	describe('§4.4 asks for one page of the history', () => {
		const statusOf = async (
			history: StubAnswer,
			{ status = 'sent', items = [{ message_handle: 'm1' }] } = {},
		) => {
			const stub = await startStub(({ path }) =>
				path === '/status' ? { body: { status, service: 'SMS' } } : history,
			);
			const engine = service.engineWith(service.credential({ baseUrl: stub.url }));
			const run = await service.run({ parameters: GET_STATUS, items }, engine);
			await stub.stop();
			const pages = stub.requests.filter(({ path }) => path === '/v2/messages');
			return { items: run.json('Node'), pages: pages.length };
		};
		const row = (handle: string, status: string) => ({ message_handle: handle, status });
		const PAGE = [row('m2', 'DELIVERED'), row('m1', 'DELIVERED')];

		test('for all messages of a list', async () => {
			const items = [{ message_handle: 'm1' }, { message_handle: 'm2' }, { message_handle: 'm3' }];
			const { items: said, pages } = await statusOf({ body: { messages: PAGE } }, { items });
			expect(said.map(({ status }) => status)).toEqual(['DELIVERED', 'DELIVERED', 'SENT']);
			expect(pages).toBe(1);
		});

		test('and for none while the message is queued', async () => {
			const { items, pages } = await statusOf({ body: { messages: PAGE } }, { status: 'queued' });
			expect(items).toEqual([expect.objectContaining({ status: 'QUEUED' })]);
			expect(pages).toBe(0);
		});

		test.each<[string, StubAnswer]>([
			['cannot be read', { status: 500, body: {} }],
			['does not show the message', { body: { messages: [row('m2', 'DELIVERED')] } }],
			['lags behind', { body: { messages: [row('m1', 'QUEUED')] } }],
		])('and keeps the status where the history %s', async (_, history) => {
			const { items } = await statusOf(history);
			expect(items).toEqual([{ message_handle: 'm1', status: 'SENT', service: 'SMS' }]);
		});
	});

	test('§3.1 waits for DELIVERED in the history', async () => {
		const [sent] = (await send(ANNA, 'hello')).json('Node');

		const run = await service.run({
			parameters: { ...GET_STATUS, options: { waitFor: 'delivered' } },
			items: [sent ?? {}],
		});

		expect(run.json('Node')).toEqual([expect.objectContaining({ status: 'DELIVERED' })]);
	});

	describe('§3.1 finds DELIVERED however much was sent since', () => {
		const MINE = { message_handle: 'mine', date_sent: '2026-01-01T00:00:00Z' };
		const PAGES_BEFORE = 30;

		/** A history of which the message is far behind; the conversation has it alone. */
		const startHistory = async (status: object) =>
			await startStub(({ path, query }) => {
				if (path === '/status') return { body: { ...status, status: 'SENT' } };
				const looks = stub.requests.filter((one) => one.query.get('before') === null).length;
				const mine = {
					...MINE,
					conversation_handle: 'c1',
					status: looks > 3 ? 'DELIVERED' : 'SENT',
				};
				if (query.get('conversation_handle') === 'c1') return { body: { messages: [mine] } };
				const page = Number(query.get('before') ?? 0);
				const others = Array.from({ length: 20 }, (_, at) => ({
					message_handle: `${page}-${at}`,
					date_sent: '2026-01-01T10:00:00Z',
				}));
				if (page < PAGES_BEFORE) return { body: { messages: others, next: page + 1 } };
				return { body: { messages: [mine], next: null } };
			});
		let stub: Awaited<ReturnType<typeof startStub>>;

		test('by the message’s own time at first, and then in its conversation', async () => {
			stub = await startHistory(MINE);
			const engine = service.engineWith(service.credential({ baseUrl: stub.url }));

			const run = await service.run(
				{
					parameters: { ...GET_STATUS, options: { waitFor: 'delivered', waitSeconds: 20 } },
					items: [MINE],
				},
				engine,
			);
			await stub.stop();

			expect(run.json('Node')).toEqual([expect.objectContaining({ status: 'DELIVERED' })]);
			const looks = stub.requests.filter((one) => one.path === '/v2/messages');
			expect(looks.filter((one) => one.query.get('conversation_handle') === 'c1')).not.toEqual([]);
			expect(looks.length).toBeLessThan(PAGES_BEFORE + 10);
		});
	});

	test('§3.1 ends the wait when the message could not be sent, with the reason', async () => {
		await service.stop();
		service = await TestService.start({ character: 'generous' });
		await service.control.patch(`/sandbox/contacts/${ANNA}`, {
			fail_next: 'Number not in service',
		});
		const [sent] = (await send(ANNA, 'hello')).json('Node');

		const run = await service.run({
			parameters: { ...GET_STATUS, options: { waitFor: 'delivered' } },
			items: [sent ?? {}],
		});

		expect(run.json('Node')).toEqual([
			expect.objectContaining({ status: 'ERROR', error_message: 'Number not in service' }),
		]);
	});

	test('gives what is known when the time is over', async () => {
		const slow = await TestService.start({ sentAfterMs: 60_000 });
		const [sent] = (
			await slow.run({
				parameters: { resource: 'message', operation: 'send', number: ANNA, content: 'x' },
			})
		).json('Node');

		const run = await slow.run({
			parameters: { ...GET_STATUS, options: { waitFor: 'sent', waitSeconds: 1 } },
			items: [sent ?? {}],
		});
		await slow.stop();

		expect(run.json('Node')).toEqual([expect.objectContaining({ status: 'QUEUED' })]);
	});

	test('takes the handle of an event, prefix and all', async () => {
		const [sent] = (await send(ANNA, 'hello')).json('Node');

		const run = await service.run({
			parameters: GET_STATUS,
			items: [{ message_handle: `msg_${String(sent?.message_handle)}` }],
		});

		expect(run.json('Node')).toEqual([
			expect.objectContaining({ message_handle: sent?.message_handle }),
		]);
	});

	test.each([
		['an empty handle', '', 'Message ID is empty'],
		['a handle nobody knows', 'nobody', 'The service does not know this message'],
	])('refuses %s in words', async (_what, handle, message) => {
		const run = await service.run({ parameters: GET_STATUS, items: [{ message_handle: handle }] });

		expect(run.nodeError('Node')).toMatchObject({ message });
	});

	test.each([
		['messageHandle', '/status?message_handle=m1'],
		['handle', '/status?handle=m1'],
		['path', '/status/m1'],
	])('§4.9 asks as the credential says: %s under a prefix', async (statusStyle, expected) => {
		const stub = await startStub(() => ({ body: { data: { status: 'sent', channel: 'sms' } } }));
		const engine = service.engineWith(
			service.credential({ baseUrl: stub.url, statusStyle, pathPrefix: 'v1/' }),
		);

		const run = await service.run(
			{ parameters: GET_STATUS, items: [{ message_handle: 'm1' }] },
			engine,
		);
		await stub.stop();

		const [asked] = stub.requests;
		const query = asked?.query.size ? `?${asked.query.toString()}` : '';
		expect(`${asked?.path}${query}`).toBe(`/v1${expected}`);
		expect(run.json('Node')).toEqual([{ message_handle: 'm1', status: 'SENT', service: 'SMS' }]);
	});
});

describe('message: getMany', () => {
	const GET_MANY = { resource: 'message', operation: 'getMany' };
	const ALL = { ...GET_MANY, returnAll: true };

	const contents = async (parameters: object) =>
		(await service.run({ parameters: { ...parameters } }))
			.json('Node')
			.map(({ content }) => content);

	test('§4.5 gives both sides of every conversation, newest first', async () => {
		await receive(ANNA, 'hello');
		await send(ANNA, 'hi Anna');
		await receive(BEN, 'anyone?');

		expect(await contents(ALL)).toEqual(['anyone?', 'hi Anna', 'hello']);
	});

	test('stops at the limit', async () => {
		for (const text of ['1', '2', '3']) await receive(ANNA, text);

		expect(await contents({ ...GET_MANY, limit: 2 })).toEqual(['3', '2']);
	});

	test('§2.6 keeps to one conversation', async () => {
		const { data } = await receive(ANNA, 'hello');
		await receive(BEN, 'anyone?');
		const filters = {
			conversationHandle: (data as { conversation_handle: string }).conversation_handle,
		};

		expect(await contents({ ...ALL, filters })).toEqual(['hello']);
	});

	test.each([
		['inbound', ['hello']],
		['outbound', ['hi Anna']],
		['any', ['hi Anna', 'hello']],
	])('keeps to what one side wrote: %s', async (direction, expected) => {
		await receive(ANNA, 'hello');
		await send(ANNA, 'hi Anna');

		expect(await contents({ ...ALL, filters: { direction } })).toEqual(expected);
	});

	test('keeps to what is newer than a time', async () => {
		await receive(ANNA, 'before');
		await service.sandbox.advance(3_600_000);
		await receive(ANNA, 'after');
		const since = new Date(service.sandbox.clock.now() - 60_000).toISOString();

		expect(await contents({ ...ALL, filters: { since } })).toEqual(['after']);
		expect(
			await contents({ ...ALL, filters: { since: '={{ $now.plus({ minutes: 30 }) }}' } }),
		).toEqual(['after']);
	});

	test('reads a time without a zone in the workflow’s zone', async () => {
		await receive(ANNA, 'before');
		await service.sandbox.advance(3_600_000);
		await receive(ANNA, 'after');
		// The calendar of the editor writes the time on the workflow's own clocks; tests run on New York's.
		const since =
			"={{ $now.setZone('America/New_York').plus({ minutes: 30 }).toFormat(\"yyyy-MM-dd'T'HH:mm:ss\") }}";

		expect(await contents({ ...ALL, filters: { since } })).toEqual(['after']);
	});

	test('refuses a text that is not a time', async () => {
		const run = await service.run({ parameters: { ...ALL, filters: { since: 'yesterday-ish' } } });

		expect(run.nodeError('Node')).toMatchObject({
			message: 'Since is not a time: “yesterday-ish”',
		});
	});

	test('§4.5 begins behind a cursor', async () => {
		await receive(ANNA, 'first');
		const { data } = await receive(ANNA, 'second');
		await receive(ANNA, 'third');
		const filters = { before: (data as { message_handle: string }).message_handle };

		expect(await contents({ ...ALL, filters })).toEqual(['first']);
	});

	test.each([
		['the ID of an event', (handle: string) => `msg_${handle}`],
		['a number, as an expression may give', () => 12_345],
	])('§4.5 begins behind %s', async (_, before) => {
		const stub = await startStub(() => ({ body: { messages: [] } }));
		const engine = service.engineWith(service.credential({ baseUrl: stub.url }));

		await service.run(
			{
				parameters: { ...ALL, filters: { before: '={{ $json.before }}' } },
				items: [{ before: before('m1') }],
			},
			engine,
		);
		await stub.stop();

		expect(stub.requests.map(({ query }) => query.get('before'))).toEqual([
			String(before('m1')).replace('msg_', ''),
		]);
	});

	test('returns the service’s own rows with Simplify off', async () => {
		const stub = await startStub(() => ({
			body: { messages: [{ message_handle: 'm1', extra: { a: 1 } }] },
		}));
		const engine = service.engineWith(service.credential({ baseUrl: stub.url }));

		const run = await service.run({ parameters: { ...GET_MANY, simplify: false } }, engine);
		await stub.stop();

		expect(run.json('Node')).toEqual([{ message_handle: 'm1', extra: { a: 1 } }]);
	});
});

describe('line', () => {
	const BLOCKED = '7b1f6a52-3c0d-4c5e-9a44-0d8f2f6b1a01';
	const SWITCHED_OFF = '7b1f6a52-3c0d-4c5e-9a44-0d8f2f6b1a02';

	test('§4.3 getMany gives the lines as they are, and the filters leave some out', async () => {
		await service.control.post(`/sandbox/lines/${BLOCKED}/block`, { reason: 'spam reports' });
		await service.control.patch(`/sandbox/lines/${SWITCHED_OFF}`, { is_active: false });
		const handles = async (filters: object) =>
			(
				await service.run({
					parameters: { resource: 'line', operation: 'getMany', filters: { ...filters } },
				})
			)
				.json('Node')
				.map(({ line_handle: handle }) => handle);

		expect(await handles({})).toEqual([BLOCKED, SWITCHED_OFF]);
		expect(await handles({ onlyActive: true })).toEqual([BLOCKED]);
		expect(await handles({ onlyUnblocked: true })).toEqual([SWITCHED_OFF]);
	});

	test.each([
		['its handle', { mode: 'handle', value: BLOCKED }],
		['its number', { mode: 'number', value: '+15550100001' }],
	])('get finds a line by %s', async (_how, line) => {
		const run = await service.run({
			parameters: { resource: 'line', operation: 'get', line: { __rl: true, ...line } },
		});

		expect(run.json('Node')).toEqual([
			expect.objectContaining({
				line_handle: BLOCKED,
				label: 'Front desk',
				limits: { hourly: { limit: 50, remaining: 50 }, daily: { limit: 200, remaining: 200 } },
			}),
		]);
	});

	test.each([
		['an empty line', '={{ $json.line_handle }}', 'Line is empty'],
		['a line nobody has', 'nobody', 'No line of yours has the ID nobody'],
	])('get refuses %s', async (_what, value, message) => {
		const run = await service.run({
			parameters: {
				resource: 'line',
				operation: 'get',
				line: { __rl: true, mode: 'handle', value },
			},
		});

		expect(run.nodeError('Node')).toMatchObject({ message });
	});

	test('the picker shows label, number and what keeps a line from sending, and finds by any of them', async () => {
		await service.control.post(`/sandbox/lines/${BLOCKED}/block`, { reason: 'spam reports' });
		const search = async (filter?: string, operation = 'get') => {
			const node = { type: 'twoWayMessaging', parameters: { operation } };
			return (await service.engine.searchList({ node, method: 'searchLines', filter })).results;
		};

		expect(await search()).toEqual([
			{ name: 'Front desk · +15550100001 · blocked: spam reports', value: BLOCKED },
			{
				// n8n keeps this name for good, so it names no count.
				name: 'Support · +15550100002',
				value: SWITCHED_OFF,
			},
		]);
		expect(await search('SUPP')).toHaveLength(1);
		expect(await search('0100001')).toHaveLength(1);
		expect(await search('nothing like it')).toEqual([]);

		const any = { name: 'Any active line', value: '' };
		expect(await search('', 'send')).toEqual([any, ...(await search())]);
	});
});

describe('number: lookup', () => {
	const LOOK_UP = { resource: 'number', operation: 'lookup', number: '={{ $json.number }}' };

	test('§4.6 waits while a live check runs', async () => {
		await service.control.patch(`/sandbox/contacts/${BEN}`, { imessage: false });

		const run = await service.run({
			parameters: LOOK_UP,
			items: [{ number: ANNA }, { number: BEN }],
		});

		expect(run.json('Node')).toEqual([
			{ number: ANNA, service: 'iMessage' },
			{ number: BEN, service: 'SMS' },
		]);
	});

	test('§4.6 leaves the channel empty when the check takes longer than the wait', async () => {
		const run = await service.run({
			parameters: { ...LOOK_UP, options: { waitSeconds: 0 } },
			items: [{ number: ANNA }],
		});

		expect(run.json('Node')).toEqual([{ number: ANNA, service: null }]);
	});

	test('§8.1 asks for a number once, however many items contain it and however it is typed', async () => {
		const stub = await startStub(() => ({ body: { service: 'SMS' } }));
		const engine = service.engineWith(service.credential({ baseUrl: stub.url }));

		const run = await service.run(
			{
				parameters: LOOK_UP,
				items: [{ number: ANNA }, { number: '+1 555 123 0001' }, { number: ANNA }],
			},
			engine,
		);
		await stub.stop();

		expect(run.json('Node')).toHaveLength(3);
		expect(stub.requests).toHaveLength(1);
	});

	test.each([
		[{ service: 'iMessage' }, 'iMessage'],
		[{ channel: 'imessage' }, 'iMessage'],
		[{ data: { service: 'SMS' } }, 'SMS'],
		[{ is_imessage: true }, 'iMessage'],
		[{ data: { is_imessage: false } }, 'SMS'],
	])('§4.6 understands %j', async (body, channel) => {
		const stub = await startStub(() => ({ body }));
		const engine = service.engineWith(service.credential({ baseUrl: stub.url }));

		const run = await service.run({ parameters: LOOK_UP, items: [{ number: ANNA }] }, engine);
		await stub.stop();

		expect(run.json('Node')).toEqual([{ number: ANNA, service: channel }]);
	});

	test('§4.6 asks again after a 503', async () => {
		await service.fault('/lookup', 'status-503', 2, { retry_after_seconds: 0 });

		const run = await service.run({ parameters: LOOK_UP, items: [{ number: ANNA }] });

		expect(run.json('Node')).toEqual([{ number: ANNA, service: 'iMessage' }]);
	});

	test('§4.6 says plainly when it stays a 503, and asks no more for the same number', async () => {
		const stub = await startStub(() => ({ status: 503, headers: { 'retry-after': '0' } }));
		const engine = service.engineWith(service.credential({ baseUrl: stub.url }));

		const run = await service.run(
			{
				parameters: { ...LOOK_UP, options: { waitSeconds: 0 } },
				items: [{ number: ANNA }, { number: ANNA }],
				node: { onError: 'continueRegularOutput' },
			},
			engine,
		);
		await stub.stop();

		expect(run.json('Node').map(({ error }) => error)).toEqual([
			'The service could not find out the channel of this number',
			'The service could not find out the channel of this number',
		]);
		expect(stub.requests).toHaveLength(1);
	});

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'a number that fails is put out with the fields of its item, with On Error: %s',
		async (onError) => {
			const dora = { name: 'Dora', number: '555 0104' };

			const run = await service.run({
				parameters: LOOK_UP,
				items: [{ name: 'Anna', number: ANNA }, dora],
				node: { onError },
			});

			const failed = run.json('Node', onError === 'continueErrorOutput' ? 1 : 0).at(-1);
			expect(failed).toEqual({
				...dora,
				error: expect.stringContaining('“555 0104” is not in international format'),
			});
		},
	);
});
