import type { INodeParameters } from 'n8n-workflow';
import { startStub, type StubAnswer, type StubRequest } from '../support/stub';
import { TestService } from '../support/service';
import { fastMemory } from '../support/testClock';

const ANNA = '+15551230001';

let service: TestService;

beforeAll(async () => {
	service = await TestService.start({ memory: fastMemory() });
});
afterAll(async () => await service.stop());

/** Runs the node against an operator who answers in other words. */
const runAt = async (
	answer: (request: StubRequest) => StubAnswer,
	parameters: INodeParameters,
	more: { items?: Array<Record<string, string>>; credential?: object } = {},
) => {
	const stub = await startStub(answer);
	const credential = service.credential({ baseUrl: stub.url, ...more.credential });
	// Each test has an account of its own, as what is found out is remembered for one.
	const engine = service.engineWith(credential);
	const run = await service.run({ parameters, items: more.items }, engine);
	await stub.stop();
	const asked = stub.requests.map(({ path, query }) => `${path}?${query}`);
	return { json: run.json('Node'), message: run.nodeError('Node')?.message, asked };
};

describe('§4.9 the prefix of an endpoint', () => {
	const lookup = { resource: 'number', operation: 'lookup', number: ANNA };
	const at =
		(path: string, answer: StubAnswer) =>
		(request: StubRequest): StubAnswer =>
			request.path === path ? answer : { status: 404, body: { message: 'Not Found' } };

	test('is found out once, and each endpoint may have its own', async () => {
		const known = { body: { service: 'SMS' } };
		const { json, asked } = await runAt(at('/v2/lookup', known), lookup, {
			items: [{}, {}] as never,
		});
		expect(json).toMatchObject([{ service: 'SMS' }, { service: 'SMS' }]);
		expect(asked.map((path) => path.split('?')[0])).toEqual([
			'/lookup',
			'/v1/lookup',
			'/v2/lookup',
		]);

		const status = {
			resource: 'message',
			operation: 'getStatus',
			messageHandle: '={{ $json.id }}',
		};
		const items = [{ id: 'm1' }, { id: 'm2' }];
		const read = await runAt(at('/v1/status', { body: { status: 'QUEUED' } }), status, { items });
		expect(read.json).toMatchObject([{ status: 'QUEUED' }, { status: 'QUEUED' }]);
		expect(read.asked.map((path) => path.split('?')[0])).toEqual([
			'/status',
			'/v1/status',
			'/v1/status',
		]);
	});

	test('is the credential’s where it has one', async () => {
		const { asked, message } = await runAt(at('/v2/lookup', {}), lookup, {
			credential: { pathPrefix: '/v9' },
		});
		expect(asked.map((path) => path.split('?')[0])).toEqual(['/v9/lookup']);
		expect(message).toContain('did not find');
	});
});

describe('§4.9 a path without its prefix', () => {
	test.each([
		['a health check', { body: { status: 'ok' } }],
		['a page', { body: '<html>Welcome</html>' }],
		['a gateway that knows no such path', { status: 403, body: { message: 'Forbidden' } }],
		['405', { status: 405, body: {} }],
	])('may be %s, and the right one is found out all the same', async (_, other) => {
		const status = { resource: 'message', operation: 'getStatus', messageHandle: 'm1' };
		const lookup = { resource: 'number', operation: 'lookup', number: ANNA };
		const at =
			(path: string, body: object) =>
			(request: StubRequest): StubAnswer =>
				request.path === path ? { body } : request.path === '/v2/messages' ? { body: [] } : other;
		expect((await runAt(at('/v1/status', { status: 'SENT' }), status)).json).toMatchObject([
			{ status: 'SENT' },
		]);
		expect((await runAt(at('/v2/lookup', { service: 'SMS' }), lookup)).json).toMatchObject([
			{ service: 'SMS' },
		]);
	});
});

describe('§4.4 the status', () => {
	const status = { resource: 'message', operation: 'getStatus', messageHandle: 'm1' };

	test.each([
		['handle', '/status?handle=m1'],
		['id', '/status?id=m1'],
		['the path', '/status/m1?'],
	])('is asked for by %s where the service knows no other way', async (_, wanted) => {
		const { json } = await runAt(({ path, query }) => {
			const isKnown = `${path}?${query}` === wanted;
			return isKnown ? { body: { status: 'QUEUED' } } : { status: 422, body: { message: 'No' } };
		}, status);
		expect(json).toMatchObject([{ message_handle: 'm1', status: 'QUEUED' }]);
	});

	test.each([
		{ status: 'ok', message: { status: 'SENT' } },
		{ success: true, result: { item: { message_handle: 'm1', status: 'sent' } } },
		[{ status: 'Sent' }],
	])('is the message’s, whatever stands around it: %j', async (body) => {
		const { json } = await runAt(({ path }) => ({ body: path === '/status' ? body : [] }), status);
		expect(json).toMatchObject([{ message_handle: 'm1', status: 'SENT' }]);
	});
});

