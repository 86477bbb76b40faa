import { createSandbox } from '../../sandbox/src';
import { CONTACT, FRONT_DESK, START_MS, newService } from './service';

test('POST /sandbox/inbound uses the line of the contact’s last conversation', async () => {
	const { text } = newService();
	await text('Hi', { to: '+15550100002' });
	expect((await text('again')).to).toBe('+15550100002');
});

test('POST /sandbox/clock lets twelve hours pass at once', async () => {
	const { call } = newService();
	const answer = await call('POST', '/sandbox/clock', { advance_seconds: 43_200 });
	expect(answer.body).toEqual({ now: new Date(START_MS + 43_200_000).toISOString() });
});

describe('POST /sandbox/reset', () => {
	test('removes everything but the key pair and the lines', async () => {
		const { sandbox, call, send, text, register, posted } = newService();
		const before = (await call('GET', '/sandbox/state')).body;
		await register(['receive', 'outbound']);
		await text('STOP', { from: '+15551239999' });
		await sandbox.settled();
		await send();
		await call('POST', `/sandbox/lines/${FRONT_DESK}/block`, {});
		await call('POST', '/sandbox/faults', { path: '/v1/me', kind: 'status-500' });
		await sandbox.advance(100);
		expect((await call('POST', '/sandbox/reset')).status).toBe(200);
		expect((await call('GET', '/sandbox/state')).body).toEqual(before);
		await sandbox.advance(60_000);
		expect(posted).toHaveLength(1);
		expect((await call('GET', '/v1/me')).status).toBe(200);
	});

	test('keeps the enabled endpoints with keep_webhooks, without failures, and wakes no other', async () => {
		const { sandbox, call, register, text, posted } = newService({}, () => ({
			status: 500,
			excerpt: '',
		}));
		await register(['receive'], { secret: 's' });
		for (let n = 0; n < 10; n++) await text('Hi');
		await sandbox.settled();
		await register(['receive'], { secret: 's', url: 'https://n8n.example/webhook/other' });
		await text('Hi');
		await sandbox.settled();
		const webhooks = async () => (await call('GET', '/sandbox/state')).body['webhooks'];
		expect(await webhooks()).toMatchObject([
			{ status: 'disabled', failures: 10 },
			{ status: 'enabled', failures: 1 },
		]);
		await call('POST', '/sandbox/reset', { keep_webhooks: true });
		expect(await webhooks()).toMatchObject([{ status: 'enabled', failures: 0 }]);
		posted.length = 0;
		await text('Anyone there?');
		await sandbox.settled();
		expect(posted).toHaveLength(1);
		expect(posted[0]!.headers).toHaveProperty('service-signature');
	});
});

describe('The webhooks', () => {
	/** A webhook as the control endpoints show it. */
	type Webhook = { id: string; url: string; status: string; failures: number };
	const listOf = async ({ call }: ReturnType<typeof newService>) =>
		(await call('GET', '/sandbox/webhooks')).body['webhooks'] as Webhook[];

	test('are listed, without their secrets, and removed one by one', async () => {
		const service = newService();
		await service.register(['receive'], { secret: 'sign-with-this' });
		await service.register(['receive'], { url: 'https://other.example/' });
		const [first, second] = await listOf(service);
		expect(first).toMatchObject({ url: 'https://receiver.example/hook', status: 'enabled' });
		expect(JSON.stringify(await listOf(service))).not.toContain('sign-with-this');
		const removed = await service.call('DELETE', `/sandbox/webhooks/${first!.id}`);
		expect([removed.status, removed.body['id']]).toEqual([200, first!.id]);
		expect(await listOf(service)).toEqual([second]);
		await service.text('Hi');
		await service.sandbox.settled();
		expect(service.posted.map(({ url }) => url)).toEqual(['https://other.example/']);
		expect((await service.call('DELETE', `/sandbox/webhooks/${first!.id}`)).status).toBe(404);
	});
});

describe('Control endpoints', () => {
	test('need no credential, have no request limit, and answer 404 where they do not exist', async () => {
		const { call } = newService({ requestLimits: { all: 1 } });
		for (let n = 0; n < 5; n++) {
			expect((await call('GET', '/sandbox/state', undefined, {})).status).toBe(200);
		}
		const answer = await call('POST', '/sandbox/nothing', {});
		expect([answer.status, answer.body]).toEqual([404, { message: expect.any(String) }]);
	});

	test('GET /sandbox/events tells listeners that something has changed', async () => {
		const { sandbox, text } = newService();
		const answer = await sandbox.app.request('/sandbox/events');
		const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
		expect((await reader.read()).value).toContain('event: hello');
		const next = reader.read();
		await text('Hi');
		expect((await next).value).toContain('data: {"type":"message"}');
		await reader.cancel();
	});

	test('GET / serves the phone, which may not load anything from another host', async () => {
		const { sandbox } = newService();
		const page = await sandbox.app.request('/');
		const html = await page.text();
		expect(page.headers.get('content-type')).toContain('text/html');
		expect(html).toContain('<title>Sandbox phone</title>');
		const files = [...html.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, address]) => address!);
		expect(files).toContain('/phone/main.js');
		for (const file of ['/', ...files]) {
			const answer = await sandbox.app.request(file);
			expect([file, answer.status]).toEqual([file, 200]);
			const policy = answer.headers.get('content-security-policy')!;
			expect(policy).toContain("default-src 'none'");
			expect(policy).not.toMatch(/https?:|\*|unsafe/);
		}
	});
});

