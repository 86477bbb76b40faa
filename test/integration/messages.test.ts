import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ANNA, BEN, FRONT_DESK, serviceInEachTest, SUPPORT } from '../support/service';
import type { StubAnswer } from '../support/stub';
import { HOUR_MS, MINUTE_MS } from '../support/times';

const service = serviceInEachTest(() => ({ lookupAfterMs: 100 }));

const run = async (parameters: INodeParameters, items: IDataObject[] = [{}]) =>
	await service.run({ parameters, items });

const runAt = async (...given: Parameters<typeof service.runAt>) => {
	const { json, asked } = await service.runAt(...given);
	return { json: json('Node'), asked };
};

const send = async (number: string, content: string) => {
	const parameters = { resource: 'message', operation: 'send', number, content };
	return (await run(parameters)).json('Node')[0] ?? {};
};

const receive = async (from: string, content: string) => await service.text(content, { from });

describe('message: getStatus', () => {
	const GET_STATUS = {
		resource: 'message',
		operation: 'getStatus',
		messageHandle: '={{ $json.message_handle }}',
	};
	const M1 = { message_handle: 'm1' };

	test('§4.4 says DELIVERED, as the history does, where the status says only SENT', async () => {
		const sent = await send(ANNA, 'hello');
		await service.sandbox.settled();

		// An event has the handle with a prefix.
		const { json } = await run(GET_STATUS, [
			sent,
			{ message_handle: `msg_${String(sent.message_handle)}` },
		]);

		const { message_handle } = sent;
		const found = { message_handle, status: 'DELIVERED', service: 'iMessage', to: ANNA };
		expect(json('Node')).toMatchObject([found, found]);
	});

	describe('§4.4 asks for one page of the history', () => {
		const statusOf = async (history: StubAnswer, { status = 'sent', items = [M1] } = {}) => {
			const { json, asked } = await runAt(
				({ path }) => (path === '/status' ? { body: { status, service: 'SMS' } } : history),
				{ parameters: GET_STATUS, items },
			);
			return { json, pages: asked.filter(({ path }) => path === '/v2/messages').length };
		};
		const row = (handle: string, status: string) => ({ message_handle: handle, status });
		const PAGE = { body: { messages: [row('m2', 'DELIVERED'), row('m1', 'DELIVERED')] } };

		test('for all messages of a list', async () => {
			const items = ['m1', 'm2', 'm3'].map((handle) => ({ message_handle: handle }));
			const { json, pages } = await statusOf(PAGE, { items });
			expect(json.map(({ status }) => status)).toEqual(['DELIVERED', 'DELIVERED', 'SENT']);
			expect(pages).toBe(1);
		});

		test('and for none while the message is queued', async () => {
			const { json, pages } = await statusOf(PAGE, { status: 'queued' });
			expect(json).toMatchObject([{ status: 'QUEUED' }]);
			expect(pages).toBe(0);
		});

		test.each<[string, StubAnswer]>([
			['cannot be read', { status: 500, body: {} }],
			['does not show the message', { body: { messages: [row('m2', 'DELIVERED')] } }],
			['lags behind', { body: { messages: [row('m1', 'QUEUED')] } }],
		])('and keeps the status where the history %s', async (_, history) => {
			expect((await statusOf(history)).json).toEqual([{ ...M1, status: 'SENT', service: 'SMS' }]);
		});
	});

	test('§3.1 waits for DELIVERED by the message’s own time at first, and then in its conversation', async () => {
		const MINE = { ...M1, date_sent: '2026-01-01T00:00:00Z' };
		const PAGES_BEFORE = 30;

		// The message is far behind in the history; its conversation has it alone.
		const { json, asked } = await runAt(
			({ path, query }, requests) => {
				if (path === '/status') return { body: { ...MINE, status: 'SENT' } };
				const looks = requests.filter((one) => one.query.get('before') === null).length;
				const status = looks > 3 ? 'DELIVERED' : 'SENT';
				const mine = { ...MINE, conversation_handle: 'c1', status };
				const page = Number(query.get('before') ?? 0);
				const isOfMine = query.get('conversation_handle') === 'c1' || page === PAGES_BEFORE;
				if (isOfMine) return { body: { messages: [mine], next: null } };
				const others = Array.from({ length: 20 }, (_, at) => ({
					message_handle: `${page}-${at}`,
					date_sent: '2026-01-01T10:00:00Z',
				}));
				return { body: { messages: others, next: page + 1 } };
			},
			{
				parameters: { ...GET_STATUS, options: { waitFor: 'delivered', waitSeconds: 20 } },
				items: [MINE],
			},
		);

		expect(json).toMatchObject([{ status: 'DELIVERED' }]);
		const looks = asked.filter(({ path }) => path === '/v2/messages');
		expect(looks.filter(({ query }) => query.get('conversation_handle') === 'c1')).not.toEqual([]);
		expect(looks.length).toBeLessThan(PAGES_BEFORE + 10);
	});

	test('§3.1 ends the wait when the message could not be sent, with the reason', async () => {
		const [status, reason] = ['ERROR', 'Number not in service'];
		await service.control.post('/sandbox/character', { character: 'generous' });
		await service.customer(ANNA, { fail_next: reason });

		const { json } = await run({ ...GET_STATUS, options: { waitFor: 'delivered' } }, [
			await send(ANNA, 'hello'),
		]);

		expect(json('Node')).toMatchObject([{ status, error_message: reason }]);
	});

	test('gives what is known when the time is over, and says so', async () => {
		await service.begin({ sentAfterMs: MINUTE_MS });
		const options = { waitFor: 'sent', waitSeconds: 1 };
		const waited = await run({ ...GET_STATUS, options }, [await send(ANNA, 'hello')]);
		expect(waited.json('Node')).toMatchObject([{ status: 'QUEUED' }]);
		const message = 'Wait at Most was over before the service said that a message was sent';
		expect(waited.data.Node?.[0]?.hints).toMatchObject([{ message }]);
	});
});