test('§3.1 how far a message has come is in the history, where nobody knows the way to its status', async () => {
	const sent = { message_handle: 'm1', from: '15550100001', to: '15551230001', content: 'Hi' };
	const send = { resource: 'message', operation: 'send', number: ANNA, content: 'Hi' };
	const { json, asked } = await runAt(
		({ path, method }) => {
			if (method === 'POST') return { status: 201, body: { ...sent, status: 'QUEUED' } };
			if (path !== '/v2/messages') return { status: 404, body: { message: 'Not Found' } };
			const row = { ...sent, state: 'delivered', date_sent: new Date().toISOString() };
			return { body: { history: [row] } };
		},
		{ ...send, options: { waitFor: 'delivered' } },
	);
	expect(json).toMatchObject([{ status: 'DELIVERED' }]);
	expect(asked.filter((one) => one.startsWith('/v2/messages'))).toHaveLength(1);
});

describe('§4.6 a look-up', () => {
	const lookup = { resource: 'number', operation: 'lookup', number: ANNA };

	test.each([
		[{ result: { predicted_service: 'imessage' } }, 'iMessage'],
		[{ data: { attributes: { channel: 'SMS' } } }, 'SMS'],
		[{ phone: '1', prediction: 'rcs' }, 'RCS'],
		[{ payload: { imessage_capable: 0 } }, 'SMS'],
		[{ supportsIMessage: 'true' }, 'iMessage'],
		[{ fallback_service: 'SMS', service: 'iMessage' }, 'iMessage'],
	])('is understood in other words: %j', async (body, channel) => {
		expect((await runAt(() => ({ body }), lookup)).json).toEqual([
			{ number: ANNA, service: channel },
		]);
	});

	test('is asked again while its status says so, also with 200', async () => {
		const bodies = [{ status: 'pending' }, { data: { state: 'PROCESSING' } }, { service: 'SMS' }];
		const { json, asked } = await runAt(() => ({ body: bodies.shift() }), lookup);
		expect(json).toEqual([{ number: ANNA, service: 'SMS' }]);
		expect(asked).toHaveLength(3);
	});

	test('puts out as it came what cannot be understood', async () => {
		const body = { colour: 'blue' };
		expect((await runAt(() => ({ body }), lookup)).json).toEqual([{ number: ANNA, raw: body }]);
	});
});

describe('§4.5 a history in other words', () => {
	const row = (handle: number, more: object) => ({
		message_handle: handle,
		conversation_handle: 7,
		from: '15551230001',
		to: '15550100001',
		content: `${handle}`,
		...more,
	});
	const rows = [
		row(5, { is_outbound: 0 }),
		row(4, { is_outbound: 1, from: '15550100001', to: '15551230001' }),
		row(3, { is_outbound: 'false' }),
		row(2, { direction: 'Inbound' }),
		row(1, { status: 'RECEIVED' }),
	];
	const history = (): StubAnswer => ({ body: { ok: 1, history: { records: rows }, next: null } });

	test.each([
		['inbound', ['5', '3', '2', '1']],
		['outbound', ['4']],
	])('tells who wrote: %s', async (direction, contents) => {
		const getMany = { resource: 'message', operation: 'getMany', filters: { direction } };
		const { json } = await runAt(history, getMany);
		expect(json.map(({ content }) => content)).toEqual(contents);
	});

	test('shows a conversation by the number, with or without its plus', async () => {
		const with_ = {
			resource: 'message',
			operation: 'getConversation',
			with: 'number',
			number: ANNA,
		};
		const { json } = await runAt(history, with_);
		expect(json).toMatchObject([{ customer: ANNA, conversation_handle: '7' }]);
		expect(json[0]?.messages).toHaveLength(5);
	});

	test('is never cut off silently', async () => {
		const full = Array.from({ length: 100 }, (_, at) => row(at + 1, {}));
		const getMany = { resource: 'message', operation: 'getMany', returnAll: true };
		const { message } = await runAt(() => ({ body: { messages: full } }), getMany);
		expect(message).toContain('The history goes on');
	});
});

describe('§4.3 lines in other words', () => {
	const line = { line_handle: 7, number: '15550100001', is_active: 1 };

	test('are all listed, and chosen by number', async () => {
		const answer = () => ({
			body: { ok: true, result: { items: [line, { ...line, is_active: 0, line_handle: 8 }] } },
		});
		const { json } = await runAt(answer, {
			resource: 'line',
			operation: 'getMany',
			filters: { onlyActive: true },
		});
		expect(json).toMatchObject([{ line_handle: '7', is_active: true }]);
		const chosen = { __rl: true, mode: 'number', value: '+15550100001' };
		const got = await runAt(answer, { resource: 'line', operation: 'get', line: chosen });
		expect(got.json).toMatchObject([{ line_handle: '7' }]);
	});
});
