import { newService } from './service';

const PAIR = { key: 'the-key', secret: 'the-secret' };
const headersOf = (key: string, secret: string) => ({ 'x-api-key': key, 'x-api-secret': secret });

test('§4.2 §5.7 GET /v1/me confirms a valid key pair and changes nothing', async () => {
	const { call } = newService();
	const before = await call('GET', '/sandbox/state');
	expect((await call('GET', '/v1/me')).status).toBe(200);
	expect((await call('GET', '/sandbox/state')).body).toEqual(before.body);
});

test.each([
	['no headers at all', {}],
	['no secret', { 'x-api-key': PAIR.key }],
	['no key', { 'x-api-secret': PAIR.secret }],
	['a wrong secret', headersOf(PAIR.key, 'another-secret')],
	['a wrong key', headersOf('another-key', PAIR.secret)],
	['key and secret swapped', headersOf(PAIR.secret, PAIR.key)],
	['a secret that is only the beginning of the right one', headersOf(PAIR.key, 'the-secre')],
	['an empty pair', headersOf('', '')],
	['a revoked pair', headersOf('revoked-key', 'revoked-secret')],
	['the key of one pair with the secret of another', headersOf(PAIR.key, 'other-secret')],
])('§5.6 %s is answered 401 "Unauthenticated."', async (_case, headers) => {
	const { call } = newService({
		keyPairs: [
			PAIR,
			{ key: 'other-key', secret: 'other-secret' },
			{ key: 'revoked-key', secret: 'revoked-secret', isRevoked: true },
		],
	});
	const answer = await call('GET', '/v1/me', undefined, headers);
	expect(answer.status).toBe(401);
	expect(answer.body).toEqual({ message: 'Unauthenticated.' });
});

test('§4 §5.1 no path answers a request without a valid key pair, and nothing is sent', async () => {
	const { call, rows } = newService();
	for (const path of ['/v1/send-message', '/v1/account/webhooks', '/media', '/no-such-path']) {
		const body = { number: '+15551230001', content: 'Hello' };
		expect([path, (await call('POST', path, body, {})).status]).toEqual([path, 401]);
	}
	for (const path of ['/v1/me', '/v1/lines', '/status', '/v2/messages', '/lookup']) {
		expect([path, (await call('GET', path, undefined, {})).status]).toEqual([path, 401]);
	}
	expect(await rows()).toEqual([]);
});

test('§5.2 every pair of the organization sees every line', async () => {
	const { call } = newService({
		keyPairs: [PAIR, { key: 'k2', secret: 's2', admin: 'second' }],
	});
	const first = await call('GET', '/v1/lines', undefined, headersOf(PAIR.key, PAIR.secret));
	const second = await call('GET', '/v1/lines', undefined, headersOf('k2', 's2'));
	expect((first.body['lines'] as unknown[]).length).toBe(2);
	expect(second.body).toEqual(first.body);
});

test('§9 the version is part of the path', async () => {
	const { call } = newService();
	for (const path of ['/v1/messages', '/v2/send-message', '/send-message', '/v1/status']) {
		const answers = [await call('GET', path), await call('POST', path, {})];
		expect([path, ...answers.map(({ status }) => status)]).toEqual([path, 404, 404]);
	}
});

test('§1.6 no answer contains the secret', async () => {
	const { call, send, register } = newService({ keyPairs: [PAIR] });
	const answers = [
		await call('GET', '/v1/me'),
		await call('GET', '/sandbox/state'),
		await send(),
		await register(['receive'], { secret: PAIR.secret }),
		await call('GET', '/sandbox/deliveries'),
	];
	expect(JSON.stringify(answers)).not.toContain(PAIR.secret);
});