describe('message: getMany', () => {
	const GET_MANY = { resource: 'message', operation: 'getMany' };

	const contents = async (filters: object = {}, more: object = { returnAll: true }) =>
		(await run({ ...GET_MANY, ...more, filters: { ...filters } }))
			.json('Node')
			.map(({ content }) => content);

	test('§4.5 gives both sides of every conversation, newest first, up to the limit', async () => {
		await receive(ANNA, 'hello');
		await send(ANNA, 'hi Anna');
		await receive(BEN, 'anyone?');

		expect(await contents()).toEqual(['anyone?', 'hi Anna', 'hello']);
		expect(await contents({}, { limit: 2 })).toEqual(['anyone?', 'hi Anna']);
		expect(await contents({ direction: 'inbound' })).toEqual(['anyone?', 'hello']);
		expect(await contents({ direction: 'outbound' })).toEqual(['hi Anna']);
		expect(await contents({ direction: 'any' })).toHaveLength(3);
	});

	test('§2.6 keeps to one conversation, §4.5 and begins behind a message', async () => {
		const { conversation_handle: conversationHandle } = await receive(ANNA, 'hello');
		const { message_handle: before } = await receive(BEN, 'anyone?');
		expect(await contents({ conversationHandle })).toEqual(['hello']);
		expect(await contents({ before })).toEqual(['hello']);
		expect(await contents({ before: `msg_${String(before)}` })).toEqual(['hello']);
	});

	test.each([
		['a text', () => new Date(service.sandbox.clock.now() - MINUTE_MS).toISOString()],
		['an expression', () => '={{ $now.plus({ minutes: 30 }) }}'],
		// The calendar of the editor writes the time on the workflow's own clocks; tests run on New York's.
		[
			'a time without a zone, in the workflow’s zone',
			() =>
				"={{ $now.setZone('America/New_York').plus({ minutes: 30 }).toFormat(\"yyyy-MM-dd'T'HH:mm:ss\") }}",
		],
	])('keeps to what is newer than a time: %s', async (_, since) => {
		await receive(ANNA, 'before');
		await service.sandbox.advance(HOUR_MS);
		await receive(ANNA, 'after');
		expect(await contents({ since: since() })).toEqual(['after']);
	});

	test('§4.5 begins behind a number, as an expression may give', async () => {
		const parameters = { ...GET_MANY, filters: { before: '={{ 12345 }}' } };
		const { asked } = await runAt(() => ({ body: { messages: [] } }), { parameters });
		expect(asked.map(({ query }) => query.get('before'))).toEqual(['12345']);
	});

	test('returns the service’s own rows with Simplify off', async () => {
		const row = { message_handle: 'm1', extra: { a: 1 } };
		const parameters = { ...GET_MANY, simplify: false };
		const { json } = await runAt(() => ({ body: { messages: [row] } }), { parameters });
		expect(json).toEqual([row]);
	});
});

