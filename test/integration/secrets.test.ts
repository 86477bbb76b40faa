import type { INodeParameters } from 'n8n-workflow';
import { inspect } from 'node:util';
import { withPicture } from '../support/picture';
import { fastMemory } from '../support/testClock';
import { TestService } from '../support/service';
import { startStub } from '../support/stub';

const SEND = { resource: 'message', operation: 'send', number: '+15551230001', content: 'hello' };
const OPERATIONS: INodeParameters[] = [
	SEND,
	{ resource: 'message', operation: 'getStatus', messageHandle: 'm1' },
	{ resource: 'message', operation: 'getMany' },
	{ resource: 'line', operation: 'getMany' },
	{ resource: 'line', operation: 'get', line: { __rl: true, mode: 'handle', value: 'l1' } },
	{ resource: 'number', operation: 'lookup', number: '+15551230001' },
	{ resource: 'media', operation: 'upload', binaryPropertyName: 'data' },
];

let service: TestService;

afterEach(async () => {
	await service.stop();
});

describe('the key pair', () => {
	beforeEach(async () => {
		service = await TestService.start({ memory: fastMemory() });
	});

	test('reaches no item, message or log on any path that goes wrong, even when the service repeats it', async () => {
		const signingSecret = 'sign-me-9f1c';
		const { apiKey, apiSecret } = service.credential();
		const secrets = [apiKey, apiSecret, signingSecret].map(String);
		const statuses = [200, 302, 401, 404, 422, 500];
		const seen: unknown[] = [];
		for (const status of statuses) {
			const stub = await startStub(({ headers }) => ({
				status,
				body: { message: JSON.stringify(headers), errors: { header: [headers['x-api-secret']] } },
			}));
			// Somebody who pastes the key into the address must not read it in a message either.
			for (const baseUrl of [stub.url, `http://127.0.0.1:1/${String(apiKey)}`]) {
				const engine = service.engineWith(service.credential({ signingSecret, baseUrl }));
				for (const parameters of OPERATIONS) {
					for (const onError of ['continueRegularOutput', 'stopWorkflow'] as const) {
						const run = await engine.runWorkflow({
							nodes: [
								{
									type: 'twoWayMessaging',
									name: 'Node',
									parameters: { ...parameters, options: { waitSeconds: 0 } },
									onError,
								},
							],
							items: withPicture(),
						});
						seen.push(run.data, run.error, run.nodeError('Node')?.description);
						if (onError === 'stopWorkflow') expect(run.nodeError('Node')).toBeDefined();
						else expect(run.json('Node')).toHaveLength(1);
					}
				}
			}
			await stub.stop();
			expect(stub.requests.some(({ headers }) => headers['x-api-secret'] === apiSecret)).toBe(true);
		}

		const everything = inspect(seen, { depth: Infinity }) + service.engine.log.text();
		for (const secret of secrets) expect(everything).not.toContain(secret);
	}, 60_000);
});
