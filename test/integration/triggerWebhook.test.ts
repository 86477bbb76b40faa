import { gzipSync } from 'node:zlib';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { readFilters } from '../../nodes/TwoWayMessaging/trigger/filters';
import { TwoWayMessagingTrigger } from '../../nodes/TwoWayMessaging/TwoWayMessagingTrigger.node';
import { consentIn } from '../../nodes/TwoWayMessaging/waiting/consent';
import { GivenCredentials } from '../support/credentials';
import { log } from '../support/log';
import { handles, historyWorld, SECRET } from './historyWorld';
import { TriggerService } from './triggerService';
import {
	derivedSecret,
	engineWithTrigger,
	receiveEvent,
	signed,
	triggerNode,
} from './triggerWorkflow';

type Request = ReturnType<typeof signed>;

const world = historyWorld();

/** A process of n8n that is asked for the answer to a request, in the test's own time. */
const answering = (credential: object = world.service.credential, parameters = {}) => {
	const nodeTypes = [new TwoWayMessagingTrigger(new ProcessMemory(world.clock))];
	const given: Record<string, string> = { ...credential };
	const engine = engineWithTrigger(given, { nodeTypes });
	const receive = async (request: Request) =>
		await engine.receiveWebhook({ node: triggerNode(parameters), ...request });
	const status = async (request: Request) => (await receive(request)).response.status;
	return { receive, status, credential: given };
};
const signedNow = (body: unknown, secret = SECRET) => signed(body, secret, world.nowMs);
const withHeaders = ({ rawBody, headers }: Request, more: Record<string, string>): Request => ({
	rawBody,
	headers: { ...headers, ...more },
});

describe("a customer's text (§6.1)", () => {
	/** The items that a text starts the workflow with, and its row. */
	const itemsOfText = async (options: Parameters<typeof TriggerService.start>[0]) => {
		const trigger = await TriggerService.start(options);
		const n8n = await trigger.listen();
		await trigger.text('hello');
		const [row] = await trigger.service.rows();
		await trigger.stop();
		return { items: n8n.items, row: row! };
	};

	test('starts the workflow with the message, its handles as on the REST side', async () => {
		const { items, row } = await itemsOfText({ character: 'generous' });
		expect(items).toEqual([
			{
				event: 'receive',
				chatInput: 'hello',
				sessionId: '15550100001-15551230001',
				event_id: `receive:${row.message_handle}`,
				created_at: expect.stringMatching(/\+00:00$/),
				recovered: false,
				message_handle: row.message_handle,
				conversation_handle: row.conversation_handle,
				line_handle: row.line_handle,
				from: '+15551230001',
				to: row.to,
				content: 'hello',
				media_url: null,
				service: 'iMessage',
				status: 'RECEIVED',
				is_outbound: false,
			},
		]);
	});

	test('§6.3 starts it with the same item in the flat form, but for what that form does not say', async () => {
		const { items, row } = await itemsOfText({ eventForm: 'flat' });
		expect(items).toEqual([
			expect.objectContaining({
				event: 'receive',
				event_id: `receive:${row.message_handle}`,
				recovered: false,
				content: 'hello',
				service: 'iMessage',
				status: 'RECEIVED',
				date_sent: row.date_sent,
			}),
		]);
	});

	test("with Simplify off, the item is the service's body, untouched", async () => {
		const process = await world.started({ options: { simplify: false } });
		const body = receiveEvent('a1', { surprise: [1, null] });
		await process.receive(body, SECRET, world.nowMs);
		expect(await process.execute()).toEqual([body]);
	});
});

test('the answer says why an event starts nothing, and nothing of one that starts something', async () => {
	const { receive } = answering(undefined, { filters: { contains: 'hello' } });
	const said = async (text: string) =>
		(await receive(signedNow(receiveEvent(text, { text })))).response;
	expect(await Promise.all(['STOP', 'good morning', 'hello'].map(said))).toMatchObject([
		{ status: 200, body: 'starts nothing: it is STOP, START or the like' },
		{ status: 200, body: 'starts nothing: the filters leave it out' },
		{ status: 200, body: '' },
	]);
});

