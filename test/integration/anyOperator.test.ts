import type { INodeParameters } from 'n8n-workflow';
import { ANNA, serviceInEachTest } from '../support/service';
import type { StubAnswer, StubRequest } from '../support/stub';

const LOOK_UP = { resource: 'number', operation: 'lookup', number: ANNA };
const SEND = { resource: 'message', operation: 'send', number: ANNA, content: 'Hi' };
const STATUS = { resource: 'message', operation: 'getStatus', messageHandle: 'm1' };
const NOT_FOUND = { status: 404, body: { message: 'Not Found' } };

const service = serviceInEachTest();

/** Runs the node against an operator who answers in other words. */
const runAt = async (
	answer: (request: StubRequest) => StubAnswer,
	parameters: INodeParameters,
	more: Partial<Parameters<typeof service.runAt>[1]> = {},
) => {
	const run = await service.runAt(answer, { parameters, ...more });
	const paths = run.asked.map(({ path }) => path);
	return { json: run.json('Node'), message: run.nodeError('Node')?.message, paths };
};

/** An operator who has one path and says of each other that it is not there, or something else. */
const at =
	(known: string, body: object, other: StubAnswer = NOT_FOUND) =>
	({ path }: StubRequest): StubAnswer =>
		path === known ? { body } : path === '/v2/messages' ? { body: [] } : other;

describe('§4.9 the prefix of an endpoint', () => {
	test('is found out once, and each endpoint may have its own', async () => {
		const two = { items: [{ id: 'm1' }, { id: 'm2' }] };
		const known = await runAt(at('/v2/lookup', { service: 'SMS' }), LOOK_UP, two);
		expect(known.json).toMatchObject([{ service: 'SMS' }, { service: 'SMS' }]);
		expect(known.paths).toEqual(['/lookup', '/v1/lookup', '/v2/lookup']);

		const ofEach = { ...STATUS, messageHandle: '={{ $json.id }}' };
		const read = await runAt(at('/v1/status', { status: 'QUEUED' }), ofEach, two);
		expect(read.json).toMatchObject([{ status: 'QUEUED' }, { status: 'QUEUED' }]);
		expect(read.paths).toEqual(['/status', '/v1/status', '/v1/status']);
	});

	test('is the credential’s where it has one', async () => {
		const credential = { pathPrefix: '/v9' };
		const { paths, message } = await runAt(at('/v2/lookup', {}), LOOK_UP, { credential });
		expect(paths).toEqual(['/v9/lookup']);
		expect(message).toContain('did not find');
	});

	test.each<[string, StubAnswer]>([
		['a health check', { body: { status: 'ok' } }],
		['a page', { body: '<html>Welcome</html>' }],
		['a gateway that knows no such path', { status: 403, body: { message: 'Forbidden' } }],
		['another method’s', { status: 405, body: {} }],
	])('is found out also where the path without it is %s', async (_, other) => {
		const read = await runAt(at('/v1/status', { status: 'SENT' }, other), STATUS);
		expect(read.json).toMatchObject([{ status: 'SENT' }]);
		const known = await runAt(at('/v2/lookup', { service: 'SMS' }, other), LOOK_UP);
		expect(known.json).toMatchObject([{ service: 'SMS' }]);
	});
});

describe('§4.4 the status', () => {
	test.each([
		['handle', '/status?handle=m1'],
		['id', '/status?id=m1'],
		['the path', '/status/m1?'],
	])('is asked for by %s where the service knows no other way', async (_, wanted) => {
		const { json } = await runAt(({ path, query }) => {
			const isKnown = `${path}?${query}` === wanted;
			return isKnown ? { body: { status: 'QUEUED' } } : { status: 422, body: { message: 'No' } };
		}, STATUS);
		expect(json).toMatchObject([{ message_handle: 'm1', status: 'QUEUED' }]);
	});

	test.each([
		{ status: 'ok', message: { status: 'SENT' } },
		{ success: true, result: { item: { message_handle: 'm1', status: 'sent' } } },
		[{ status: 'Sent' }],
	])('is the message’s, whatever stands around it: %j', async (body) => {
		const { json } = await runAt(at('/status', body), STATUS);
		expect(json).toMatchObject([{ message_handle: 'm1', status: 'SENT' }]);
	});
});

