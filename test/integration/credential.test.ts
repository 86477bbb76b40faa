import { startStub, type StubAnswer } from '../support/stub';
import { serviceInEachTest, type TestService } from '../support/service';

const service = serviceInEachTest();

const tested = async (changes: Parameters<TestService['credential']>[0] = {}) =>
	await service.engine.testCredential(service.credential(changes));

/** Tests a key pair at a service that answers so. */
const testedAt = async (answer: Parameters<typeof startStub>[0]) => {
	const stub = await startStub(answer);
	const { status, message } = await tested({ baseUrl: stub.url });
	await stub.stop();
	return { status, message, requests: stub.requests };
};

describe('the test of a credential', () => {
	test('§4.2 accepts a key pair that the service accepts, and sends nothing', async () => {
		expect(await tested()).toMatchObject({ status: 'OK' });
		expect(await service.rows()).toEqual([]);
	});

	test('accepts the key pair and the URL with spaces around them', async () => {
		const { baseUrl, apiKey, apiSecret } = service.credential();
		const pasted = { baseUrl: ` ${baseUrl}/ `, apiKey: `${apiKey}\n`, apiSecret: ` ${apiSecret}` };

		expect(await tested(pasted)).toMatchObject({ status: 'OK' });
		const run = await service.run(
			{ parameters: { resource: 'line', operation: 'getMany' } },
			service.engineWith(pasted),
		);
		expect(run.json('Node')).toHaveLength(2);
	});

	test.each([
		['§5.6 a wrong key', { apiKey: 'wrong' }, 'did not accept the key pair'],
		['§5.6 a wrong secret', { apiSecret: 'wrong' }, 'did not accept the key pair'],
		['no secret', { apiSecret: ' ' }, 'Enter both API Key and API Secret'],
		['no URL', { baseUrl: '' }, 'Base URL is empty'],
		['a URL without a scheme', { baseUrl: 'api.example.com' }, 'not a complete URL'],
		['a text that is not a URL', { baseUrl: 'https://' }, 'not a complete URL'],
		['a URL with a question mark', { baseUrl: 'https://a.b/?x=1' }, 'not a complete URL'],
		['a host that nobody listens on', { baseUrl: 'http://127.0.0.1:1' }, 'ECONNREFUSED'],
		['a host that does not exist', { baseUrl: 'http://nobody.invalid' }, 'ENOTFOUND'],
	])('says what is wrong with %s', async (_, changes, words) => {
		expect(await tested(changes)).toEqual({
			status: 'Error',
			message: expect.stringContaining(words) as string,
		});
	});

	test.each<[string, StubAnswer, string]>([
		['§4.2 a success with nothing', { status: 204 }, ''],
		['§4.2 a success with plain words', { body: 'OK' }, ''],
		['a page', { status: 404, body: '<html>' }, 'What answers is not the messaging service'],
		['a page of another server', { body: '<!DOCTYPE html>' }, 'not the messaging service'],
		['a redirect', { status: 301, headers: { location: 'https://example.com' } }, 'another URL'],
		['§5.6 a plain refusal', { status: 401, body: 'Unauthorized' }, 'did not accept the key pair'],
		['§5.6 a forbidden key pair', { status: 403 }, 'did not accept the key pair'],
		['a service that is down', { status: 503, body: '<html>' }, 'Service Unavailable'],
		['§8.1 a limit', { status: 429, body: { message: 'Too Many Attempts.' } }, 'to slow down'],
	])('knows %s from the service', async (_, answer, words) => {
		const { status, message } = await testedAt(() => answer);
		expect([status, message ?? '']).toEqual([
			words === '' ? 'OK' : 'Error',
			expect.stringContaining(words),
		]);
	});

	test('never repeats the key pair, even when the service does', async () => {
		const { apiKey, apiSecret } = service.credential();
		const { message: said, requests } = await testedAt(({ headers }) => ({
			status: 500,
			body: { message: headers },
		}));
		const { message } = await tested({ baseUrl: 'http://127.0.0.1:1' });

		expect(requests[0]?.headers['x-api-secret']).toBe(apiSecret);
		for (const key of [apiKey, apiSecret]) expect(`${said} ${message}`).not.toContain(key);
	});
});
