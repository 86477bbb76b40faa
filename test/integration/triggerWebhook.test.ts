import { gzipSync } from 'node:zlib';
import { HEADERS } from '../../nodes/TwoWayMessaging/contract';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { TwoWayMessagingTrigger } from '../../nodes/TwoWayMessaging/TwoWayMessagingTrigger.node';
import { GivenCredentials } from '../support/credentials';
import { log } from '../support/log';
import { TestClock } from '../support/testClock';
import {
	derivedSecret,
	engineWithTrigger,
	itemsOf,
	post,
	receiveEvent,
	signed,
	triggerNode,
	TriggerService,
} from './triggerWorkflow';

let trigger: TriggerService;

beforeEach(async () => {
	trigger = await TriggerService.start();
	log.clear();
});
afterEach(async () => await trigger.stop());

/** A running workflow, and what is needed to send it an event. */
const listening = async (parameters?: Parameters<typeof triggerNode>[0]) => {
	const live = await trigger.serve(parameters);
	await live.activate();
	const send = async (body: unknown, nowMs?: number) => await trigger.send(live, body, nowMs);
	return { live, send };
};

describe("a customer's text (§6.1)", () => {
	test('starts the workflow with the message, its handles as on the REST side', async () => {
		await trigger.stop();
		trigger = await TriggerService.start({ character: 'generous' });
		const { live } = await listening();
		await trigger.text('hello');
		await live.waitForRuns(1);
		const [row] = await trigger.service.rows();
		expect(itemsOf(live)).toEqual([
			{
				event: 'receive',
				chatInput: 'hello',
				sessionId: '15550100001-15551230001',
				event_id: `receive:${row?.message_handle}`,
				created_at: expect.stringMatching(/\+00:00$/),
				recovered: false,
				message_handle: row?.message_handle,
				conversation_handle: row?.conversation_handle,
				line_handle: row?.line_handle,
				from: '+15551230001',
				to: row?.to,
				content: 'hello',
				media_url: null,
				service: 'iMessage',
				status: 'RECEIVED',
				is_outbound: false,
			},
		]);
	});

	test('§6.3 starts it with the same item in the flat form, but for what that form does not say', async () => {
		await trigger.stop();
		trigger = await TriggerService.start({ eventForm: 'flat' });
		const { live } = await listening();
		await trigger.text('hello');
		await live.waitForRuns(1);
		const [row] = await trigger.service.rows();
		expect(itemsOf(live)).toEqual([
			expect.objectContaining({
				event: 'receive',
				event_id: `receive:${row?.message_handle}`,
				recovered: false,
				content: 'hello',
				service: 'iMessage',
				status: 'RECEIVED',
				date_sent: row?.date_sent,
			}),
		]);
	});

	test("with Simplify off, the item is the service's body, untouched", async () => {
		const { live, send } = await listening({ options: { simplify: false } });
		const body = receiveEvent('a1', { surprise: [1, null] });
		await send(body);
		await live.waitForRuns(1);
		expect(itemsOf(live)).toEqual([body]);
	});
});

describe('§6.4 what is not signed as the service signs starts nothing', () => {
	const body = receiveEvent('a1');

	test.each<[string, (secret: string) => { rawBody: Buffer; headers: Record<string, string> }]>([
		['unsigned', (secret) => ({ ...signed(body, secret), headers: {} })],
		['signed with another secret', () => signed(body, 'guessed')],
		[
			'tampered with',
			(secret) => ({
				...signed(body, secret),
				rawBody: Buffer.from(JSON.stringify({ ...body, x: 1 })),
			}),
		],
		['an hour old', (secret) => signed(body, secret, Date.now() - 3_600_000)],
		['an hour early', (secret) => signed(body, secret, Date.now() + 3_600_000)],
		['multipart', (secret) => multipart(signed(body, secret))],
	])('%s: 401, no execution, and the log says why', async (_, make) => {
		const { live } = await listening();
		const response = await post(live, make(trigger.secret));
		expect(response.status).toBe(401);
		expect(response.data).toEqual({ message: 'The signature was not accepted' });
		expect(live.runs).toHaveLength(0);
		expect(log.messages('warn')).toEqual([
			expect.stringMatching(/^Trigger refused an event .+: .+/),
		]);
	});

	test('an event is accepted within the tolerance of the node, both ways', async () => {
		const { live, send } = await listening({ options: { toleranceSeconds: 10 } });
		expect((await send(receiveEvent('a1'), Date.now() - 20_000)).status).toBe(401);
		expect((await send(receiveEvent('a2'), Date.now() - 5_000)).status).toBe(200);
		await live.waitForRuns(1);
	});

	test.each([
		undefined,
		'application/octet-stream',
		'application/cloudevents+json',
		'application/x-ndjson',
		'text/plain',
	])('an event is taken whatever its type is called: %s', async (type) => {
		const { headers, rawBody } = signed(receiveEvent('a1'), trigger.secret);
		const { response, startsWith } = await engineWithTrigger(trigger.credential).receiveWebhook({
			node: triggerNode(),
			rawBody,
			headers: { ...headers, 'content-type': type },
		});
		expect([response.status, startsWith]).toEqual([200, [expect.anything()]]);
	});

	test('a body that n8n has taken apart, and none at all, are refused', async () => {
		const { headers, rawBody } = signed(receiveEvent('a1'), trigger.secret);
		for (const [body, type] of [
			[rawBody, 'multipart/form-data; boundary=x'],
			['', 'application/json'],
		] as const) {
			const { response } = await engineWithTrigger(trigger.credential).receiveWebhook({
				node: triggerNode(),
				rawBody: body,
				headers: { ...headers, 'content-type': type },
			});
			expect(response.status).toBe(401);
		}
	});

	test('a credential that cannot be read lets nothing in', async () => {
		const engine = engineWithTrigger({ ...trigger.credential, apiSecret: '' });
		const request = signed(receiveEvent('a1'), '');
		const { response, startsWith } = await engine.receiveWebhook({
			node: triggerNode(),
			...request,
		});
		expect(response.status).toBe(401);
		expect(startsWith).toBeUndefined();
	});
});

