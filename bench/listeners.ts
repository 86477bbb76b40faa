import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { N8nRest, SavedNode } from '../playground/rest';
import { Trouble } from '../playground/trouble';
import { PATHS } from '../nodes/TwoWayMessaging/contract';
import { itemsOf } from '../test/support/playground/executionData';
import { CHECK_AT_START_ONLY } from '../test/support/playground/reportingWorkflow';
import { TemporaryPlayground } from '../test/support/playground/temporaryPlayground';
import { startStub, type StubRequest } from '../test/support/stub';
import type { Post } from './load';
import { receiveEvent, signatureHeaders } from './signedEvent';

/**
 * The triggers that are measured: the package's own, by itself and with 50 events in an execution, two of n8n's, and
 * three workflows that answer the customer.
 */
export const LISTENERS = [
	'ours',
	'shared',
	'github',
	'webhook',
	'answering',
	'githubAnswering',
	'plainAnswering',
] as const;
export type ListenerName = (typeof LISTENERS)[number];

/** Makes an event as §6.2 shows it, signed as the listener expects. */
export function makeEvent(
	name: ListenerName,
	{ secret }: Listener,
	text = 'Is my order ready? I would come by at five, if that is all right with you.',
): Post {
	const body = receiveEvent(randomUUID(), text);
	switch (name) {
		case 'ours':
		case 'shared':
		case 'answering':
			return { body, headers: signatureHeaders(body, secret) };
		case 'github':
		case 'githubAnswering': {
			const hmac = createHmac('sha256', secret).update(body).digest('hex');
			return { body, headers: { 'x-hub-signature-256': `sha256=${hmac}` } };
		}
		case 'webhook':
		case 'plainAnswering':
			return { body, headers: {} };
	}
}

/** An active workflow of a trigger and one node. */
export type Listener = {
	workflowId: string;
	/** How many executions it has had before the first event. */
	executionsBefore: number;
	url: string;
	/** The secret that signs its events; empty where nothing is checked. */
	secret: string;
};

type VersionedNode = SavedNode & { typeVersion: number };

/** The last registration at the service and at GitHub. */
type Registered = Map<'ours' | 'github', { url: string; secret: string }>;

/** Enough for the trigger's durable list to contain the usual 5,000 names in the middle of a measurement. */
const MISSED = 3_500;

/** How often n8n is asked what has ended: more and more seldom, as each question takes time from what is measured. */
const LOOK_FIRST_MS = 100;
const LOOK_EVERY_MS = 1_000;
const ENDED_WITHIN_MS = 5 * 60_000;

/**
 * Starts the playground's n8n with an active workflow for each listener. One server plays the service and GitHub, and
 * accepts every registration. A check has found messages that no webhook has brought, so that the trigger's durable
 * list is long.
 */
export async function startListeners(n8nEnvironment: Record<string, string>) {
	const registered: Registered = new Map();
	const answeredAtMs = new Map<string, number>();
	let history: object[] = [];
	const stub = await startStub((request) => {
		if (request.path === PATHS.sendMessage) {
			const { content } = JSON.parse(request.body.toString()) as { content: string };
			answeredAtMs.set(content, performance.now());
		}
		return answer(request, registered, history);
	});
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
		const workflows = await makeWorkflows(n8n, stub.url);
		const listeners = {} as Record<ListenerName, Listener>;
		for (const name of LISTENERS) {
			registered.clear();
			const [trigger, step] = workflows[name];
			// Thousands of missed events in one execution: it is the list that matters, not the way there.
			const workflowId = await activateWorkflow(
				n8n,
				name,
				name === 'ours' ? sharing(trigger, MISSED) : trigger,
				step,
			);
			if (name === 'ours') {
				history = makeMissedMessages();
				await publishAgain(n8n, workflowId);
				await waitForItems(n8n, workflowId, MISSED);
				await n8n.changeNodes(workflowId, nodesOf(name, trigger, step));
				await publishAgain(n8n, workflowId);
				await waitForItems(n8n, workflowId, MISSED);
				history = [];
			}
			const unsigned = { url: `${n8nUrl}/webhook/${name}`, secret: '' };
			const executionsBefore = await succeededCount(n8n, workflowId);
			const [registration = unsigned] = registered.values();
			listeners[name] = { workflowId, executionsBefore, ...registration };
		}
		return {
			listeners,
			stop,
			n8nUrl,
			/** When the workflows that answer have sent each text to the service, by `performance.now()`. */
			answeredAtMs,
			/**
			 * Waits until no execution of a workflow has ended for two seconds; returns when the last one ended, and how many
			 * items they have had.
			 */
			atRest: async ({ workflowId }: Listener) => await waitForRest(n8n, workflowId),
			/** Waits until so many events have been executed, `more` of them just now; returns when the last execution ended. */
			ended: async (listener: Listener, events: number, more: number) => {
				const { endedMs, empty } = await waitForEnd(n8n, listener, events, more);
				listener.executionsBefore += empty;
				return endedMs;
			},
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
	if (method === 'POST' && path === PATHS.sendMessage) {
		return { status: 201, body: { status: 'QUEUED', message_handle: randomUUID() } };
	}
	return { body: { messages: query.has('before') ? [] : history } };
}

/** A trigger and the node behind it. */
type Steps = [VersionedNode, VersionedNode];

const NO_OP: VersionedNode = { type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} };

