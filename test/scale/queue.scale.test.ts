import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import axios from 'axios';
import { freePort } from '../../playground/machine';
import type { Member } from '../../playground/queue/member';
import { startQueuePlayground, type QueuePlayground } from '../../playground/queue/playground';
import { NO_REQUEST_LIMITS } from '../../sandbox/src';
import { DoubleDeliveries } from './deliveries';
import { Effects } from './effects';
import { reckon } from './reckoning';
import { tellingWorkflow } from './workflow';

const MESSAGES = Number(process.env.SCALE_MESSAGES ?? 2_000);
const WORKFLOW = 'scaleTellsOnce01';

/** Events on their way at a time: fewer than would make the processors answer later than the service waits. */
const AT_A_TIME = 24;

const DOWN_MS = 3_000;

const deliveries = new DoubleDeliveries();
let effects: Effects;
let dataFolder: string;
let playground: QueuePlayground;

beforeAll(async () => {
	dataFolder = await mkdtemp(join(tmpdir(), 'two-way-messaging-scale-'));
	effects = await Effects.listen();
	const workflows = join(dataFolder, 'workflows');
	await mkdir(workflows);
	const workflow = tellingWorkflow(WORKFLOW, effects.url);
	await writeFile(join(workflows, 'workflow.json'), JSON.stringify(workflow));
	playground = await startQueuePlayground({
		sandboxPort: await freePort(),
		n8nPort: await freePort(),
		dataFolder,
		workflows,
		sandboxOptions: { requestLimits: NO_REQUEST_LIMITS, post: deliveries.post },
		n8nEnvironment: {
			// Its cost an event is a quarter of the default's, which leaves time for 4,000 of them.
			N8N_EXPRESSION_ENGINE: 'legacy',
			// A worker that is gone is noticed after seconds instead of a minute.
			QUEUE_WORKER_LOCK_DURATION: '10000',
			QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
			QUEUE_WORKER_STALLED_INTERVAL: '5000',
		},
		log: (line, kind) => kind !== 'passing' && process.stderr.write(`${line}\n`),
	});
	deliveries.processors = playground.webhooks.map(({ url }) => url);
});

afterAll(async () => {
	await playground?.stop();
	await effects?.close();
	if (!process.env.SCALE_KEEP) await rm(dataFolder, { recursive: true, force: true });
});

/** A customer texts; gives the message's handle. */
const text = async (content: string, from: string): Promise<string> => {
	const { data } = await axios.post<{ message_handle: string }>(
		`${playground.sandboxUrl}/sandbox/inbound`,
		{ from, content },
		{ proxy: false },
	);
	return data.message_handle;
};

const goesDown = async (member: Member | undefined): Promise<void> => {
	if (!member) throw new Error('There is no such process');
	await member.kill();
	await pause(DOWN_MS);
	await member.start();
};

const say = (line: string): void => void process.stderr.write(`${line}\n`);

describe('in queue mode', () => {
	test(`${MESSAGES} messages, each delivered twice to different processors while a worker and a processor are killed: none is lost, none starts the workflow twice`, async () => {
		const began = performance.now();
		const downs: Array<Promise<void>> = [];
		const handles: string[] = [];
		for (let sent = 0; sent < MESSAGES; sent += 1) {
			while (deliveries.underWay >= AT_A_TIME || sent - deliveries.delivered > 2 * AT_A_TIME) {
				await pause(5);
			}
			if (sent === Math.round(MESSAGES / 4)) downs.push(goesDown(playground.workers[0]));
			if (sent === Math.round(MESSAGES / 2)) downs.push(goesDown(playground.webhooks[0]));
			handles.push(await text(`message ${sent}`, `+1555${String(sent % 500).padStart(7, '0')}`));
		}
		await Promise.all(downs);
		await deliveries.settled();
		const deliveredMs = performance.now() - began;
		const reckoning = await reckon(effects, playground.n8n, WORKFLOW, handles);
		const recovered = effects.all.filter((told) => told.recovered).length;
		say(
			`${MESSAGES} messages: ${reckoning.once} once, ${reckoning.moreThanOnce.length} more than once, ${reckoning.cutOff.length} cut off midway by the kill, ${reckoning.lost.length} lost; ${recovered} brought by a check; ${deliveries.failures} first deliveries came to nothing; delivered in ${Math.round(deliveredMs / 1_000)} s, all done in ${Math.round((performance.now() - began) / 1_000)} s`,
		);
		for (const [handle, times] of reckoning.moreThanOnce) say(`  ${handle}: ${times} times`);
		expect(reckoning.lost).toEqual([]);
		expect(reckoning.moreThanOnce).toEqual([]);
	});
});