describe('§6.4 the signature is over the bytes that the service sent', () => {
	const event = receiveEvent('a1', { text: 'café 👋 \u2028' });
	// It is made before the tests publish their workflows, and does not say so.
	const asSent = JSON.stringify({ ...event, created_at: undefined });

	test.each([
		['with a BOM before it', `\ufeff${asSent}`],
		['with ends of lines as on Windows', asSent.replaceAll(',', ',\r\n')],
		['spelled as no JSON writer spells it', asSent.replace('"evt_a1"', '"\\u0065vt_a1" ')],
	])('%s, an event starts the workflow', async (_, body) => {
		const { live, send } = await listening();
		expect((await send(body)).status).toBe(200);
		await live.waitForRuns(1);
		expect(itemsOf(live)).toMatchObject([{ event_id: 'receive:a1', content: 'café 👋 \u2028' }]);
	});

	const packed = ({ rawBody, headers }: ReturnType<typeof signed>) => ({
		rawBody: gzipSync(rawBody),
		headers: { ...headers, 'content-encoding': 'gzip' },
	});

	test('packed on its way, an event starts the workflow', async () => {
		const { live } = await listening();
		expect((await post(live, packed(signed(asSent, trigger.secret)))).status).toBe(200);
		await live.waitForRuns(1);
	});

	test('packed, an event does not count by a signature of the packed bytes', async () => {
		const { live } = await listening();
		const { headers } = signed(gzipSync(asSent), trigger.secret);
		const { rawBody } = signed(asSent, trigger.secret);
		expect((await post(live, packed({ rawBody, headers }))).status).toBe(401);
		expect(live.runs).toHaveLength(0);
	});
});

describe('§3.3 everything signed is answered 2xx, as ten failures end all deliveries', () => {
	test.each<[string, unknown]>([
		['an unknown kind', { id: 'evt_1', type: 'typing', data: {} }],
		['JSON that is no object', '[1]'],
		['an empty object', '{}'],
	])('%s starts no execution, and the log says so', async (_, body) => {
		const { live, send } = await listening();
		const response = await send(body);
		expect(response.status).toBe(200);
		expect(live.runs).toHaveLength(0);
		expect(log.messages('warn')).toHaveLength(1);
	});

	test.each([
		['by its own ID', { id: 'evt_1' }],
		['by all it says where it has no ID', {}],
	])(
		'a known kind without its fields starts one execution with the body as it came, and is known again %s',
		async (_, named) => {
			const { live, send } = await listening();
			const body = { ...named, type: 'receive', data: {} };
			expect((await send(body)).status).toBe(200);
			await live.waitForRuns(1);
			expect((await send(body)).status).toBe(200);
			expect((await send(receiveEvent('a1'))).status).toBe(200);
			await live.waitForRuns(2);
			expect(itemsOf(live)).toEqual([
				expect.objectContaining({ event: 'receive', raw: body }),
				expect.objectContaining({ event_id: 'receive:a1' }),
			]);
		},
	);

	test('a text that is not JSON', async () => {
		const { live } = await listening();
		const { rawBody, headers } = signed('hello', trigger.secret);
		const asText = { rawBody, headers: { ...headers, 'content-type': 'text/plain' } };
		expect((await post(live, asText)).status).toBe(200);
		expect(live.runs).toHaveLength(0);
	});

	test('a kind that the node does not listen to, and what its filters leave out', async () => {
		const { live, send } = await listening({ filters: { contains: 'price' } });
		const outbound = { type: 'outbound', data: { message: { message_handle: 'msg_b' } } };
		expect((await send(outbound)).status).toBe(200);
		expect((await send(receiveEvent('a1'))).status).toBe(200);
		expect((await send(receiveEvent('a2', { text: 'The price?' }))).status).toBe(200);
		await live.waitForRuns(1);
		expect(itemsOf(live)).toEqual([expect.objectContaining({ content: 'The price?' })]);
	});

	test('the answer to an accepted event is empty', async () => {
		const { live, send } = await listening();
		const [first, again] = [await send(receiveEvent('a1')), await send(receiveEvent('a1'))];
		for (const { status, data } of [first, again]) expect([status, data]).toEqual([200, '']);
		await live.waitForRuns(1);
	});
});

