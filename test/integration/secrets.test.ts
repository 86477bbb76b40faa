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

const KEY = 'key-of-the+shop';
const SECRET = 'secret/of the shop';

/** The secrets, in every spelling in which a service may repeat them. */
const SPELLINGS = [KEY, SECRET, `${KEY}:${SECRET}`].flatMap((secret) => [
	secret,
	encodeURIComponent(secret),
	btoa(secret),
]);

const REPEATED = `for ${SPELLINGS.join(' and ')}`;

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
						// What a look-up cannot understand is put out as it came.
						const isRaw = status === 200 && run.json('Node')[0]?.raw !== undefined;
						if (isRaw) continue;
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

	describe('is not shown where the service repeats it in', () => {
		/** What a message of the service is, with the secrets in every text that it can hold. */
		const message = {
			message_handle: 'm1',
			conversation_handle: REPEATED,
			status: 'ERROR',
			is_outbound: true,
			to: '+15551230001',
			from: '+15550100001',
			content: REPEATED,
			media_url: `https://example.com/${REPEATED.replaceAll(' ', '/')}`,
			service: null,
			line_handle: 'l1',
			date_sent: '2026-01-01T00:00:00Z',
			error_message: `rejected ${REPEATED}`,
		};
		const line = { line_handle: 'l1', number: '+15550100001', label: REPEATED };
		const bodies: Record<string, unknown> = {
			'/v1/send-message': message,
			'/status': message,
			'/v2/messages': { messages: [message, { ...message, message_handle: 'm2' }] },
			'/v1/lines': { status: 'ok', lines: [line] },
			'/lookup': { number: '+15551230001', service: REPEATED },
			'/media': { media_url: `https://example.com/${REPEATED}` },
		};
		const optedOut = { message: `Contact has opted out of messages ${REPEATED}` };
		const getMany = { resource: 'message', operation: 'getMany', returnAll: true };
		const getConversation = {
			resource: 'message',
			operation: 'getConversation',
			with: 'number',
			number: '+15551230001',
		};

		test.each<[string, INodeParameters, unknown?]>([
			['the answer to a send', SEND],
			[
				'the refusal of a message that is skipped',
				{ ...SEND, options: { ifOptedOut: 'skip' } },
				optedOut,
			],
			[
				'the reason why a message was not sent',
				{ ...SEND, options: { waitFor: 'delivered', waitSeconds: 1 } },
			],
			['the rows of Get Many', getMany],
			['the rows of Get Many without Simplify', { ...getMany, simplify: false }],
			['the messages of Get Conversation', getConversation],
			['a line', { resource: 'line', operation: 'getMany' }],
			['a status', { resource: 'message', operation: 'getStatus', messageHandle: 'm1' }],
			['a channel', { resource: 'number', operation: 'lookup', number: '+15551230001' }],
			['the URL of a file', { resource: 'media', operation: 'upload', binaryPropertyName: 'data' }],
		])('among what it was asked for: %s', async (...[, parameters, refusal]) => {
			const stub = await startStub(({ method, path }) =>
				refusal && method === 'POST'
					? { status: 422, body: refusal }
					: { status: 200, body: bodies[path] },
			);
			const engine = service.engineWith({ baseUrl: stub.url, apiKey: KEY, apiSecret: SECRET });

			const run = await engine.runWorkflow({
				nodes: [
					{ type: 'twoWayMessaging', name: 'Node', parameters, onError: 'continueRegularOutput' },
				],
				items: withPicture(),
			});
			await stub.stop();

			const everything =
				inspect([run.data, run.error], { depth: Infinity }) + service.engine.log.text();
			expect(everything).toContain('•••');
			for (const secret of SPELLINGS) expect(everything).not.toContain(secret);
		});
	});
});
