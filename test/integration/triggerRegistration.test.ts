import type { IDataObject, WorkflowActivateMode } from 'n8n-workflow';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { readSaved } from '../../nodes/TwoWayMessaging/trigger/nodeMemory';
import { TwoWayMessagingTrigger } from '../../nodes/TwoWayMessaging/TwoWayMessagingTrigger.node';
import { log } from '../support/log';
import type { StubAnswer } from '../support/stub';
import { TestClock } from '../support/testClock';
import { historyWorld } from './historyWorld';
import { playIn, type Scenes } from './scenes';
import {
	engineWithTrigger,
	receiveEvent,
	signed,
	triggerNode,
	WEBHOOK_ID,
} from './triggerWorkflow';

const PUBLIC = 'https://n8n.example.com/webhook';
const ADDRESS = `${PUBLIC}/${WEBHOOK_ID}/webhook`;

/** `printf 'two-way-messaging webhook <webhook id>' | openssl dgst -sha256 -hmac secret_abc` */
const SECRET = 'cc2b5c30376bafe293e8b7dd81276acc8120b6a12951b07515d1a4a8ff2ea1ea';

const AWAY = { status: 503, body: {} };
const UNAUTHENTICATED = { status: 401, body: { message: 'Unauthenticated.' } };
const KEY_PAIR_IS_REFUSED = 'Check API Key and API Secret in the Two-Way Messaging API credential';

const world = historyWorld();
let staticData: IDataObject;

beforeEach(() => void (staticData = {}));

const registration = () => readSaved({ getWorkflowStaticData: () => staticData }, 'registration');

const engine = (setup: object = {}, changes: object = {}) =>
	engineWithTrigger(
		{ ...world.service.credential, ...changes },
		{ webhookBaseUrl: PUBLIC, ...setup },
	);

type Method = 'checkExists' | 'create' | 'delete';
const call = async (
	method: Method,
	more: { activation?: WorkflowActivateMode; isTest?: boolean; parameters?: object } = {},
	by = engine(),
) =>
	await by.callWebhookMethod({
		node: triggerNode({ ...more.parameters }),
		method,
		staticData: more.isTest ? undefined : staticData,
		...more,
	});

/** What n8n does when a person publishes a workflow that was not active. */
const activate = async () => {
	expect(await call('checkExists')).toBe(false);
	expect(await call('create')).toBe(true);
};

describe('§4.7 registering', () => {
	test('posts the URL, the events and a derived secret, and keeps the URL', async () => {
		await activate();
		expect(world.service.requests).toMatchObject([
			{ method: 'POST', path: '/v1/account/webhooks' },
		]);
		expect(world.service.registered).toEqual([
			{ url: ADDRESS, events: ['receive'], secret: SECRET },
		]);
		expect(registration()).toMatchObject({ url: ADDRESS });
	});

	test.each<[string, StubAnswer]>([
		['an empty answer', { status: 204 }],
		['409, it is registered already', { status: 409, body: { message: 'exists' } }],
		['422, its URL is taken', { status: 422, body: { errors: { url: ['has been taken.'] } } }],
		['the same in other words', { status: 400, body: { error: 'This endpoint exists.' } }],
		['plain words', { status: 200, body: 'Created' }],
	])('accepts %s', async (_, said) => {
		world.service.answerRegistrations(said);
		await activate();
		expect(await call('checkExists', { activation: 'init' })).toBe(true);
	});

	test('accepts any refusal of the values for a URL that was registered before', async () => {
		await activate();
		world.service.answerRegistrations({ status: 422, body: { message: 'Invalid.' } });
		expect(await call('create')).toBe(true);
		world.service.answerRegistrations(UNAUTHENTICATED);
		await expect(call('create')).rejects.toThrow('Events could not be registered');
	});

	test.each<[string, StubAnswer, string]>([
		['the key pair', UNAUTHENTICATED, KEY_PAIR_IS_REFUSED],
		['the body', { status: 422, body: { message: 'The url is not allowed.' } }, '422'],
		['itself', { status: 500, body: {} }, '500'],
		['another host answers', { status: 200, body: '<html>' }, 'not the messaging service'],
	])('fails the activation and says why when the service refuses (%s)', async (_, said, words) => {
		world.service.answerRegistrations(said);
		const refusal = await call('create').catch((error: Error) => error);
		expect(refusal).toMatchObject({
			message: expect.stringMatching(/^Events could not be registered: /) as string,
		});
		expect((refusal as Error).message).toContain(words);
		expect(staticData).toEqual({});
	});

	test('fails the activation without any event, and says what to do', async () => {
		await expect(call('create', { parameters: { events: [] } })).rejects.toMatchObject({
			message: "There is no event to listen for. Choose at least one under 'Events'.",
		});
	});

	test('with a number in its filters that nobody can have fails a first publishing and a test, and no other', async () => {
		const parameters = { filters: { from: '+15551230001, 0151 2345678' } };
		const words = 'No message can come from “0151 2345678”';
		for (const activation of ['activate', 'manual'] as const) {
			await expect(call('checkExists', { parameters, activation })).rejects.toThrow(words);
		}
		for (const activation of ['init', 'update'] as const) {
			log.clear();
			await call('checkExists', { parameters, activation });
			expect(log.text()).toContain(words);
		}
		expect(world.service.registered).toEqual([]);
	});

	test.each(['http://localhost:5678/webhook', 'http://n8n.example.com/webhook'])(
		'refuses %s before anything is sent, and the message says what to do',
		async (webhookBaseUrl) => {
			const remote = engine({ webhookBaseUrl }, { baseUrl: 'https://api.example.com' });
			await expect(call('create', {}, remote)).rejects.toThrow(
				/cannot deliver to this n8n.*N8N_WEBHOOK_URL.*Polling/,
			);
		},
	);
});

