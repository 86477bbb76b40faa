import { createSandbox } from '../../sandbox/src';
import { CONTACT, FRONT_DESK, START_MS, SUPPORT, newService } from './service';

test('POST /sandbox/inbound uses the line of the contact’s last conversation', async () => {
	const { text } = newService();
	await text('Hi', { to: '+15550100002' });
	expect((await text('again')).to).toBe('+15550100002');
});

test('a text to a line that is off is refused with the lines that take one, and which cannot answer', async () => {
	const { call } = newService();
	const text = { from: CONTACT, to: '+15550100001', content: 'Hi' };
	const refusal = async () => (await call('POST', '/sandbox/inbound', text)).body['message'];
	await call('PATCH', `/sandbox/lines/${FRONT_DESK}`, { is_active: false });
	const isOff = 'Front desk · +15550100001 is off and takes no text.';
	const other = 'Support · +15550100002';
	expect(await refusal()).toBe(`${isOff} Lines that take one: ${other}.`);
	await call('POST', `/sandbox/lines/${SUPPORT}/block`, {});
	expect(await refusal()).toBe(
		`${isOff} Lines that take one: ${other} (blocked: it cannot answer).`,
	);
	await call('PATCH', `/sandbox/lines/${SUPPORT}`, { is_active: false });
	expect(await refusal()).toBe(`${isOff} Every line is off: switch one on under Controls.`);
});

describe('POST /sandbox/reset', () => {
	test('removes everything but the key pair and the lines', async () => {
		const { sandbox, call, send, text, register, block, posted } = newService();
		const before = (await call('GET', '/sandbox/state')).body;
		await register(['receive', 'outbound']);
		await text('STOP', { from: '+15551239999' });
		await sandbox.settled();
		await send();
		await block();
		await call('POST', '/sandbox/faults', { path: '/v1/me', kind: 'status-500' });
		await sandbox.advance(100);
		expect((await call('POST', '/sandbox/reset')).status).toBe(200);
		expect((await call('GET', '/sandbox/state')).body).toEqual(before);
		await sandbox.advance(60_000);
		expect(posted).toHaveLength(1);
		expect((await call('GET', '/v1/me')).status).toBe(200);
	});

	test('keeps the enabled endpoints with keep_webhooks, without failures, and wakes no other', async () => {
		const { sandbox, call, register, text, posted } = newService({}, () => 500);
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

test('the webhooks are listed, without their secrets, and removed one by one', async () => {
	const { sandbox, call, register, text, posted } = newService();
	const list = async () =>
		(await call('GET', '/sandbox/webhooks')).body['webhooks'] as Array<{ id: string }>;
	await register(['receive'], { secret: 'sign-with-this' });
	await register(['receive'], { url: 'https://other.example/' });
	const [first, second] = await list();
	expect(first).toMatchObject({ url: 'https://receiver.example/hook', status: 'enabled' });
	expect(JSON.stringify(first)).not.toContain('sign-with-this');
	const remove = async () => await call('DELETE', `/sandbox/webhooks/${first!.id}`);
	expect(await remove()).toMatchObject({ status: 200, body: { id: first!.id } });
	expect(await list()).toEqual([second]);
	expect((await remove()).status).toBe(404);
	await text('Hi');
	await sandbox.settled();
	expect(posted.map(({ url }) => url)).toEqual(['https://other.example/']);
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

test('§1.6 two sandboxes in one process share nothing, and each draws a key pair of its own', async () => {
	const one = newService();
	const two = newService();
	await one.text('STOP');
	await one.call('POST', '/sandbox/faults', { path: '/v1/me', kind: 'status-500' });
	expect(await two.rows()).toEqual([]);
	expect((await two.send()).status).toBe(201);
	expect((await two.call('GET', '/v1/me')).status).toBe(200);
	expect((await two.call('GET', '/v1/me', undefined, one.credential)).status).toBe(401);
});

test.each([
	[201, undefined],
	[201, 'http://127.0.0.1:4010'],
	[201, 'https://127.0.0.1:4010'],
	[403, 'http://example.com'],
	[403, 'http://127.0.0.1:8080'],
	[403, 'null'],
	[403, ''],
])(
	'Only programs and the phone’s own page may use the controls: %i for %j',
	async (status, origin) => {
		const headers: Record<string, string> = origin === undefined ? {} : { origin };
		const body = JSON.stringify({ from: CONTACT, content: 'Hi' });
		const answer = await createSandbox().app.fetch(
			new Request('http://127.0.0.1:4010/sandbox/inbound', { method: 'POST', headers, body }),
		);
		expect(answer.status).toBe(status);
		if (status === 403) {
			const message = 'Only the page of the sandbox itself may use its controls.';
			expect(await answer.json()).toEqual({ message });
		}
	},
);

test.each([
	['TULIPS', 1, ['0001 Two tulips, please']],
	['+1 (555) 123-0003', 1, ['0003']],
	['5551230', 3, ['0003', '0002', '0001']],
	['555', 2, ['0003', '0002']],
	['front desk', 2, ['0002', '0001']],
	[' ', 1, ['0003']],
	['roses', 1, []],
])('/sandbox/state finds %j in all conversations: the latest %i', async (find, limit, found) => {
	const { call, text } = newService();
	await text('Two tulips, please', { from: '+15551230001' });
	await text('And a card', { from: '+15551230001' });
	await text('Order 1042', { from: '+15551230002' });
	await text('Hello', { from: '+15551230003', to: '+15550100002' });
	const query = new URLSearchParams({ find, limit: String(limit) }).toString();
	const { conversations } = (await call('GET', `/sandbox/state?${query}`)).body as {
		conversations: Array<{
			contact: { number: string };
			found_message: { content: string } | null;
		}>;
	};
	const shown = conversations.map(
		({ contact, found_message: message }) =>
			`${contact.number.slice(-4)}${message ? ` ${message.content}` : ''}`,
	);
	expect(shown).toEqual(found);
});

test('GET /sandbox/refusals has each message that the service refused (§7), with its sentence', async () => {
	const { call, send, text, block } = newService();
	const { conversation_handle } = await text('Hi');
	await block();
	await send({ content: 'From a blocked line', line_handle: FRONT_DESK });
	await text('STOP');
	await send({ content: 'After STOP', media_url: 'https://shop.example/a.png' });
	await send({ content: 'From nowhere', line_handle: 'nowhere' });
	const common = { conversation_handle, to: CONTACT, at: new Date(START_MS).toISOString() };
	expect((await call('GET', '/sandbox/refusals')).body['refusals']).toMatchObject([
		{
			...{ ...common, content: 'From nowhere', reason: 'Unknown or inactive line' },
			...{ line_handle: 'nowhere', line_label: null },
		},
		{
			...{ ...common, content: 'After STOP', reason: 'Contact has opted out of messages' },
			...{ line_handle: null, media_url: 'https://shop.example/a.png' },
		},
		{
			...{ ...common, content: 'From a blocked line', reason: 'Line is blocked' },
			...{ line_handle: FRONT_DESK, line_label: 'Front desk', media_url: null },
		},
	]);
});
