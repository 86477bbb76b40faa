import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { N8nRest, SavedNode } from '../playground/rest';
import { PATHS } from '../nodes/TwoWayMessaging/contract';
import { TemporaryPlayground } from '../test/support/playground/temporaryPlayground';
import { startStub, type StubRequest } from '../test/support/stub';

/** The triggers that are measured: the package's own, and two of n8n's. */
export const LISTENERS = ['ours', 'github', 'webhook'] as const;
export type ListenerName = (typeof LISTENERS)[number];

/** An active workflow of a trigger and one node. */
export type Listener = {
	workflowId: string;
	/** How many executions it has had before the first event. */
	executionsBefore: number;
	url: string;
	/** The secret that signs its events; empty where nothing is checked. */
	secret: string;
};

type TriggerNode = SavedNode & { typeVersion: number };

type Registered = Map<ListenerName, { url: string; secret: string }>;

/** Enough for the trigger's durable list to contain the usual 5,000 names in the middle of a measurement. */
const MISSED = 3_500;

const LOOK_EVERY_MS = 100;
const ENDED_WITHIN_MS = 60_000;

/**
 * Starts the playground's n8n with an active workflow for each listener. One server plays the service and GitHub, and
 * accepts every registration. A check has found messages that no webhook has brought, so that the trigger's durable
 * list is long.
 */
export async function startListeners(n8nEnvironment: Record<string, string>) {
	const registered: Registered = new Map();
	let history: object[] = [];
	const stub = await startStub((request) => answer(request, registered, history));
	const playground = await TemporaryPlayground.start({ n8nEnvironment }).catch(
		async (thrown: unknown) => {
			await stub.stop();
			throw thrown;
		},
	);
	const stop = async () => {
		await playground.removeAll();
		await stub.stop();
	};
	try {
		const { n8n, n8nUrl } = playground.running;
		const triggers = await makeTriggers(n8n, stub.url);
		const listeners = {} as Record<ListenerName, Listener>;
		for (const name of LISTENERS) {
			const workflowId = await activateWorkflow(n8n, name, triggers[name]);
			if (name === 'ours') {
				history = makeMissedMessages();
				await publishAgain(n8n, workflowId);
				await waitForEnd(n8n, workflowId, 1);
			}
			const unsigned = { url: `${n8nUrl}/webhook/${name}`, secret: '' };
			const executionsBefore = name === 'ours' ? 1 : 0;
			listeners[name] = { workflowId, executionsBefore, ...(registered.get(name) ?? unsigned) };
		}
		return {
			listeners,
			stop,
			/** Waits until so many events have been executed; returns when the last execution ended. */
			ended: async ({ workflowId, executionsBefore }: Listener, events: number) =>
				await waitForEnd(n8n, workflowId, executionsBefore + events),
		};
	} catch (thrown) {
		await stop();
		throw thrown;
	}
}

function answer(
	{ method, path, query, body }: StubRequest,
	registered: Registered,
	history: object[],
) {
	if (method === 'POST' && path === PATHS.webhooks) {
		registered.set('ours', JSON.parse(body.toString()) as { url: string; secret: string });
		return { status: 201, body: { id: 'registration' } };
	}
	if (method === 'POST' && path.endsWith('/hooks')) {
		const { config } = JSON.parse(body.toString()) as { config: { url: string; secret: string } };
		registered.set('github', config);
		return { status: 201, body: { id: 1, active: true, events: ['push'] } };
	}
	return { body: { messages: query.has('before') ? [] : history } };
}

const hoursFromNow = (hours: number) => new Date(Date.now() + hours * 60 * 60_000).getUTCHours();

/** Makes the triggers, with the default fields but for the time of our trigger's checks. */
async function makeTriggers(
	n8n: N8nRest,
	stubUrl: string,
): Promise<Record<ListenerName, TriggerNode>> {
	const credential = async (type: string, data: Record<string, string>) => ({
		[type]: { id: await n8n.createCredential(type, 'Stub', data), name: 'Stub' },
	});
	const chosen = (value: string) => ({ __rl: true, mode: 'list', value });
	return {
		ours: {
			type: 'n8n-nodes-two-way-messaging.twoWayMessagingTrigger',
			typeVersion: 1.1,
			// A check could start an execution of its own, which would be counted.
			parameters: {
				pollTimes: { item: [{ mode: 'everyDay', hour: hoursFromNow(12), minute: 0 }] },
			},
			credentials: await credential('twoWayMessagingApi', {
				baseUrl: stubUrl,
				apiKey: 'key',
				apiSecret: 'secret',
			}),
		},
		github: {
			type: 'n8n-nodes-base.githubTrigger',
			typeVersion: 1,
			parameters: { owner: chosen('owner'), repository: chosen('repository'), events: ['push'] },
			credentials: await credential('githubApi', {
				server: stubUrl,
				user: 'owner',
				accessToken: 'token',
			}),
		},
		webhook: {
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2.1,
			parameters: { httpMethod: 'POST', path: 'webhook' },
		},
	};
}

async function activateWorkflow(
	n8n: N8nRest,
	name: ListenerName,
	trigger: TriggerNode,
): Promise<string> {
	const noOp = { type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} };
	const nodes = [
		{ ...trigger, id: `${name}-trigger`, name: 'Trigger', position: [0, 0], webhookId: name },
		{ ...noOp, id: `${name}-step`, name: 'Step', position: [200, 0] },
	];
	const { id, versionId } = await n8n.createWorkflow({
		id: `bench${name}`.padEnd(16, '0'),
		name,
		active: false,
		nodes,
		connections: { Trigger: { main: [[{ node: 'Step', type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	});
	await n8n.activate(id, versionId);
	return id;
}

/** Makes the rows of a history, newest first. */
const makeMissedMessages = () =>
	Array.from({ length: MISSED }, () => ({
		message_handle: randomUUID(),
		from: '+15551230001',
		to: '+15550100001',
		content: 'Are you open?',
		status: 'RECEIVED',
		is_outbound: false,
		date_sent: new Date(Date.now() - 60 * 60_000).toISOString(),
	}));

/** Publishes a workflow again. The check that comes with it starts one execution for everything that it finds. */
async function publishAgain(n8n: N8nRest, workflowId: string): Promise<void> {
	const { versionId } = (await n8n.findWorkflow(workflowId))!;
	await n8n.activate(workflowId, versionId);
}

/**
 * Waits until so many executions of a workflow have succeeded.
 *
 * @returns when n8n says that the last of them ended, in Unix milliseconds
 */
async function waitForEnd(n8n: N8nRest, workflowId: string, executions: number): Promise<number> {
	const giveUpAt = Date.now() + ENDED_WITHIN_MS;
	for (;;) {
		const { count, newest } = await n8n.succeeded(workflowId);
		if (count >= executions) {
			if (count > executions)
				throw new Error(`There are ${count} executions, and there should be ${executions}`);
			return Math.max(...newest.map(({ stoppedAt }) => Date.parse(stoppedAt)));
		}
		if (Date.now() > giveUpAt)
			throw new Error(`Only ${count} of ${executions} executions have succeeded`);
		await pause(LOOK_EVERY_MS);
	}
}
