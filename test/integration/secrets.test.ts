import type { INodeParameters } from 'n8n-workflow';
import { inspect } from 'node:util';
import { withPicture } from '../support/picture';
import { fastMemory } from '../support/testClock';
import { ANNA, CONTINUE, serviceInEachTest } from '../support/service';
import { startStub } from '../support/stub';

const ofMessage = (operation: string, more: object = {}) => ({
	...{ resource: 'message', operation },
	...more,
});
const SEND = ofMessage('send', { number: ANNA, content: 'hello' });
const GET_STATUS = ofMessage('getStatus', { messageHandle: 'm1' });
const GET_MANY = ofMessage('getMany');
const LINES = { resource: 'line', operation: 'getMany' };
const LOOK_UP = { resource: 'number', operation: 'lookup', number: ANNA };
const UPLOAD = { resource: 'media', operation: 'upload', binaryPropertyName: 'data' };
const LINE = {
	resource: 'line',
	operation: 'get',
	line: { __rl: true, mode: 'handle', value: 'l1' },
};

const KEY = 'key-of-the+shop';
const SECRET = 'secret/of the shop';

/** The secrets, in every spelling in which a service may repeat them. */
const SPELLINGS = [KEY, SECRET, `${KEY}:${SECRET}`].flatMap((secret) => [
	secret,
	encodeURIComponent(secret),
	btoa(secret),
]);

const REPEATED = `for ${SPELLINGS.join(' and ')}`;

const service = serviceInEachTest(() => ({ memory: fastMemory() }));

test('the key pair reaches no item, message or log on any path that goes wrong, even when it is repeated', async () => {
	const signingSecret = 'sign-me-9f1c';
	const { apiKey, apiSecret } = service.credential();
	const seen: unknown[] = [];

	const runAll = async (baseUrl: string, status?: number) => {
		const engine = service.engineWith(service.credential({ signingSecret, baseUrl }));
		for (const operation of [SEND, GET_STATUS, GET_MANY, LINES, LINE, LOOK_UP, UPLOAD]) {
			for (const onError of ['continueRegularOutput', 'stopWorkflow'] as const) {
				const parameters = { ...operation, options: { waitSeconds: 0 } };
				const run = { parameters, node: { onError }, files: withPicture() };
				const { data, error, nodeError, json } = await service.run(run, engine);
				seen.push(data, error, nodeError('Node')?.description);
				// What a look-up cannot understand is put out as it came.
				if (status === 200 && json('Node')[0]?.raw !== undefined) continue;
				if (onError === 'stopWorkflow') expect(nodeError('Node')).toBeDefined();
				else expect(json('Node')).toHaveLength(1);
			}
		}
	};
	for (const status of [200, 302, 401, 404, 422, 500]) {
		const stub = await startStub(({ headers }) => ({
			status,
			body: { message: JSON.stringify(headers), errors: { header: [headers['x-api-secret']] } },
		}));
		await runAll(stub.url, status);
		await stub.stop();
		expect(stub.requests.some(({ headers }) => headers['x-api-secret'] === apiSecret)).toBe(true);
	}
	// Somebody who pastes the key into the address must not read it in a message either.
	await runAll(`http://127.0.0.1:1/${String(apiKey)}`);

	const everything = inspect(seen, { depth: Infinity }) + service.engine.log.text();
	for (const secret of [apiKey, apiSecret, signingSecret]) {
		expect(everything).not.toContain(String(secret));
	}
}, 60_000);

describe('the key pair is not shown where the service repeats it', () => {
	/** What a message of the service is, with the secrets in every text that it can hold. */
	const message = {
		...{ message_handle: 'm1', conversation_handle: REPEATED, line_handle: 'l1' },
		...{ status: 'ERROR', error_message: `rejected ${REPEATED}`, is_outbound: true },
		...{ to: ANNA, from: '+15550100001', content: REPEATED, service: null },
		media_url: `https://example.com/${REPEATED.replaceAll(' ', '/')}`,
		date_sent: '2026-01-01T00:00:00Z',
	};
	const line = { line_handle: 'l1', number: '+15550100001', label: REPEATED };
	const bodies: Record<string, unknown> = {
		'/v1/send-message': message,
		'/status': message,
		'/v2/messages': { messages: [message, { ...message, message_handle: 'm2' }] },
		'/v1/lines': { status: 'ok', lines: [line] },
		'/lookup': { number: ANNA, service: REPEATED },
		'/media': { media_url: `https://example.com/${REPEATED}` },
	};
	const optedOut = { message: `Contact has opted out of messages ${REPEATED}` };

	test.each<[string, INodeParameters, unknown?]>([
		['the answer to a send', SEND],
		['why a message is skipped', { ...SEND, options: { ifOptedOut: 'skip' } }, optedOut],
		['why a message was not sent', { ...SEND, options: { waitFor: 'delivered', waitSeconds: 1 } }],
		['the rows of Get Many', { ...GET_MANY, returnAll: true }],
		['its rows without Simplify', { ...GET_MANY, returnAll: true, simplify: false }],
		['a conversation', ofMessage('getConversation', { with: 'number', number: ANNA })],
		['a line', LINES],
		['a status', GET_STATUS],
		['a channel', LOOK_UP],
		['the URL of a file', UPLOAD],
	])('among what it was asked for: %s', async (...[, parameters, refusal]) => {
		const { data, error } = await service.runAt(
			({ method, path }) =>
				refusal && method === 'POST' ? { status: 422, body: refusal } : { body: bodies[path] },
			{
				...{ parameters, node: CONTINUE, files: withPicture() },
				credential: { apiKey: KEY, apiSecret: SECRET },
			},
		);

		const everything = inspect([data, error], { depth: Infinity }) + service.engine.log.text();
		expect(everything).toContain('•••');
		for (const secret of SPELLINGS) expect(everything).not.toContain(secret);
	});
});
