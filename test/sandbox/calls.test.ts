import { serve } from '../../sandbox/src';
import { CONTACT, START_MS, newService } from './service';

type Logged = {
	id: string;
	path: string;
	request: { headers: Record<string, string>; body: string | null; is_cut: boolean };
	answer: { headers: Record<string, string>; body: string | null } | null;
};

const KEY_PAIR = { key: 'key_of_the_log', secret: 'secret_of_the_log' };

const newLogged = (...more: Parameters<typeof newService>) => {
	const service = newService({ keyPairs: [KEY_PAIR], ...more[0] });
	const logged = async (query = '') =>
		(await service.call('GET', `/sandbox/calls${query}`)).body['calls'] as Logged[];
	return { ...service, logged };
};

describe('GET /sandbox/calls', () => {
	test('shows the requests to the service and its answers, newest first', async () => {
		const { call, send, text, logged } = newLogged();
		await call('GET', '/v2/messages?limit=5');
		// Control endpoints and the phone are no calls.
		await text('Hi');
		await call('GET', '/');
		const sent = await send({ content: 'Hello' });
		const [second, first, ...others] = await logged();
		expect(others).toEqual([]);
		expect(first).toMatchObject({ method: 'GET', path: '/v2/messages?limit=5', fault: null });
		expect(second).toMatchObject({
			at: new Date(START_MS).toISOString(),
			method: 'POST',
			path: '/v1/send-message',
			answer: { status: 201, is_cut: false },
			duration_ms: expect.any(Number) as number,
		});
		expect(JSON.parse(second!.request.body!)).toEqual({ number: CONTACT, content: 'Hello' });
		expect(JSON.parse(second!.answer!.body!)).toEqual(sent.body);
		expect(second!.answer!.headers['x-ratelimit-limit']).toBe('60');
		// A long body is cut, and the log says so.
		await send({ content: 'x'.repeat(20_000) });
		const [{ request }] = (await logged()) as [Logged];
		expect([request.is_cut, request.body?.length]).toEqual([true, 8_000]);
	});

	test('§5.3 hides the key and the secret wherever a call contains them', async () => {
		const { call, logged } = newLogged();
		await call('GET', '/v1/me');
		await call('GET', `/v1/me?secret=${KEY_PAIR.secret}`);
		await call('POST', '/v1/send-message', { number: CONTACT, content: KEY_PAIR.secret });
		await call('GET', '/v1/me', undefined, { ...KEY_PAIR, authorization: KEY_PAIR.key });
		await call('GET', '/v1/me', undefined, { 'x-api-secret': 'a wrong one', cookie: 'a=cookie' });
		const entries = await logged();
		expect(entries).toHaveLength(5);
		expect(JSON.stringify(entries)).not.toMatch(
			/key_of_the_log|secret_of_the_log|a wrong one|a=cookie/,
		);
		expect(entries.at(-1)!.request.headers).toMatchObject({
			'x-api-key': '<API_KEY>',
			'x-api-secret': '<API_SECRET>',
		});
	});

	const AWKWARD_PAIR = { key: 'key-12345678', secret: 'ab/cd+ef"gh==' };
	const base64 = (text: string) => Buffer.from(text).toString('base64');
	test.each([
		['as a URL with small letters', 'ab%2fcd%2bef%22gh%3d%3d'],
		['beside a wrong escape', '%E9ab%2Fcd%2Bef%22gh%3D%3D%'],
		['as a URL within a URL', 'ab%252Fcd%252Bef%2522gh%253D%253D'],
		['as JSON whose slashes are escaped', 'ab\\/cd+ef\\"gh=='],
		['as JSON with codes', 'ab\\u002fcd\\u002Bef\\u0022gh=='],
		['as JSON within JSON', 'ab/cd+ef\\\\\\"gh=='],
		['as a page', 'ab/cd+ef&quot;gh&#61;&#x3d;'],
		['as base64 of the pair', base64(`${AWKWARD_PAIR.key}:${AWKWARD_PAIR.secret}`)],
		['as base64 beside a name', base64(`me:${AWKWARD_PAIR.secret}:`)],
		['as base64 for a URL', Buffer.from(`m:${AWKWARD_PAIR.secret}`).toString('base64url')],
	])('§5.3 hides a secret that is written %s', async (_, written) => {
		const { sandbox, credential, logged } = newLogged({ keyPairs: [AWKWARD_PAIR] });
		// A URL has no backslash.
		const inUrl = written.replaceAll('\\', '%5c');
		for (const path of [`/v1/me?x=${inUrl}&y`, `/v1/${inUrl}`]) {
			await sandbox.app.request(path, { headers: credential });
		}
		await sandbox.app.request('/v1/send-message', {
			method: 'POST',
			headers: { ...credential, referer: `http://x/?${written}`, 'x-basic': `Basic ${written}` },
			body: `{"content":"It is ${written} so"}`,
		});
		const [{ request: sent }, inPath, inQuery] = (await logged()) as [Logged, Logged, Logged];
		const { referer, 'x-basic': basic } = sent.headers;
		for (const shown of [inQuery.path, inPath.path, referer, basic, sent.body]) {
			expect(shown).toMatch(/<API_SECRET>/);
			expect(shown).not.toMatch(/ab.{0,9}cd|ef.{0,9}gh|YWIv/);
		}
		expect(sent.body).toMatch(/^{"content":"It is .* so"}$/);
	});

	test.each<[string, string]>([
		['/v1/account/webhooks', '{"url":{"secret":"SIGNING123"},"secret":"x"}'],
		['/v1/account/webhooks', '{"url":"http://a/?s=SIGNING123","key":["SIGNING123"]}'],
		['/v1/account/webhooks', '{"url":"http://a/","events":["receive","SIGNING123"]}'],
		['/v1/account/webhooks', '{"url":"http://a/","events":{"secret":"SIGNING123"}}'],
		['/v1/account/web%68ooks', '{"SIGNING123":1}'],
		['/v1/send-message', '{"number":"+15551230001","Secret":{"a":"SIGNING123"}}'],
		['/v1/send-message', '{"\\u0073ecret":"SIGNING123"}'],
		['/v1/send-message', '{"secret":"SIGNING123'],
		['/v1/send-message', 'url=a&secret=SIGNING123&events=receive'],
	])('§2.4 hides a signing secret that nobody registered: %s %s', async (path, body) => {
		const { sandbox, credential, logged } = newLogged();
		await sandbox.app.request(path, { method: 'POST', headers: credential, body });
		const [entry] = await logged();
		expect(JSON.stringify(entry)).not.toContain('SIGNING123');
		expect(entry!.request.body).toMatch(/HIDDEN|<SIGNING_SECRET>/);
	});

	test('§2.4 hides the signing secret of a registration, there and in other calls', async () => {
		const { register, send, logged } = newLogged();
		await register(['receive'], { secret: 'sign-with-this' });
		await send({ content: 'sign-with-this' });
		const shown = (await logged()).map(({ request }) => JSON.parse(request.body!) as object);
		expect(shown).toMatchObject([
			{ content: '<SIGNING_SECRET>' },
			{ url: 'https://receiver.example/hook', secret: '<SIGNING_SECRET>' },
		]);
	});

	test('names the fault of a call, and shows the answer that the fault made, or none', async () => {
		const { sandbox, credential: headers, call, logged } = newLogged({ clock: undefined });
		await call('POST', '/sandbox/faults', { path: '/v1/me', kind: 'html-after' });
		await sandbox.app.request('/v1/me', { headers });
		await call('POST', '/sandbox/faults', { path: '/v1/me', kind: 'reset-before' });
		const served = await serve(sandbox);
		await expect(fetch(`${served.url}/v1/me`, { headers })).rejects.toThrow();
		await served.close();
		const page = expect.stringContaining('<html>') as string;
		expect(await logged()).toMatchObject([
			{ fault: 'reset-before', answer: null, duration_ms: expect.any(Number) as number },
			{ fault: 'html-after', answer: { status: 502, body: page } },
		]);
	});

	test('shows what a call was about that was refused before the service had read it', async () => {
		const { sandbox, credential, call, logged } = newLogged({ clock: undefined });
		await call('POST', '/sandbox/faults', { path: '/v1/send-message', kind: 'status-500' });
		const served = await serve(sandbox);
		const post = async (fields: object, headers: object) => {
			const body = JSON.stringify(fields);
			const given = { 'content-type': 'application/json', ...headers };
			return await fetch(`${served.url}/v1/send-message`, { method: 'POST', headers: given, body });
		};
		const statuses = [
			(await post({ content: 'one', secret: 'SIGNING123' }, credential)).status,
			(await post({ content: 'two' }, { 'x-api-key': 'wrong' })).status,
			(await post({ content: 'x'.repeat(9_000) }, { 'x-api-key': 'wrong' })).status,
		];
		await served.close();
		expect(statuses).toEqual([500, 401, 401]);
		expect((await logged()).map(({ request }) => request.body)).toEqual([
			null,
			'{"content":"two"}',
			'{"content":"one","secret":"<SIGNING_SECRET>"}',
		]);
	});

	test('keeps a limited number of calls until a reset, and pages with `limit` and `before`', async () => {
		const { call, logged } = newLogged({ callLogSize: 3 });
		for (const n of [1, 2, 3, 4]) await call('GET', `/v1/me?n=${n}`);
		const paths = async (query: string) => (await logged(query)).map(({ path }) => path.slice(-1));
		expect(await paths('')).toEqual(['4', '3', '2']);
		const [newest] = await logged('?limit=1');
		expect(await paths(`?limit=1&before=${newest!.id}`)).toEqual(['3']);
		expect((await call('GET', '/sandbox/calls?before=unknown')).status).toBe(422);
		await call('POST', '/sandbox/reset');
		expect(await logged()).toEqual([]);
	});
});