/** Our trigger, with so many events in one execution. */
const sharing = (trigger: VersionedNode, maxEventsPerExecution: number): VersionedNode => ({
	...trigger,
	parameters: { ...trigger.parameters, options: { maxEventsPerExecution } },
});

/** Makes the nodes of each workflow, with the default fields but for the time of our trigger's checks. */
async function makeWorkflows(n8n: N8nRest, stubUrl: string): Promise<Record<ListenerName, Steps>> {
	const credential = async (type: string, data: Record<string, string>) => ({
		[type]: { id: await n8n.createCredential(type, 'Stub', data), name: 'Stub' },
	});
	const chosen = (value: string) => ({ __rl: true, mode: 'list', value });
	const ofService = await credential('twoWayMessagingApi', {
		baseUrl: stubUrl,
		apiKey: 'key',
		apiSecret: 'secret',
	});
	const ours: VersionedNode = {
		type: 'n8n-nodes-two-way-messaging.twoWayMessagingTrigger',
		typeVersion: 1,
		// A check could start an execution of its own, which would be counted.
		parameters: { checkEvery: CHECK_AT_START_ONLY },
		credentials: ofService,
	};
	const send: VersionedNode = {
		type: 'n8n-nodes-two-way-messaging.twoWayMessaging',
		typeVersion: 1,
		parameters: {
			resource: 'message',
			operation: 'send',
			number: '={{ $json.from }}',
			content: '={{ $json.content }}',
		},
		credentials: ofService,
	};
	const github: VersionedNode = {
		type: 'n8n-nodes-base.githubTrigger',
		typeVersion: 1,
		parameters: { owner: chosen('owner'), repository: chosen('repository'), events: ['push'] },
		credentials: await credential('githubApi', {
			server: stubUrl,
			user: 'owner',
			accessToken: 'token',
		}),
	};
	const webhook = (path: string): VersionedNode => ({
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		parameters: { httpMethod: 'POST', path },
	});
	// What n8n's own node needs to send the same: the body of §2.1.
	const request: VersionedNode = {
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			method: 'POST',
			url: stubUrl + PATHS.sendMessage,
			sendBody: true,
			bodyParameters: {
				parameters: [
					{ name: 'number', value: '={{ $json.body.data.message.from }}' },
					{ name: 'content', value: '={{ $json.body.data.message.text }}' },
				],
			},
		},
	};
	return {
		ours: [ours, NO_OP],
		shared: [sharing(ours, 50), NO_OP],
		github: [github, NO_OP],
		webhook: [webhook('webhook'), NO_OP],
		answering: [ours, send],
		githubAnswering: [github, request],
		plainAnswering: [webhook('plainAnswering'), request],
	};
}

const nodesOf = (name: ListenerName, trigger: VersionedNode, step: VersionedNode) => [
	{ ...trigger, id: `${name}-trigger`, name: 'Trigger', position: [0, 0], webhookId: name },
	{ ...step, id: `${name}-step`, name: 'Step', position: [200, 0] },
];

