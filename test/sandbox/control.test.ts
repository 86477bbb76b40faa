import fc from 'fast-check';
import { createSandbox } from '../../sandbox/src';
import { CONTACT, FRONT_DESK, START_MS, newService } from './service';

const contactPath = `/sandbox/contacts/${encodeURIComponent(CONTACT)}`;

describe('POST /sandbox/inbound', () => {
	test('§3.1 answers with the row: RECEIVED, on the first active line', async () => {
		const { call } = newService();
		const answer = await call('POST', '/sandbox/inbound', { from: CONTACT, content: 'hello' });
		expect(answer.status).toBe(201);
		expect(answer.body).toMatchObject({
			status: 'RECEIVED',
			from: CONTACT,
			to: '+15550100001',
			content: 'hello',
			is_outbound: false,
			date_sent: new Date(START_MS).toISOString(),
		});
	});

	test('uses the line of the contact’s last conversation', async () => {
		const { text } = newService();
		await text('Hi', { to: '+15550100002' });
		expect((await text('again')).to).toBe('+15550100002');
	});

	test.each([
		[{ content: 'Hi' }, 'from'],
		[{ from: '555', content: 'Hi' }, 'from'],
		[{ from: CONTACT }, 'content'],
		[{ from: CONTACT, content: 'Hi', to: '+15559999999' }, 'to'],
		[{ from: CONTACT, content: 'Hi', service: 'fax' }, 'service'],
		[{ from: CONTACT, media_url: 'file:///etc/passwd' }, 'media_url'],
	])('refuses %j because of its %s', async (body, field) => {
		const { call, rows } = newService();
		const answer = await call('POST', '/sandbox/inbound', body);
		expect(answer.status).toBe(422);
		expect(answer.body['errors']).toEqual({ [field]: [answer.body['message']] });
		expect(await rows()).toEqual([]);
	});
});

describe('POST /sandbox/clock', () => {
	test('lets twelve hours pass at once', async () => {
		const { call } = newService();
		const answer = await call('POST', '/sandbox/clock', { advance_seconds: 43_200 });
		expect(answer.body).toEqual({ now: new Date(START_MS + 43_200_000).toISOString() });
	});

	test.each([
		[{}],
		[{ advance_seconds: -1 }],
		[{ advance_seconds: '5' }],
		[{ advance_seconds: 1e15 }],
	])('refuses %j', async (body) => {
		const { call } = newService();
		expect((await call('POST', '/sandbox/clock', body)).status).toBe(422);
	});
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

describe('PATCH /sandbox/contacts and /sandbox/lines', () => {
	test('§1.5 a contact can be opted out and in', async () => {
		const { call, send } = newService();
		await call('PATCH', contactPath, { opted_out: true });
		expect((await send()).status).toBe(422);
		await call('PATCH', contactPath, { opted_out: false });
		expect((await send()).status).toBe(201);
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
	test('need no credential and have no request limit', async () => {
		const { call } = newService({ requestLimits: { all: 1 } });
		for (let n = 0; n < 5; n++) {
			expect((await call('GET', '/sandbox/state', undefined, {})).status).toBe(200);
		}
	});

	test('answer 404 with a sentence where they do not exist', async () => {
		const answer = await newService().call('POST', '/sandbox/nothing', {});
		expect([answer.status, answer.body]).toEqual([404, { message: expect.any(String) }]);
	});

	test('never answer with a server error, whatever the body is', async () => {
		const { call } = newService();
		const paths = [
			['POST', '/sandbox/inbound'],
			['POST', `/sandbox/lines/${FRONT_DESK}/block`],
			['PATCH', `/sandbox/lines/${FRONT_DESK}`],
			['PATCH', contactPath],
			['POST', '/sandbox/faults'],
		] as const;
		const names = ['from', 'to', 'content', 'media_url', 'reason', 'limits', 'is_active', 'label'];
		const more = ['imessage', 'opted_out', 'fail_next', 'path', 'kind', 'times', 'service'];
		const body = fc.dictionary(fc.constantFrom(...names, ...more), fc.jsonValue());
		await fc.assert(
			fc.asyncProperty(fc.constantFrom(...paths), body, async ([method, path], value) => {
				expect((await call(method, path, value)).status).toBeLessThan(500);
			}),
			{ numRuns: 300 },
		);
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

describe('Who may use the controls', () => {
	const text = (headers: Record<string, string>) =>
		createSandbox().app.fetch(
			new Request('http://127.0.0.1:4010/sandbox/inbound', {
				method: 'POST',
				headers,
				body: JSON.stringify({ from: CONTACT, content: 'Hi' }),
			}),
		);

	test.each<Record<string, string>>([
		{},
		{ origin: 'http://127.0.0.1:4010' },
		{ origin: 'https://127.0.0.1:4010' },
	])('a program and the phone’s own page may use them: %j', async (headers) => {
		expect((await text(headers)).status).toBe(201);
	});

	test.each(['http://example.com', 'http://127.0.0.1:8080', 'null', ''])(
		'another page in the same browser may not use them: %j',
		async (origin) => {
			const answer = await text({ origin });
			expect(answer.status).toBe(403);
			expect(await answer.json()).toEqual({
				message: 'Only the page of the sandbox itself may use its controls.',
			});
		},
	);
});
