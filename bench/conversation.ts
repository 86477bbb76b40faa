import { randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { PATHS } from '../nodes/TwoWayMessaging/contract';
import type { N8nRest } from '../playground/rest';
import { NO_REQUEST_LIMITS } from '../sandbox/src';
import { CHECK_AT_START_ONLY } from '../test/support/playground/reportingWorkflow';
import { itemsOf } from '../test/support/playground/executionData';
import { TemporaryPlayground } from '../test/support/playground/temporaryPlayground';
import { startStub } from '../test/support/stub';
import { hasHttpRequestNode } from './httpRequestNode';
import { postMany } from './load';
import { median, spread } from './measure';
import { runAction, startN8n } from './n8n';
import { startService } from './service';
import { receiveEvent, signatureHeaders } from './signedEvent';
import { atLeast, exactly, info, type Bench, type Line } from './table';

const ROUNDS = 3;
const OFFERED_A_SECOND = 50;
/** Long enough that the last events, which wait a second for the history, hardly count. */
const SECONDS = 30;
const WARM_UP_SECONDS = 2;
const ENDED_WITHIN_MS = 5 * 60_000;

/** Of so many executions the last to end and the completed ones are looked for. */
const NEWEST = 100;

/** Messages in the service's history, and those of the conversation that is read. */
const MESSAGES = 100_000;
const OF_CONVERSATION = 20;

/** The value of Fill In Missing Fields in each of the two workflows. */
const WAYS = { completing: true, plain: false };
type Way = keyof typeof WAYS;

/**
 * What it costs that an event names its conversation, which §6.2 does not say: events a second with Fill In Missing Fields on
 * against off, and the requests of Get Conversation in a long history.
 */
export const conversation: Bench = {
	conditions: [
		`${OFFERED_A_SECOND} events a second offered for ${SECONDS} s, medians of ${ROUNDS} rounds in turns, legacy, SQLite; ${OF_CONVERSATION} of ${MESSAGES} messages are read from the sandbox`,
	],
	async run() {
		const reading = await measureReading();
		if (!hasHttpRequestNode()) {
			return [...reading, info('n8n', 'skipped: npm start has not installed n8n yet')];
		}
		return [
			...reading,
			...(await measureCompleting()),
			info('load at the end', loadavg()[0]!.toFixed(1)),
		];
	},
};

/** Reads the conversation with the customer who has just texted; each customer has texted equally often. */
async function measureReading(): Promise<Line[]> {
	const service = await startService({ requestLimits: NO_REQUEST_LIMITS });
	try {
		const customers = MESSAGES / OF_CONVERSATION;
		const numberOf = (at: number) => `+1555${String(at % customers).padStart(7, '0')}`;
		for (let at = 0; at < MESSAGES; at += 1) {
			await service.receive(numberOf(at), `Is order ${at} ready?`);
		}
		service.answered.length = 0;
		const [item] = await runAction(
			startN8n(service.account),
			{
				resource: 'message',
				operation: 'getConversation',
				with: 'number',
				number: numberOf(MESSAGES - 1),
			},
			[{}],
		);
		return [
			exactly(
				'Get Conversation: messages read',
				(item?.messages as object[]).length,
				OF_CONVERSATION,
			),
			exactly(`  requests, among ${MESSAGES} messages`, service.answered.length, 2),
		];
	} finally {
		await service.close();
	}
}

/** An active workflow of our trigger and a node that does nothing. */
type Listener = { workflowId: string; url: string; secret: string; executions: number };

async function measureCompleting(): Promise<Line[]> {
	const rows: object[] = [];
	const readAtMs: number[] = [];
	let registered = { url: '', secret: '' };
	const stub = await startStub(({ method, path, body }) => {
		if (method === 'POST' && path === PATHS.webhooks) {
			registered = JSON.parse(body.toString()) as typeof registered;
			return { status: 201, body: { id: 'registration' } };
		}
		if (path === PATHS.messages) readAtMs.push(performance.now());
		return { body: { messages: rows.slice(-500).reverse() } };
	});
	const playground = await TemporaryPlayground.start({
		n8nEnvironment: { N8N_EXPRESSION_ENGINE: 'legacy' },
	});
	try {
		const { n8n } = playground.running;
		const listeners = {} as Record<Way, Listener>;
		for (const way of Object.keys(WAYS) as Way[]) {
			const workflowId = await publish(n8n, stub.url, way);
			listeners[way] = { ...registered, workflowId, executions: 0 };
		}
		const rates = { completing: [] as number[], plain: [] as number[] };
		const readsASecond: number[] = [];
		for (let round = 0; round <= ROUNDS; round += 1) {
			for (const way of Object.keys(WAYS) as Way[]) {
				readAtMs.length = 0;
				const rate = await offer(
					n8n,
					listeners[way],
					rows,
					round === 0 ? WARM_UP_SECONDS : SECONDS,
				);
				if (round === 0) continue;
				rates[way].push(rate);
				if (WAYS[way]) readsASecond.push(perSecond(readAtMs));
			}
		}
		const ratios = rates.completing.map((rate, round) => rate / rates.plain[round]!);
		return [
			atLeast('events a second, completed ÷ as they come', median(ratios), 0.95),
			info('  each round', spread(ratios, 2)),
			info(
				'  events a second: completed, as they come',
				[rates.completing, rates.plain].map((each) => median(each).toFixed(1)).join(', '),
			),
			info('  requests to the history a second', Math.max(...readsASecond).toFixed(1)),
			exactly('  items that name their conversation, %', await completedShare(n8n, listeners), 100),
		];
	} finally {
		await playground.removeAll();
		await stub.stop();
	}
}

/** Events a second, from the first request to the end of the last execution, where so many a second come at most. */
async function offer(
	n8n: N8nRest,
	listener: Listener,
	rows: object[],
	seconds: number,
): Promise<number> {
	const startedMs = Date.now();
	const count = seconds * OFFERED_A_SECOND;
	const posts: Array<Promise<Map<string, number>>> = [];
	for (let at = 0; at < count; at += 1) {
		const dueMs = startedMs + (at * 1_000) / OFFERED_A_SECOND;
		if (dueMs > Date.now()) await pause(dueMs - Date.now());
		const name = randomUUID();
		const text = `Is order ${at} ready?`;
		rows.push(historyRow(name, text));
		const body = receiveEvent(name, text, {});
		const headers = signatureHeaders(body, listener.secret);
		posts.push(postMany(listener.url, [{ body, headers }], 1));
	}
	const accepted = (await Promise.all(posts)).filter((statuses) => statuses.has('200')).length;
	if (accepted < count) throw new Error(`${count - accepted} events were not answered 200`);
	listener.executions += count;
	return (count * 1_000) / ((await endOf(n8n, listener)) - startedMs);
}

/** The row of the history for an event (§4.5). */
const historyRow = (handle: string, content: string) => ({
	message_handle: handle,
	conversation_handle: '10a5c154-67c2-46c2-a699-2da51ff3d934',
	from: '+15551230001',
	to: '+15550100001',
	content,
	media_url: null,
	service: 'iMessage',
	status: 'RECEIVED',
	is_outbound: false,
	date_sent: new Date().toISOString(),
});

/** Waits until every event has been executed; returns when the last execution ended, in Unix milliseconds. */
async function endOf(n8n: N8nRest, { workflowId, executions }: Listener): Promise<number> {
	const giveUpAtMs = Date.now() + ENDED_WITHIN_MS;
	for (;;) {
		const count = await n8n.succeededCount(workflowId);
		if (count === executions) {
			const newest = await n8n.succeededExecutions(workflowId, NEWEST);
			return Math.max(...newest.map(({ stoppedAt }) => Date.parse(stoppedAt)));
		}
		if (count > executions || Date.now() > giveUpAtMs) {
			throw new Error(`${count} executions, and there should be ${executions}`);
		}
		await pause(250);
	}
}

/** How often a second something happened, between the first time and the last. */
const perSecond = (atMs: number[]): number => {
	const seconds = (atMs.at(-1)! - atMs[0]!) / 1_000;
	// The requests leave n8n a second apart, and take some milliseconds more or less.
	return Number(((atMs.length - 1) / seconds).toFixed(2));
};

/** How many of the newest hundred completed items name their conversation, in per cent. */
async function completedShare(
	n8n: N8nRest,
	{ completing }: Record<Way, Listener>,
): Promise<number> {
	const newest = await n8n.succeededExecutions(completing.workflowId, NEWEST);
	let completed = 0;
	for (const { id } of newest) {
		const [item] = itemsOf(await n8n.executionData(id), 'Trigger');
		if (item?.conversation_handle !== undefined) completed += 1;
	}
	return (completed * 100) / newest.length;
}

async function publish(n8n: N8nRest, baseUrl: string, way: Way): Promise<string> {
	const type = 'twoWayMessagingApi';
	const data = { baseUrl, apiKey: 'key', apiSecret: 'secret' };
	const credential = { id: await n8n.createCredential(type, 'Stub', data), name: 'Stub' };
	const { id, versionId } = await n8n.createWorkflow({
		id: `conversation${way}`.padEnd(16, '0').slice(0, 16),
		name: way,
		active: false,
		nodes: [
			{
				id: 'trigger',
				name: 'Trigger',
				type: 'n8n-nodes-two-way-messaging.twoWayMessagingTrigger',
				typeVersion: 1,
				position: [0, 0],
				webhookId: way,
				parameters: {
					checkEvery: CHECK_AT_START_ONLY,
					options: { completeMessages: WAYS[way] },
				},
				credentials: { [type]: credential },
			},
			{
				id: 'step',
				name: 'Step',
				type: 'n8n-nodes-base.noOp',
				typeVersion: 1,
				position: [200, 0],
				parameters: {},
			},
		],
		connections: { Trigger: { main: [[{ node: 'Step', type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	});
	await n8n.activate(id, versionId);
	return id;
}
