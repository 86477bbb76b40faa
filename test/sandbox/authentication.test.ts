import { newService } from './service';

const PAIR = { key: 'the-key', secret: 'the-secret' };
const headersOf = (key: string, secret: string) => ({ 'x-api-key': key, 'x-api-secret': secret });

test.each([
	['no headers at all', {}],
	['no secret', { 'x-api-key': PAIR.key }],
	['an empty pair', headersOf('', '')],
	['a secret that is only the beginning of the right one', headersOf(PAIR.key, 'the-secre')],
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
	const { status, body } = await call('GET', '/v1/me', undefined, headers);
	expect([status, body]).toEqual([401, { message: 'Unauthenticated.' }]);
});

test.each([
	['POST', '/v1/send-message', 201],
	['POST', '/v1/account/webhooks', 422],
	['POST', '/media', 422],
	['GET', '/v1/me', 200],
	['GET', '/v1/lines', 200],
	['GET', '/status', 422],
	['GET', '/v2/messages', 200],
	['GET', '/lookup', 422],
	// §9: the version is a part of the path.
	['GET', '/v1/messages', 404],
	['POST', '/v2/send-message', 404],
	['GET', '/v1/status', 404],
])('§4 §5.1 %s %s is for a key pair, which gets %i', async (method, path, status) => {
	const { call, rows } = newService();
	const body = method === 'POST' ? { number: '+15551230001', content: 'Hello' } : undefined;
	expect((await call(method, path, body, {})).status).toBe(401);
	expect(await rows()).toEqual([]);
	expect((await call(method, path, body)).status).toBe(status);
});

test('§5.2 every pair of the organization sees every line', async () => {
	const { call } = newService({ keyPairs: [PAIR, { key: 'k2', secret: 's2', admin: 'second' }] });
	const first = await call('GET', '/v1/lines', undefined, headersOf(PAIR.key, PAIR.secret));
	const second = await call('GET', '/v1/lines', undefined, headersOf('k2', 's2'));
	expect(first.body['lines']).toHaveLength(2);
	expect(second.body).toEqual(first.body);
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
