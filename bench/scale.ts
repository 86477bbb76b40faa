import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import axios from 'axios';
import { startPlayground } from '../playground/playground';
import { removeData, startQueuePlayground } from '../playground/queue/playground';
import type { N8nRest } from '../playground/rest';
import { Effects } from '../test/support/playground/effects';
import { reportingWorkflow } from '../test/support/playground/reportingWorkflow';
import { freePorts } from '../test/support/playground/temporaryPlayground';
import { info, type Bench } from './table';

const WARM_UP = 40;
const EVENTS = 400;

/** How many events are under way at the same time: enough to keep every process busy, and few enough to be answered in time. */
const AT_A_TIME = 20;

const WORKFLOW = 'scaleEventsASec1';
const CREDENTIAL = 'twoWayMessagingApi';

/** The parts of a set-up that this bench uses. */
type SetUp = { n8n: N8nRest; sandboxUrl: string; stop: () => Promise<void> };

const SET_UPS = { 'one process, SQLite': startPlayground, 'queue mode': startQueuePlayground };

/**
 * How many events a second start a workflow of two nodes and reach its end: a customer's text goes from the sandbox to
 * the trigger, and the second node reports to this process. Everything runs on this machine.
 */
export const scale: Bench = {
	conditions: [
		`${EVENTS} events, ${AT_A_TIME} under way at the same time, two nodes; queue mode is a main process, two webhook processors, two workers, PostgreSQL, Redis and the balancer, all on this machine`,
	],
	async run() {
		const lines = [];
		for (const [name, start] of Object.entries(SET_UPS)) {
			for (const engine of ['vm', 'legacy']) {
				lines.push(info(`${name}, expressions by ${engine}`, await eventsPerSecond(start, engine)));
			}
		}
		return lines;
	},
};

async function eventsPerSecond(
	start: typeof startPlayground | typeof startQueuePlayground,
	engine: string,
): Promise<string> {
	const dataFolder = await mkdtemp(join(tmpdir(), 'two-way-messaging-bench-'));
	const effects = await Effects.listen();
	let setUp: SetUp | undefined;
	try {
		setUp = await start({
			...(await freePorts()),
			dataFolder,
			n8nEnvironment: { N8N_EXPRESSION_ENGINE: engine },
			log: () => {},
		});
		await publish(setUp.n8n, effects.url);
		await sendThrough(setUp.sandboxUrl, effects, WARM_UP);
		const tookMs = await sendThrough(setUp.sandboxUrl, effects, EVENTS);
		return `${((EVENTS / tookMs) * 1_000).toFixed(1)} events a second`;
	} finally {
		await setUp?.stop();
		await effects.close();
		await removeData(dataFolder);
	}
}

/** Publishes the reporting workflow, and deactivates the example, which would take a part of the work. */
async function publish(n8n: N8nRest, reportTo: string): Promise<void> {
	for (const { id } of await n8n.workflows()) await n8n.deactivate(id);
	const name = 'Two-Way Messaging Sandbox';
	const id = (await n8n.findCredential(CREDENTIAL, name)) ?? null;
	const workflow = reportingWorkflow({ id: WORKFLOW, reportTo, checkEvery: 0 });
	const nodes = workflow.nodes.map((node) =>
		node.type.endsWith('Trigger') ? { ...node, credentials: { [CREDENTIAL]: { id, name } } } : node,
	);
	const { versionId } = await n8n.createWorkflow({ ...workflow, nodes });
	await n8n.activate(WORKFLOW, versionId);
}

/** Sends so many events; returns how many milliseconds it takes until all of them have had their effect. */
async function sendThrough(sandboxUrl: string, effects: Effects, count: number): Promise<number> {
	const before = effects.all.length;
	const began = performance.now();
	for (let sent = 0; sent < count; sent += 1) {
		while (sent - (effects.all.length - before) >= AT_A_TIME) await pause(2);
		const body = { from: `+1555${String(sent).padStart(7, '0')}`, content: `message ${sent}` };
		await axios.post(`${sandboxUrl}/sandbox/inbound`, body, { proxy: false });
	}
	while (effects.all.length - before < count) await pause(2);
	return performance.now() - began;
}