describe('§3.1 how far a message has come', () => {
	/** Sends and follows a message at an operator with this row of the history, and this answer of the status. */
	const follow = async (waitFor: string, row: object, status: StubAnswer) => {
		const sent = { message_handle: 'm1', from: '15550100001', to: '15551230001', content: 'Hi' };
		const answer = ({ path, method }: StubRequest): StubAnswer => {
			if (method === 'POST') return { status: 201, body: { ...sent, status: 'QUEUED' } };
			return path === '/v2/messages' ? { body: { history: [{ ...sent, ...row }] } } : status;
		};
		return await runAt(answer, { ...SEND, options: { waitFor } });
	};
	const QUEUED = { status: 'QUEUED', date_sent: null };

	test('is in the history, where nobody knows the way to its status', async () => {
		const row = { state: 'delivered', date_sent: new Date().toISOString() };
		const { json, paths } = await follow('delivered', row, NOT_FOUND);
		expect(json).toMatchObject([{ status: 'DELIVERED' }]);
		expect(paths.filter((path) => path === '/v2/messages')).toHaveLength(1);
	});

	test('is in the status where the history lags behind: it could not be sent', async () => {
		const { message } = await follow('sent', QUEUED, { body: { status: 'ERROR' } });
		expect(message).toMatch(/could not (be sent|send)/i);
	});

	test('is in the status where the history lags behind: it has left, by this channel', async () => {
		const status = { body: { message_handle: 'm1', status: 'SENT', service: 'SMS' } };
		const { json } = await follow('delivered', QUEUED, status);
		expect(json).toMatchObject([{ status: 'SENT', service: 'SMS' }]);
	});
});

describe('§4.6 a look-up', () => {
	test.each([
		[{ result: { predicted_service: 'imessage' } }, 'iMessage'],
		[{ data: { attributes: { channel: 'SMS' } } }, 'SMS'],
		[{ phone: '1', prediction: 'rcs' }, 'RCS'],
		[{ payload: { imessage_capable: 0 } }, 'SMS'],
		[{ supportsIMessage: 'true' }, 'iMessage'],
		[{ fallback_service: 'SMS', service: 'iMessage' }, 'iMessage'],
	])('is understood in other words: %j', async (body, channel) => {
		const { json } = await runAt(() => ({ body }), LOOK_UP);
		expect(json).toEqual([{ number: ANNA, service: channel }]);
	});

	test('is asked again while its status says so, also with 200', async () => {
		const bodies = [{ status: 'pending' }, { data: { state: 'PROCESSING' } }, { service: 'SMS' }];
		const { json, paths } = await runAt(() => ({ body: bodies.shift() }), LOOK_UP);
		expect(json).toEqual([{ number: ANNA, service: 'SMS' }]);
		expect(paths).toHaveLength(3);
	});

	test('puts out as it came what cannot be understood', async () => {
		const body = { colour: 'blue' };
		const { json } = await runAt(() => ({ body }), LOOK_UP);
		expect(json).toEqual([{ number: ANNA, raw: body }]);
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
		const withAnna = { operation: 'getConversation', with: 'number', number: ANNA };
		const { json } = await runAt(history, { resource: 'message', ...withAnna });
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
		const items = [line, { ...line, is_active: 0, line_handle: 8 }];
		const answer = () => ({ body: { ok: true, result: { items } } });
		const active = { operation: 'getMany', filters: { onlyActive: true } };
		const { json } = await runAt(answer, { resource: 'line', ...active });
		expect(json).toMatchObject([{ line_handle: '7', is_active: true }]);
		const chosen = { __rl: true, mode: 'number', value: '+15550100001' };
		const got = await runAt(answer, { resource: 'line', operation: 'get', line: chosen });
		expect(got.json).toMatchObject([{ line_handle: '7' }]);
	});
});