async function activateWorkflow(
	n8n: N8nRest,
	name: ListenerName,
	trigger: VersionedNode,
	step: VersionedNode,
): Promise<string> {
	const { id, versionId } = await n8n.createWorkflow({
		id: `bench${name}`.padEnd(16, '0').slice(0, 16),
		name,
		active: false,
		nodes: nodesOf(name, trigger, step),
		connections: { Trigger: { main: [[{ node: 'Step', type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	});
	await n8n.activate(id, versionId);
	return id;
}

/** Makes the rows of a history, newest first. They are dated after the publishing: what is older starts nothing. */
const makeMissedMessages = () =>
	Array.from({ length: MISSED }, () => ({
		message_handle: randomUUID(),
		from: '+15551230001',
		to: '+15550100001',
		content: 'Are you open?',
		status: 'RECEIVED',
		is_outbound: false,
		date_sent: new Date().toISOString(),
	}));

/** Publishes a workflow again. The check that comes with it starts one execution for everything that it finds. */
async function publishAgain(n8n: N8nRest, workflowId: string): Promise<void> {
	const { versionId } = (await n8n.findWorkflow(workflowId))!;
	await n8n.activate(workflowId, versionId);
}

/**
 * Waits until so many events have each become an item.
 *
 * @param more how many of them have come just now
 * @returns when n8n says that the last execution ended, in Unix milliseconds, and how many had no items, as the trigger starts
 * one now and then to let n8n save what it knows
 */
async function waitForEnd(
	n8n: N8nRest,
	{ workflowId, executionsBefore }: Listener,
	events: number,
	more: number,
): Promise<{ endedMs: number; empty: number }> {
	const giveUpAt = Date.now() + ENDED_WITHIN_MS;
	for (let waitMs = LOOK_FIRST_MS; ; waitMs = Math.min(2 * waitMs, LOOK_EVERY_MS)) {
		const empty = (await succeededCount(n8n, workflowId)) - executionsBefore - events;
		if (empty >= 0) {
			const newest = (await n8n.succeededExecutions(workflowId, more + empty)).slice(
				0,
				more + empty,
			);
			const items = await countItems(n8n, newest);
			if (items > more) throw new Error(`${more} events have become ${items} items`);
			if (items === more) {
				return {
					endedMs: Math.max(...newest.map(({ stoppedAt }) => Date.parse(stoppedAt))),
					empty,
				};
			}
		}
		if (Date.now() > giveUpAt)
			throw new Error(`${-empty} of ${events} executions have not succeeded`);
		await pause(waitMs);
	}
}

async function countItems(n8n: N8nRest, executions: Array<{ id: string }>): Promise<number> {
	let items = 0;
	for (const { id } of executions) items += itemsOf(await n8n.executionData(id), 'Step').length;
	return items;
}

/** How many executions have succeeded; none while a burst keeps n8n from answering. */
async function succeededCount(n8n: N8nRest, workflowId: string): Promise<number> {
	try {
		return await n8n.succeededCount(workflowId);
	} catch (thrown) {
		if (!(thrown instanceof Trouble)) throw thrown;
		return 0;
	}
}

const REST_MS = 2_000;

async function waitForRest(
	n8n: N8nRest,
	workflowId: string,
): Promise<{ endedMs: number; items: number }> {
	let ended = 0;
	let sinceMs = Date.now();
	while (Date.now() - sinceMs < REST_MS || (await isBusy(n8n, workflowId))) {
		await pause(LOOK_EVERY_MS);
		const count = await succeededCount(n8n, workflowId);
		if (count <= ended) continue;
		ended = count;
		sinceMs = Date.now();
	}
	const all = await n8n.succeededExecutions(workflowId);
	const items = await countItems(n8n, all);
	return { endedMs: Math.max(...all.map(({ stoppedAt }) => Date.parse(stoppedAt))), items };
}

/** Waits until a workflow has had so many items, and then rests. */
async function waitForItems(n8n: N8nRest, workflowId: string, wanted: number): Promise<void> {
	const giveUpAt = Date.now() + ENDED_WITHIN_MS;
	let items: number;
	do {
		({ items } = await waitForRest(n8n, workflowId));
		if (items > wanted || Date.now() > giveUpAt) throw new Error(`${items} items of ${wanted}`);
	} while (items < wanted);
}

async function isBusy(n8n: N8nRest, workflowId: string): Promise<boolean> {
	try {
		return (await n8n.executions(workflowId)).some(({ status }) => status !== 'success');
	} catch (thrown) {
		if (thrown instanceof Trouble) return true;
		throw thrown;
	}
}