test('the answer says that an event has come before, once that has begun', async () => {
	const process = await world.started();
	await world.receive(process, receiveEvent('a1'));
	expect(process.answer).toBe('');
	await world.receive(process, receiveEvent('a1'));
	expect(process.answer).toBe('starts nothing: it has come before');
});

describe('§6.4 what is not signed as the service signs starts nothing', () => {
	const body = receiveEvent('a1');

	test('taken apart by n8n, as it is multipart: 401, no execution, and the log says why', async () => {
		const multipart = { 'content-type': 'multipart/form-data; boundary=x' };
		const { response, startsWith } = await answering().receive(
			withHeaders(signedNow(body), multipart),
		);
		expect(response).toMatchObject({
			status: 401,
			body: { message: 'The signature was not accepted' },
		});
		expect(startsWith).toBeUndefined();
		expect(log.messages('warn')).toEqual([
			expect.stringMatching(/^Trigger refused an event .+: .+/),
		]);
	});

	test('an event is accepted within the tolerance of the node, both ways', async () => {
		const process = await world.started({ options: { toleranceSeconds: 10 } });
		const after = async (seconds: number) =>
			await process.receive(receiveEvent(`a${seconds}`), SECRET, world.nowMs - seconds * 1_000);
		expect([await after(20), await after(-20)]).toEqual([401, 401]);
		expect([await after(5), await after(-5)]).toEqual([200, 200]);
	});

	test.each(['application/octet-stream', 'application/cloudevents+json', 'text/plain'])(
		'an event is taken whatever its type is called: %s',
		async (type) => {
			const request = withHeaders(signedNow(body), { 'content-type': type });
			const { response, startsWith } = await answering().receive(request);
			expect([response.status, startsWith]).toEqual([200, [expect.anything()]]);
		},
	);

	test('a credential without an API secret lets nothing in', async () => {
		const { status } = answering({ ...world.service.credential, apiSecret: '' });
		for (const secret of ['', derivedSecret('')]) {
			expect(await status(signedNow(body, secret))).toBe(401);
		}
	});
});

describe('§6.4 the signature is over the bytes that the service sent', () => {
	const asSent = JSON.stringify(receiveEvent('a1', { text: 'café 👋 \u2028' }));

	test.each([
		['with a BOM before it', `\ufeff${asSent}`],
		['with ends of lines as on Windows', asSent.replaceAll(',', ',\r\n')],
	])('%s, an event starts the workflow', async (_, body) => {
		const process = await world.started();
		expect(await process.receive(body, SECRET, world.nowMs)).toBe(200);
		expect(await process.execute()).toMatchObject([
			{ event_id: 'receive:a1', content: 'café 👋 \u2028' },
		]);
	});

	test('packed on its way, an event counts by the signature of its bytes, not of the packed ones', async () => {
		const packed = (headers: Request['headers']) =>
			withHeaders({ rawBody: gzipSync(asSent), headers }, { 'content-encoding': 'gzip' });
		const { status } = answering();
		expect(await status(packed(signedNow(asSent).headers))).toBe(200);
		expect(await status(packed(signedNow(gzipSync(asSent)).headers))).toBe(401);
	});
});

