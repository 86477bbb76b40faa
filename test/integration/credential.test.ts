import { startStub, type StubAnswer } from '../support/stub';
import { TestService } from '../support/service';

let service: TestService;

beforeAll(async () => {
	service = await TestService.start();
});

afterAll(async () => {
	await service.stop();
});

const tested = async (changes: Parameters<TestService['credential']>[0] = {}) =>
	await service.engine.testCredential('twoWayMessagingApi', service.credential(changes));

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
		['words that are no URL', { baseUrl: 'the url' }, 'not a complete URL'],
		['a text that is not a URL', { baseUrl: 'https://' }, 'not a complete URL'],
		['a URL with a question mark', { baseUrl: 'https://a.b/?x=1' }, 'not a complete URL'],
		['a host that nobody listens on', { baseUrl: 'http://127.0.0.1:1' }, 'ECONNREFUSED'],
		['a host that does not exist', { baseUrl: 'http://nobody.invalid' }, 'ENOTFOUND'],
	])('says what is wrong with %s', async (_what, changes, words) => {
		const { status, message } = await tested(changes);

		expect(status).toBe('Error');
		expect(message).toContain(words);
	});

	const strangers: Array<[string, StubAnswer, string]> = [
		[
			'a page that is not there',
			{ status: 404, body: '<html>No</html>' },
			'What answers is not the messaging service',
		],
		['a redirect', { status: 301, headers: { location: 'https://example.com' } }, 'another URL'],
		['§5.6 a plain refusal', { status: 401, body: 'Unauthorized' }, 'did not accept the key pair'],
		['§5.6 a forbidden key pair', { status: 403 }, 'did not accept the key pair'],
		['a service that is down', { status: 503, body: '<html>Down</html>' }, 'Service Unavailable'],
		[
			'§8.1 a service that is asked too often',
			{ status: 429, body: { message: 'Too Many Attempts.' } },
			'asked to slow down',
		],
	];

	test.each<[string, StubAnswer]>([
		['nothing', { status: 204 }],
		['an empty text', { status: 200, body: '' }],
		['plain words', { status: 200, body: 'OK' }],
	])('§4.2 takes any success for a right key pair: %s', async (_, answer) => {
		const stub = await startStub(() => answer);
		const { status } = await tested({ baseUrl: stub.url });
		await stub.stop();

		expect(status).toBe('OK');
	});

	test.each(strangers)('knows %s from the service', async (_what, answer, words) => {
		const stub = await startStub(() => answer);
		const { status, message } = await tested({ baseUrl: stub.url });
		await stub.stop();

		expect(status).toBe('Error');
		expect(message).toContain(words);
	});

	test('never repeats the key pair, even when the service does', async () => {
		const { apiKey, apiSecret } = service.credential();
		const stub = await startStub(({ headers }) => ({ status: 500, body: { message: headers } }));
		const messages = [
			await tested({ baseUrl: 'http://127.0.0.1:1' }),
			await tested({ baseUrl: stub.url }),
		].map(({ message }) => message);
		await stub.stop();

		expect(stub.requests[0]?.headers['x-api-secret']).toBe(apiSecret);
		for (const message of messages) {
			expect(message).not.toContain(apiKey);
			expect(message).not.toContain(apiSecret);
		}
	});
});
