import { CHARACTER_NAMES } from '../../sandbox/src';
import { serviceOf } from './service';

describe.each(CHARACTER_NAMES)('A service that is %s', (character) => {
	const newService = serviceOf(character);

	const PAIR = { key: 'the-key', secret: 'the-secret' };
	const headersOf = (key: string, secret: string) => ({ 'x-api-key': key, 'x-api-secret': secret });

	describe('Authentication', () => {
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

		test.each([
			['POST', '/v1/send-message'],
			['GET', '/v1/me'],
			['GET', '/v1/lines'],
			['GET', '/status?message_handle=x'],
			['GET', '/v2/messages'],
			['GET', '/lookup?number=%2B15551230001'],
			['POST', '/v1/account/webhooks'],
			['POST', '/media'],
			['GET', '/no-such-path'],
		])('§4 %s %s refuses requests without a key pair', async (method, path) => {
			const { call } = newService();
			expect((await call(method, path, undefined, {})).status).toBe(401);
		});

		test('§5.1 §2.1 a request with an invalid key pair sends nothing', async () => {
			const { call, rows } = newService();
			const body = { number: '+15551230001', content: 'Hello' };
			expect((await call('POST', '/v1/send-message', body, headersOf('a', 'b'))).status).toBe(401);
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

		test.each([
			['/v1/messages'],
			['/v2/send-message'],
			['/send-message'],
			['/v1/status'],
			['/account/webhooks'],
		])('§9 the version is part of the path: %s does not exist', async (path) => {
			const { call } = newService();
			for (const method of ['GET', 'POST'])
				expect((await call(method, path, method === 'POST' ? {} : undefined)).status).toBe(404);
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
	});
});