describe('§3.3 everything signed is answered 2xx, as ten failures end all deliveries', () => {
	test.each<[string, unknown, string?]>([
		['an unknown kind', { id: 'evt_1', type: 'typing', data: {} }],
		['JSON that is no object', '[1]'],
		['an empty object', '{}'],
		['a text that is not JSON', 'hello', 'text/plain'],
	])('%s starts no execution, and the log says so', async (_, body, type = 'application/json') => {
		const process = await world.started();
		const request = withHeaders(signedNow(body), { 'content-type': type });
		expect(await process.receiveRequest(request)).toBe(200);
		expect(await world.begun(process)).toEqual([]);
		expect(log.messages('warn')).toHaveLength(1);
	});

	test.each([
		['by its own ID', { id: 'evt_1' }],
		['by all it says where it has no ID', {}],
	])(
		'a known kind without its fields starts one execution with the body as it came, and is known again %s',
		async (_, named) => {
			const process = await world.started();
			const body = { ...named, type: 'receive', data: {} };
			for (const event of [body, body, receiveEvent('a1')]) {
				expect(await process.receive(event, SECRET, world.nowMs)).toBe(200);
			}
			const [unread, ...others] = await process.execute();
			expect(unread).toMatchObject({ event: 'receive', raw: body });
			expect(handles(others)).toEqual(['a1']);
		},
	);

	test('a kind that the node does not listen to, and what its filters leave out, start nothing', async () => {
		const process = await world.started({ filters: { contains: 'price' } });
		const sent = { type: 'outbound', data: { message: { message_handle: 'msg_b' } } };
		for (const event of [sent, receiveEvent('a1')]) {
			expect(await world.receive(process, event)).toEqual([]);
		}
		const asking = receiveEvent('a2', { text: 'The price?' });
		expect(await world.receive(process, asking)).toEqual(['a2']);
	});
});

describe('the signing secret', () => {
	test('is the one in the credential, where the credential has one', async () => {
		const { status } = answering({ ...world.service.credential, signingSecret: 'chosen' });
		expect(await status(signedNow(receiveEvent('a1'), 'chosen'))).toBe(200);
		expect(await status(signedNow(receiveEvent('a2')))).toBe(401);
	});

	test('is read from the credential once, and again at most every ten seconds; the one before still counts', async () => {
		const read = jest.spyOn(GivenCredentials.prototype, 'getDecrypted');
		const { status, credential } = answering();
		const receive = async (handle: string, secret: string) =>
			await status(signedNow(receiveEvent(handle), secret));
		for (const handle of ['a1', 'a2', 'a3']) expect(await receive(handle, SECRET)).toBe(200);
		for (const handle of ['b1', 'b2', 'b3']) expect(await receive(handle, 'guessed')).toBe(401);
		expect(read).toHaveBeenCalledTimes(1);
		credential.apiSecret = 'another';
		world.nowMs += 10_000;
		expect(await receive('c1', derivedSecret('another'))).toBe(200);
		expect(await receive('c2', SECRET)).toBe(200);
		expect(read).toHaveBeenCalledTimes(2);
	});

	test('is waited for by all the events that come first, at the same moment', async () => {
		const { status } = answering();
		const first = ['a1', 'a2', 'a3', 'a4'].map((handle) => signedNow(receiveEvent(handle)));
		expect(await Promise.all(first.map(status))).toEqual([200, 200, 200, 200]);
	});

	test('that cannot be read verifies nothing, and the log says why', async () => {
		const withoutCredential = engineWithTrigger();
		const call = { node: triggerNode(), ...signed(receiveEvent('a2'), 'guessed') };
		expect((await withoutCredential.receiveWebhook(call)).response.status).toBe(401);
		expect(log.messages('warn')[0]).toContain('cannot read its credential');
	});
});

test.each(['.', '!', ' ', '\n', '\u0301', '(', '1', ','])(
	'a text of a megabyte is read in no time, of whatever it is: %j',
	async (sign) => {
		const text = sign.repeat(1_000_000);
		for (const long of [text, `${text}a`]) {
			expect(consentIn(long)).toBeUndefined();
			expect(readFilters({ from: long, contains: long, lines: long })).toBeDefined();
		}
		const process = await world.started({ filters: { contains: 'price', from: '+15551230001' } });
		const event = receiveEvent('a', { text: `${text}a price` });
		expect(await world.receive(process, event)).toEqual(['a']);
		await world.receive(process, receiveEvent('b', { text: 'price', from: text }));
	},
	10_000,
);