describe('line', () => {
	const { handle: BLOCKED } = FRONT_DESK;
	const { handle: SWITCHED_OFF } = SUPPORT;
	const get = async (line: object) =>
		await run({ resource: 'line', operation: 'get', line: { __rl: true, ...line } });

	test('§4.3 getMany gives the lines as they are, and the filters leave some out', async () => {
		await service.block(BLOCKED);
		await service.control.patch(`/sandbox/lines/${SWITCHED_OFF}`, { is_active: false });
		const handles = async (filters: INodeParameters) =>
			(await run({ resource: 'line', operation: 'getMany', filters }))
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
		const found = { line_handle: BLOCKED, label: 'Front desk', limits: { hourly: { limit: 50 } } };
		expect((await get(line)).json('Node')).toMatchObject([found]);
	});

	test('the picker shows label and number, and no state that n8n would keep in the node', async () => {
		await service.block(BLOCKED);
		await service.control.patch(`/sandbox/lines/${SWITCHED_OFF}`, { is_active: false });
		const search = async (operation = 'get') => {
			const node = { type: 'twoWayMessaging', parameters: { operation } };
			return (await service.engine.searchList({ node, method: 'searchLines' })).results;
		};

		expect(await search()).toEqual([
			{ name: 'Front desk · +15550100001', value: BLOCKED },
			{ name: 'Support · +15550100002', value: SWITCHED_OFF },
		]);

		const any = { name: 'Any active line', value: '' };
		expect(await search('send')).toEqual([any, ...(await search())]);
	});
});

describe('number: lookup', () => {
	const LOOK_UP = { resource: 'number', operation: 'lookup', number: '={{ $json.number }}' };
	const AT_ONCE = { ...LOOK_UP, options: { waitSeconds: 0 } };

	test('§4.6 waits while a live check runs, unless it takes longer than the wait', async () => {
		await service.customer(BEN, { imessage: false });

		const unknown = await run(AT_ONCE, [{ number: ANNA }]);
		const { json } = await run(LOOK_UP, [{ number: ANNA }, { number: BEN }]);

		expect(unknown.json('Node')).toEqual([{ number: ANNA, service: null }]);
		expect(json('Node')).toEqual([
			{ number: ANNA, service: 'iMessage' },
			{ number: BEN, service: 'SMS' },
		]);
	});

	test('§8.1 asks for a number once, however many items contain it and however it is typed', async () => {
		const items = [{ number: ANNA }, { number: '+1 555 123 0001' }, { number: ANNA }];
		const { json, asked } = await runAt(() => ({ body: { is_imessage: false } }), {
			parameters: LOOK_UP,
			items,
		});

		expect(json).toEqual(items.map(() => ({ number: ANNA, service: 'SMS' })));
		expect(asked).toHaveLength(1);
	});

	test('§4.6 says plainly when it stays a 503, and asks no more for the same number', async () => {
		const { json, asked } = await runAt(() => ({ status: 503, headers: { 'retry-after': '0' } }), {
			parameters: AT_ONCE,
			items: [{ number: ANNA }, { number: ANNA }],
			node: { onError: 'continueRegularOutput' },
		});

		expect(json.map(({ error_message: why }) => why)).toEqual(
			Array(2).fill('The service could not find out the channel of this number'),
		);
		expect(asked).toHaveLength(1);
	});

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'a number that fails is put out with the fields of its item, with On Error: %s',
		async (onError) => {
			const dora = { name: 'Dora', number: '555 0104' };

			const { json } = await service.run({
				parameters: LOOK_UP,
				items: [{ name: 'Anna', number: ANNA }, dora],
				node: { onError },
			});

			expect(json('Node', onError === 'continueErrorOutput' ? 1 : 0).at(-1)).toEqual({
				...dora,
				[onError === 'continueErrorOutput' ? 'error' : 'error_message']: expect.stringContaining(
					'“555 0104” is not in international format',
				) as string,
			});
		},
	);
});

const lineOf = (value: string) => ({ line: { __rl: true, mode: 'handle', value } });

test.each<[string, INodeParameters, string]>([
	['message getStatus', { messageHandle: '={{ $json.nothing }}' }, 'Message ID is empty'],
	['message getStatus', { messageHandle: 'nobody' }, 'The service does not know this message'],
	['message getMany', { filters: { since: 'soon' } }, 'Since is not a time: “soon”'],
	['line get', lineOf('={{ $json.line }}'), 'Line is empty'],
	['line get', lineOf('nobody'), 'No line of yours has the ID nobody'],
])('what leads to nothing is refused in words: %s with %j', async (names, parameters, message) => {
	const [resource = '', operation = ''] = names.split(' ');
	const { nodeError } = await run({ resource, operation, ...parameters });
	expect(nodeError('Node')).toMatchObject({ message });
});
