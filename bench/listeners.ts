import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../playground/machine';
import { startPlayground } from '../playground/playground';
import type { N8nRest, SavedNode } from '../playground/rest';
import { PATHS } from '../nodes/TwoWayMessaging/contract';
import { startStub, type StubRequest } from '../test/support/stub';

/** Those who are measured: the package's trigger, and n8n's own. */
export const LISTENERS = ['ours', 'github', 'webhook'] as const;
export type ListenerName = (typeof LISTENERS)[number];

/** An active workflow of one step behind its trigger. */
export type Listener = {
	workflowId: string;
	/** Runs before the first event. */
	runsBefore: number;
	url: string;
	/** What its events are to be signed with; empty where nothing is checked. */
	secret: string;
};

type TriggerNode = SavedNode & { typeVersion: number };

type Registered = Map<ListenerName, { url: string; secret: string }>;

/** So many that the trigger's durable list holds the usual 5,000 names in the middle of a measurement. */
const MISSED = 3_500;

const LOOK_EVERY_MS = 100;
const ENDED_WITHIN_MS = 60_000;

/**
 * The playground's n8n with an active workflow for each listener, against one server that stands for the
 * service and for GitHub and accepts every registration. A check has found messages that no webhook brought,
 * so that the trigger's durable list is long.
 */
export async function startListeners(n8nEnvironment: Record<string, string>) {
	const registered: Registered = new Map();
	let history: object[] = [];
	const stub = await startStub((request) => answer(request, registered, history));
	const dataFolder = await mkdtemp(join(tmpdir(), 'two-way-messaging-bench-'));
	const removeData = async () => await rm(dataFolder, { recursive: true, force: true });
	const ports = { sandboxPort: await freePort(), n8nPort: await freePort() };
	const playground = await startPlayground({
		...ports,
		dataFolder,
		log: () => undefined,
		n8nEnvironment,
	}).catch(async (thrown: unknown) => {
		await stub.stop();
		await removeData();
		throw thrown;
	});
	const stop = async () => {
		await playground.stop();
		await stub.stop();
		await removeData();
	};
	try {
		const { n8n, n8nUrl } = playground;
		const triggers = await triggersFor(n8n, stub.url);
		const listeners = {} as Record<ListenerName, Listener>;
		for (const name of LISTENERS) {
			const workflowId = await activateWorkflow(n8n, name, triggers[name]);
			if (name === 'ours') {
				history = missedMessages();
				await publishAgain(n8n, workflowId);
				await ended(n8n, workflowId, 1);
			}
			const unsigned = { url: `${n8nUrl}/webhook/${name}`, secret: '' };
			const runsBefore = name === 'ours' ? 1 : 0;
			listeners[name] = { workflowId, runsBefore, ...(registered.get(name) ?? unsigned) };
		}
		return {
			listeners,
			stop,
			/** Waits until so many events have been run, and tells when the last of them had. */
			ended: async ({ workflowId, runsBefore }: Listener, events: number) =>
				await ended(n8n, workflowId, runsBefore + events),
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

/** Each with its fields as a person leaves them, but for the time of the trigger's checks. */
async function triggersFor(
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
			// A check may start a run of its own, which would be counted.
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
	const step = { type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} };
	const nodes = [
		{ ...trigger, id: `${name}-trigger`, name: 'Trigger', position: [0, 0], webhookId: name },
		{ ...step, id: `${name}-step`, name: 'Step', position: [200, 0] },
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

/** Rows of a history, newest first. */
const missedMessages = () =>
	Array.from({ length: MISSED }, () => ({
		message_handle: randomUUID(),
		from: '+15551230001',
		to: '+15550100001',
		content: 'Are you open?',
		status: 'RECEIVED',
		is_outbound: false,
		date_sent: new Date(Date.now() - 60 * 60_000).toISOString(),
	}));

/** With it comes a check, which goes on where the last one stopped and starts one run for all it finds. */
async function publishAgain(n8n: N8nRest, workflowId: string): Promise<void> {
	const { versionId } = (await n8n.findWorkflow(workflowId))!;
	await n8n.activate(workflowId, versionId);
}

/**
 * Waits until so many runs of a workflow have succeeded since it was made.
 *
 * @returns when the last of them ended, as n8n noted it, in milliseconds of the epoch
 */
async function ended(n8n: N8nRest, workflowId: string, runs: number): Promise<number> {
	const giveUpAt = Date.now() + ENDED_WITHIN_MS;
	for (;;) {
		const { count, newest } = await n8n.succeeded(workflowId);
		if (count >= runs) {
			if (count > runs) throw new Error(`There are ${count} runs, and there should be ${runs}`);
			return Math.max(...newest.map(({ stoppedAt }) => Date.parse(stoppedAt)));
		}
		if (Date.now() > giveUpAt) throw new Error(`Only ${count} of ${runs} runs have succeeded`);
		await pause(LOOK_EVERY_MS);
	}
}