describe('the signing secret', () => {
	test('is the one in the credential, where the credential has one', async () => {
		const engine = engineWithTrigger({ ...trigger.credential, signingSecret: 'chosen' });
		const node = triggerNode();
		const request = signed(receiveEvent('a1'), 'chosen');
		expect((await engine.receiveWebhook({ node, ...request })).startsWith).toHaveLength(1);
		const derived = signed(receiveEvent('a2'), trigger.secret);
		expect((await engine.receiveWebhook({ node, ...derived })).response.status).toBe(401);
	});

	test('is read from the credential once, and again at most every ten seconds; the one before still counts', async () => {
		let nowMs = Date.now();
		const memory = new ProcessMemory(new TestClock(() => nowMs));
		const credential = { ...trigger.credential };
		const read = jest.spyOn(GivenCredentials.prototype, 'getDecrypted');
		const engine = engineWithTrigger(credential, {
			nodeTypes: [new TwoWayMessagingTrigger(memory)],
		});
		const receive = async (handle: string, secret: string) => {
			const call = { node: triggerNode(), ...signed(receiveEvent(handle), secret, nowMs) };
			return (await engine.receiveWebhook(call)).response.status;
		};
		for (const handle of ['a1', 'a2', 'a3'])
			expect(await receive(handle, trigger.secret)).toBe(200);
		expect(read).toHaveBeenCalledTimes(1);
		for (const handle of ['b1', 'b2', 'b3']) expect(await receive(handle, 'guessed')).toBe(401);
		expect(read).toHaveBeenCalledTimes(1);
		credential.apiSecret = 'another';
		nowMs += 10_000;
		expect(await receive('c1', derivedSecret('another'))).toBe(200);
		expect(await receive('c2', trigger.secret)).toBe(200);
		expect(read).toHaveBeenCalledTimes(2);
	});

	test('is waited for by all the events that come first, at the same moment', async () => {
		const memory = new ProcessMemory(new TestClock());
		const nodeTypes = [new TwoWayMessagingTrigger(memory)];
		const engine = engineWithTrigger(trigger.credential, { nodeTypes });
		const statuses = await Promise.all(
			['a1', 'a2', 'a3', 'a4'].map(async (handle) => {
				const call = { node: triggerNode(), ...signed(receiveEvent(handle), trigger.secret) };
				return (await engine.receiveWebhook(call)).response.status;
			}),
		);
		expect(statuses).toEqual([200, 200, 200, 200]);
	});

	test('that cannot be read verifies nothing, and the log says why', async () => {
		const withoutCredential = engineWithTrigger({}, { credentials: {} });
		const call = { node: triggerNode(), ...signed(receiveEvent('a2'), 'guessed') };
		expect((await withoutCredential.receiveWebhook(call)).response.status).toBe(401);
		expect(log.messages('warn')[0]).toContain('cannot read its credential');
	});
});

describe('a test in the editor', () => {
	test('shows every event, also one that has begun in production, and the event still begins in production', async () => {
		const { live, send } = await listening();
		const event = receiveEvent('a1');
		const test = { node: triggerNode(), isTest: true, ...signed(event, trigger.secret) };
		expect((await trigger.engine.receiveWebhook(test)).startsWith).toHaveLength(1);
		await send(event);
		await live.waitForRuns(1);
		expect((await trigger.engine.receiveWebhook(test)).startsWith).toHaveLength(1);
	});
});

function multipart(request: { rawBody: Buffer; headers: Record<string, string> }) {
	const headers = { ...request.headers, 'content-type': 'multipart/form-data; boundary=x' };
	return { rawBody: request.rawBody, headers };
}

test('the header has the name that the service gives it (§6.4)', () => {
	expect(HEADERS.signature).toBe('service-signature');
});
