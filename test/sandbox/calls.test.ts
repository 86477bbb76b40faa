import { request } from 'node:http';
import { createSandbox, serve } from '../../sandbox/src';
import { waitUntil } from '../support/waitUntil';
import { CONTACT, START_MS, newService } from './service';

/** A logged call as tests read it. */
type Logged = {
	id: string;
	at: string;
	method: string;
	path: string;
	request: { headers: Record<string, string>; body: string | null; is_cut: boolean };
	fault: string | null;
	answer: {
		status: number;
		headers: Record<string, string>;
		body: string | null;
		is_cut: boolean;
	} | null;
	duration_ms: number | null;
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
		const { call, send, logged } = newLogged();
		await call('GET', '/v2/messages?limit=5');
		const sent = await send({ content: 'Hello' });
		const [second, first] = await logged();
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
	});

	test('does not show requests to control endpoints and the phone', async () => {
		const { call, text, logged } = newLogged();
		await text('Hi');
		await call('GET', '/');
		await call('GET', '/sandbox/state');
		expect(await logged()).toEqual([]);
	});

	test.each([
		['refused for its pair', { 'x-api-key': 'k', 'x-api-secret': 'a-wrong-secret' }, 401],
		['to an unknown path', undefined, 404],
	])('also shows a call %s', async (_, headers, status) => {
		const { call, logged } = newLogged();
		const answer = await call('POST', '/v1/nothing', {}, headers);
		const [entry] = await logged();
		expect(entry!.answer!.status).toBe(status);
		expect(JSON.parse(entry!.answer!.body!)).toEqual(answer.body);
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

	test('§5.3 hides a secret however a URL or JSON writes it', async () => {
		const pair = { key: 'key "of" the\\log', secret: 'secret/of+the log&%' };
		const { call, logged } = newLogged({ keyPairs: [pair] });
		for (const one of [pair.key, pair.secret]) {
			await call('GET', `/v1/me?a=1&secret=${encodeURIComponent(one)}&b=2`);
			await call('GET', `/v1/me?secret=${new URLSearchParams({ one }).toString().slice(4)}`);
			await call(
				'GET',
				`/v1/me/${[...Buffer.from(one)].map((byte) => `%${byte.toString(16)}`).join('')}`,
			);
			await call('POST', '/v1/send-message', { number: CONTACT, content: `It is ${one}.` });
		}
		const entries = await logged();
		expect(JSON.stringify(entries)).not.toMatch(/of.{0,6}the|%6f%66/i);
		expect(entries.at(-1)!.path).toBe('/v1/me?a=1&secret=<API_KEY>&b=2');
	});

	const AWKWARD_PAIR = { key: 'key-12345678', secret: 'ab/cd+ef"gh==' };
	const base64 = (text: string) => Buffer.from(text).toString('base64');
	const WRITTEN: Array<[string, string]> = [
		['in part as a URL', 'ab/cd%2Bef%22gh=='],
		['as a URL with small letters', 'ab%2fcd%2bef%22gh%3d%3d'],
		['beside a wrong escape', '%E9ab%2Fcd%2Bef%22gh%3D%3D%'],
		['as a URL within a URL', 'ab%252Fcd%252Bef%2522gh%253D%253D'],
		['as JSON whose slashes are escaped', 'ab\\/cd+ef\\"gh=='],
		['as JSON with codes', 'ab\\u002fcd\\u002Bef\\u0022gh=='],
		['as JSON within JSON', 'ab/cd+ef\\\\\\"gh=='],
		['as a page', 'ab/cd+ef&quot;gh&#61;&#x3d;'],
		['as base64', base64(AWKWARD_PAIR.secret)],
		['as base64 of the pair', base64(`${AWKWARD_PAIR.key}:${AWKWARD_PAIR.secret}`)],
		['as base64 beside a name', base64(`me:${AWKWARD_PAIR.secret}:`)],
		['as base64 for a URL', Buffer.from(`m:${AWKWARD_PAIR.secret}`).toString('base64url')],
	];

	test.each(WRITTEN)('§5.3 hides a secret that is written %s', async (_, written) => {
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
		const hidden = expect.stringMatching(/^.{0,14}<API_SECRET>.{0,2}$/) as string;
		expect([
			inQuery.path.slice('/v1/me?x='.length, -'&y'.length),
			inPath.path.slice('/v1/'.length),
			sent.headers['referer']!.slice('http://x/?'.length),
			sent.headers['x-basic']!.slice('Basic '.length),
			sent.body!.slice('{"content":"It is '.length, -' so"}'.length),
		]).toEqual(Array.from({ length: 5 }, () => hidden));
		expect(JSON.stringify([sent, inPath, inQuery])).not.toMatch(/ab.{0,9}cd|ef.{0,9}gh|YWIv/);
	});

	test('§5.3 hides the whole of secrets that begin with or within each other', async () => {
		const keyPairs = [
			{ key: 'shopkey1', secret: 'shopsecret' },
			{ key: 'shopkey2', secret: 'shopsecret-long-part' },
			{ key: 'long-part-of-key', secret: 'another-secret' },
		];
		const { call, logged } = newLogged({ keyPairs });
		await call('GET', '/v1/shopsecret-long-part/shopsecret-long-part-of-key/shopsecret');
		const [entry] = await logged();
		expect(entry!.path).toBe('/v1/<API_SECRET>/<API_SECRET>/<API_SECRET>');
	});

	test('shows a header whatever its name is', async () => {
		const { call, logged } = newLogged();
		await call('GET', '/v1/me', undefined, { constructor: 'one' });
		expect((await logged())[0]!.request.headers['constructor']).toBe('one');
	});

	test.each<[string, string]>([
		['/v1/account/webhooks', '{"url":{"secret":"SIGNING123"},"secret":"x"}'],
		['/v1/account/webhooks', '{"url":"SIGNING123"}'],
		['/v1/account/webhooks', '{"url":"http://a/?s=SIGNING123","key":["SIGNING123"]}'],
		['/v1/account/webhooks', '{"url":"http://a/","events":["receive","SIGNING123"]}'],
		['/v1/account/webhooks', '{"url":"http://a/","events":{"secret":"SIGNING123"}}'],
		['/v1/account/webhooks', '{"SIGNING123":1}'],
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

	test('§2.4 hides a signing secret that nobody registered in a body that is cut', async () => {
		const { send, logged } = newLogged();
		await send({ secret: 'SIGNING123', content: 'x'.repeat(9_000) });
		const [entry] = await logged();
		expect(entry!.request).toMatchObject({ is_cut: true });
		expect(JSON.stringify(entry)).not.toContain('SIGNING123');
	});

	test('§2.4 shows what else a call with a signing secret says', async () => {
		const { call, logged } = newLogged();
		const url = 'https://receiver.example/';
		await call('POST', '/v1/account/webhooks', { url, events: ['receive'], secret: 12345678 });
		await call('POST', '/v1/send-message', { number: CONTACT, content: 'My secret: "x"', a: null });
		const [sent, registered] = await logged();
		expect(JSON.parse(registered!.answer!.body!)).toMatchObject({
			errors: { secret: ['The secret field must be a string.'] },
		});
		expect(JSON.parse(registered!.request.body!)).toEqual({
			url,
			events: ['receive'],
			secret: '<SIGNING_SECRET>',
		});
		expect(JSON.parse(sent!.request.body!)).toMatchObject({ content: 'My secret: "x"' });
	});

	test('§5.3 hides a short secret where it is the whole value of a query or a header', async () => {
		const pair = { key: 'k1', secret: 's1' };
		const { call, logged } = newLogged({ keyPairs: [pair] });
		await call('GET', '/v1/me?secret=s1&s1=2', undefined, { 'x-secret': 's1' });
		const [entry] = await logged();
		expect([entry!.path, entry!.request.headers['x-secret']]).toEqual([
			'/v1/me?secret=<API_SECRET>&s1=2',
			'<API_SECRET>',
		]);
	});

	test('§2.4 hides the signing secret of a registration, also when it is refused or not JSON', async () => {
		const { sandbox, call, credential, logged } = newLogged();
		const registration = { url: 'https://receiver.example/', secret: 'sign-with-this' };
		await call('POST', '/v1/account/webhooks', { ...registration, events: ['receive'] });
		await call('POST', '/v1/account/webhooks', { ...registration, events: ['nothing'] });
		await sandbox.app.request('/v1/account/webhooks', {
			method: 'POST',
			headers: credential,
			body: '{"secret":"sign-with-this"',
		});
		const entries = await logged();
		expect(entries.map(({ answer }) => answer?.status)).toEqual([400, 422, 201]);
		expect(JSON.stringify(entries)).not.toContain('sign-with-this');
		expect(JSON.parse(entries[2]!.request.body!)).toMatchObject({ secret: '<SIGNING_SECRET>' });
	});

	test.each(['literal', 'awkward'] as const)(
		'§2.4 hides a signing secret that was put into another call, also after another one took its place (%s)',
		async (character) => {
			const { call, register, send, logged } = newLogged({ character });
			await call('GET', '/v1/me?sent=sign-"early');
			await register(['receive'], { secret: 'sign-"early' });
			await send({ content: 'Sign with sign-"early, please' });
			await register(['receive'], { secret: 'sign-later' });
			await call('GET', '/v1/sign-later');
			await send({ content: 'sign-later' });
			expect(JSON.stringify(await logged())).not.toMatch(/sign-.{0,6}(early|later)/);
		},
	);

	test.each(['Secret', 'secrets', 'signing_secret', 'SECRET', 'sekret'])(
		'§2.4 hides a signing secret whose name was mistyped: %s',
		async (name) => {
			const { call, logged } = newLogged();
			const url = 'https://receiver.example/';
			await call('POST', '/v1/account/webhooks', { url, events: ['receive'], [name]: 'sign-me' });
			await call('POST', '/v1/account/webhooks', { url, [name]: { value: ['sign-me'] } });
			await call('POST', '/v1/account/webhooks', [{ url, [name]: 'sign-me' }]);
			const entries = await logged();
			expect(entries).toHaveLength(3);
			expect(JSON.stringify(entries)).not.toContain('sign-me');
			expect(JSON.parse(entries[2]!.request.body!)).toMatchObject({ url, events: ['receive'] });
		},
	);

	test('names the fault of a call, and shows the answer that the fault made', async () => {
		const { sandbox, credential, call, logged } = newLogged();
		for (const kind of ['truncated-after', 'html-after', 'status-500']) {
			await call('POST', '/sandbox/faults', { path: '/v1/send-message', kind });
			const message = { number: CONTACT, content: 'Hi' };
			await sandbox.app.request('/v1/send-message', {
				method: 'POST',
				headers: credential,
				body: JSON.stringify(message),
			});
		}
		const [status500, html, truncated] = await logged();
		expect(truncated).toMatchObject({ fault: 'truncated-after', answer: { status: 201 } });
		expect(() => JSON.parse(truncated!.answer!.body!) as unknown).toThrow(SyntaxError);
		expect(html).toMatchObject({ fault: 'html-after', answer: { status: 502 } });
		expect(html!.answer!.body).toContain('<html>');
		expect(status500).toMatchObject({ fault: 'status-500', answer: { status: 500 } });
	});

	test('shows no answer where the connection was cut', async () => {
		const sandbox = createSandbox({ keyPairs: [KEY_PAIR] });
		const served = await serve(sandbox);
		const fault = { path: '/v1/me', kind: 'reset-before' };
		await sandbox.app.request('/sandbox/faults', { method: 'POST', body: JSON.stringify(fault) });
		await expect(
			fetch(`${served.url}/v1/me`, {
				headers: { 'x-api-key': KEY_PAIR.key, 'x-api-secret': KEY_PAIR.secret },
			}),
		).rejects.toThrow();
		const answer = await sandbox.app.request('/sandbox/calls');
		const { calls } = (await answer.json()) as { calls: Logged[] };
		expect(calls).toMatchObject([
			{ fault: 'reset-before', answer: null, duration_ms: expect.any(Number) as number },
		]);
		await served.close();
	});

	test.each(['/media', '/v1/send-message'])(
		'a call to %s whose context hangs up in the middle of its body is not under way any more',
		async (path) => {
			const sandbox = createSandbox({ keyPairs: [KEY_PAIR] });
			const served = await serve(sandbox);
			const asked = request(served.url + path, {
				method: 'POST',
				headers: {
					'x-api-key': KEY_PAIR.key,
					'x-api-secret': KEY_PAIR.secret,
					'content-type': 'multipart/form-data; boundary=b',
					'content-length': '100000',
				},
			});
			asked.on('error', () => {});
			asked.write('--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n');
			const logged = async () => {
				const answer = await sandbox.app.request('/sandbox/calls');
				return ((await answer.json()) as { calls: Logged[] }).calls;
			};
			await waitUntil('the call', async () => ((await logged()).length > 0 ? true : undefined));
			asked.destroy();
			const call = await waitUntil(
				'its end',
				async () => (await logged()).find(({ duration_ms: ms }) => ms !== null),
				5_000,
			);
			expect(call).toMatchObject({ method: 'POST', path, answer: null });
			await served.close();
		},
	);

	test('cuts long bodies, and says so', async () => {
		const { send, logged } = newLogged();
		await send({ content: 'x'.repeat(20_000) });
		const [entry] = await logged();
		expect(entry!.request).toMatchObject({ is_cut: true });
		expect(entry!.request.body).toHaveLength(8_000);
	});

	test('keeps a limited number of calls, and pages with `limit` and `before`', async () => {
		const { call, logged } = newLogged({ callLogSize: 3 });
		for (const n of [1, 2, 3, 4]) await call('GET', `/v1/me?n=${n}`);
		const paths = async (query: string) => (await logged(query)).map(({ path }) => path.slice(-1));
		expect(await paths('')).toEqual(['4', '3', '2']);
		const [newest] = await logged('?limit=1');
		expect(await paths(`?limit=1&before=${newest!.id}`)).toEqual(['3']);
		expect((await call('GET', '/sandbox/calls?before=unknown')).status).toBe(422);
	});

	test('is empty after a reset', async () => {
		const { call, logged } = newLogged();
		await call('GET', '/v1/me');
		await call('POST', '/sandbox/reset');
		expect(await logged()).toEqual([]);
	});
});