const SCENES: Scenes = {
	'keeps it at a restart, without a request, as the network may be down':
		'publish; away; kill; back; registered 1',
	'§3.3 keeps it when it is published again, and not after a stop: the endpoint may be disabled':
		'publish; change; registered 1; stop; wait 61s; publish; registered 2',
	'stops also where the service is away': 'publish; away; stop',
	'makes another one for other events':
		'publish; change events=["receive","outbound"]; registered 2',
	'makes another one with a new API secret':
		'publish; credential apiSecret=rotated; kill; registered 2',
	'makes another one with another key': 'publish; credential apiKey=other; kill; registered 2',
	'makes another one with a signing secret':
		'publish; credential signingSecret=chosen; kill; registered 2',
};

test.each(Object.entries(SCENES))('a workflow with a registration %s', playIn(world));

describe('the lifecycle of a workflow', () => {
	test('stopping never throws, also where nothing was registered', async () => {
		await world.stop();
		expect(await call('delete')).toBe(true);
	});

	test('another URL registers again', async () => {
		await activate();
		const by = engine({ webhookBaseUrl: 'https://other.example.com/webhook' });
		expect(await call('checkExists', { activation: 'init' }, by)).toBe(false);
	});

	test.each<WorkflowActivateMode>(['init', 'leadershipChange', 'update'])(
		'a service that is away does not take the webhook away (%s): it is owed the registration',
		async (activation) => {
			world.service.answerRegistrations(AWAY);
			expect(await call('create', { activation })).toBe(true);
			expect(log.messages('warn').join()).toContain('a later check tries again');
			expect(await call('checkExists', { activation })).toBe(false);
			expect(registration()).toMatchObject({ fingerprint: '' });
		},
	);

	test('a service that refuses at a start fails the activation', async () => {
		world.service.answerRegistrations(UNAUTHENTICATED);
		await expect(call('create', { activation: 'init' })).rejects.toThrow('key pair');
	});

	test('no secret is saved, as every reader of the workflow sees what is', async () => {
		const chosen = engine({}, { signingSecret: 'chosen secret' });
		for (const by of [engine(), chosen]) {
			await call('create', {}, by);
			const saved = JSON.stringify(staticData);
			for (const secret of [SECRET, 'secret_abc', 'chosen secret']) {
				expect(saved).not.toContain(secret);
			}
		}
	});

	test('a URL that the service knows already, with another secret, is said in the log', async () => {
		await activate();
		world.service.answerRegistrations({ status: 409, body: { message: 'Known.' } });
		await call('create', {}, engine({}, { apiSecret: 'rotated' }));
		expect(log.messages('warn').join()).toContain('may go on signing events with the earlier');
	});
});

describe('a test in the editor', () => {
	test('registers the test URL with the same secret, each time, and leaves production alone', async () => {
		await activate();
		const before = structuredClone(staticData);
		const test = engine({ webhookTestBaseUrl: 'https://n8n.example.com/webhook-test' });
		const inTest = { isTest: true, activation: 'manual' } as const;
		for (let run = 1; run <= 2; run += 1) {
			expect(await call('checkExists', inTest, test)).toBe(false);
			expect(await call('create', inTest, test)).toBe(true);
			expect(await call('delete', inTest, test)).toBe(true);
			expect(world.service.registered[run]).toEqual({
				url: `https://n8n.example.com/webhook-test/${WEBHOOK_ID}/webhook`,
				events: ['receive'],
				secret: SECRET,
			});
		}
		expect(staticData).toEqual(before);
	});

	test('does not end the secret that production events are still signed with', async () => {
		const data = world.service.credential;
		const nodeTypes = [new TwoWayMessagingTrigger(new ProcessMemory(new TestClock()))];
		const by = engineWithTrigger(data, { webhookBaseUrl: PUBLIC, nodeTypes });
		const receive = async (handle: string) => {
			const request = { node: triggerNode(), ...signed(receiveEvent(handle), SECRET) };
			return (await by.receiveWebhook(request)).response.status;
		};
		expect(await receive('a1')).toBe(200);
		data.apiSecret = 'rotated';
		await call('create', { isTest: true }, by);
		expect(await receive('a2')).toBe(200);
		await call('create', {}, by);
		expect(await receive('a3')).toBe(401);
	});
});