describe('Isolation', () => {
	test('two sandboxes in one process share nothing', async () => {
		const one = newService();
		const two = newService();
		await one.register(['receive']);
		await one.text('STOP');
		await one.call('POST', '/sandbox/faults', { path: '/v1/lines', kind: 'status-500' });
		expect(await two.rows()).toEqual([]);
		expect((await two.send()).status).toBe(201);
		expect((await two.call('GET', '/v1/lines')).status).toBe(200);
		expect((await two.call('GET', '/v1/me', undefined, one.credential)).status).toBe(401);
	});

	test('§1.6 each sandbox has its own random key pair unless it is fixed', () => {
		const drawn = [createSandbox(), createSandbox()].map(({ keyPairs }) => keyPairs[0]!);
		expect(drawn[0]!.secret).not.toBe(drawn[1]!.secret);
		const fixed = createSandbox({ keyPairs: [{ key: 'k', secret: 's' }] });
		expect(fixed.keyPairs).toMatchObject([{ key: 'k', secret: 's' }]);
	});
});

test.each<[number, Record<string, string>]>([
	[201, {}],
	[201, { origin: 'http://127.0.0.1:4010' }],
	[201, { origin: 'https://127.0.0.1:4010' }],
	...['http://example.com', 'http://127.0.0.1:8080', 'null', ''].map(
		(origin): [number, Record<string, string>] => [403, { origin }],
	),
])(
	'Only programs and the phone’s own page may use the controls: %i for %j',
	async (status, headers) => {
		const answer = await createSandbox().app.fetch(
			new Request('http://127.0.0.1:4010/sandbox/inbound', {
				...{ method: 'POST', headers, body: JSON.stringify({ from: CONTACT, content: 'Hi' }) },
			}),
		);
		expect(answer.status).toBe(status);
		if (status === 403) {
			const message = 'Only the page of the sandbox itself may use its controls.';
			expect(await answer.json()).toEqual({ message });
		}
	},
);

/** The customers in the state that a query asks for. */
const customers = async (service: ReturnType<typeof newService>, query: object) => {
	const search = new URLSearchParams(Object.entries(query));
	const { body } = await service.call('GET', `/sandbox/state?${search.toString()}`);
	const conversations = body['conversations'] as Array<{ contact: { number: string } }>;
	return conversations.map(({ contact }) => contact.number.slice(-4));
};

/** Three customers, the oldest first: the first two wrote to the front desk, the last one to Support. */
const withThree = async () => {
	const service = newService();
	const first = await service.text('Two tulips, please', { from: '+15551230001' });
	await service.text('And a card', { from: '+15551230001' });
	await service.text('Order 1042', { from: '+15551230002' });
	await service.text('Hello', { from: '+15551230003', to: '+15550100002' });
	return { service, first };
};

describe('GET /sandbox/state', () => {
	test.each([
		['TULIPS', ['0001']],
		['order 1042', ['0002']],
		['+15551230003', ['0003']],
		['+1 (555) 123-0003', ['0003']],
		['5551230', ['0003', '0002', '0001']],
		['front desk', ['0002', '0001']],
		[' ', ['0003']],
		['roses', []],
	])('finds %j among all conversations, not among the latest only', async (find, found) => {
		const { service } = await withThree();
		const limit = String(Math.max(1, found.length));
		expect(await customers(service, { find, limit })).toEqual(found);
	});

	test('shows as many of those that it finds as are asked for', async () => {
		const { service } = await withThree();
		expect(await customers(service, { find: '555', limit: '2' })).toEqual(['0003', '0002']);
	});
});

type Refusal = { id: string; conversation_handle: string | null; content: string; reason: string };

const refusals = async ({ call }: ReturnType<typeof newService>, query = '') =>
	(await call('GET', `/sandbox/refusals${query}`)).body['refusals'] as Refusal[];

describe('GET /sandbox/refusals', () => {
	test('§7 has each message that the service refused to send, with its sentence, and the history has none', async () => {
		const service = newService();
		const { conversation_handle: handle } = await service.text('Hi');
		await service.call('POST', `/sandbox/lines/${FRONT_DESK}/block`, {});
		await service.send({ content: 'From a blocked line', line_handle: FRONT_DESK });
		await service.text('STOP');
		await service.send({ content: 'After STOP', media_url: 'https://shop.example/a.png' });
		await service.send({ content: 'From nowhere', line_handle: 'nowhere' });
		const common = {
			conversation_handle: handle,
			to: CONTACT,
			at: new Date(START_MS).toISOString(),
		};
		expect(await refusals(service)).toMatchObject([
			{
				...common,
				content: 'From nowhere',
				line_handle: 'nowhere',
				line_label: null,
				reason: 'Unknown or inactive line',
			},
			{
				...common,
				content: 'After STOP',
				line_handle: null,
				media_url: 'https://shop.example/a.png',
				reason: 'Contact has opted out of messages',
			},
			{
				...common,
				content: 'From a blocked line',
				line_handle: FRONT_DESK,
				line_label: 'Front desk',
				media_url: null,
				reason: 'Line is blocked',
			},
		]);
		expect((await service.rows()).filter((row) => row.is_outbound)).toEqual([]);
	});
});
