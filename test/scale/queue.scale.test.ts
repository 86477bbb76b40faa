import { setTimeout as pause } from 'node:timers/promises';
import axios from 'axios';
import { startService } from '../../bench/service';
import { REQUEST_LIMITS } from '../../sandbox/src/serviceFacts';
import type { RestartableN8n } from '../../playground/restartableN8n';
import { CONCURRENCY } from '../../playground/queue/n8nFleet';
import { checkAgain, readHistoryReads } from '../support/playground/checks';
import { Effects } from '../support/playground/effects';
import { reckon } from '../support/playground/reckoning';
import { BETWEEN_CHECKS_MS, reportingWorkflow } from '../support/playground/reportingWorkflow';
import { Site } from '../support/playground/site';
import { PACKAGE, requestNode, workflowOf } from '../support/playground/workflowOf';
import { waitUntil } from '../support/waitUntil';
import { findBegun } from './begunEvents';
import { DoubleDeliveries } from './doubleDeliveries';
import { messageWorkflows, testMessages } from './messages';
import { startTemporaryQueue, type TemporaryQueue } from './temporaryQueue';

const MESSAGES = Number(process.env.SCALE_MESSAGES ?? 1_000);
const WORKFLOW = 'scaleReports0001';

/** How many events are under way at the same time: few enough for the processors to answer in time. */
const AT_A_TIME = 24;

const DOWN_MS = 3_000;

const LONGEST_DELIVERY_MS = 60_000;

/** A time without a new execution after which workers have nothing left to do. */
const QUIET_MS = 3_000;

/** How many messages are sent under the service's limit (§8.1), with a window that is shorter than its minute. */
const SENDS = 300;
const SENDS_AN_EXECUTION = 30;
const PER_WINDOW = REQUEST_LIMITS.sendMessage;
const WINDOW_MS = 10_000;

/** How long an ideal client takes; the sends of the last window need no time. */
const IDEAL_MS = (SENDS / PER_WINDOW - 1) * WINDOW_MS;

const deliveries = new DoubleDeliveries();
let effects: Effects;
let playground: TemporaryQueue;
let site: Site;

beforeAll(async () => {
	effects = await Effects.listen();
	const workflow = reportingWorkflow({
		id: WORKFLOW,
		reportTo: effects.url,
		// A worker that completes a message reads the history as a check does, and the checks are counted here.
		fields: { options: { completeMessages: false } },
	});
	playground = await startTemporaryQueue([workflow, ...messageWorkflows(effects.url)], {
		post: deliveries.post,
	});
	deliveries.processors = playground.webhooks.map(({ url }) => url);
	const { n8nUrl, sandboxUrl } = playground;
	site = new Site(n8nUrl, effects, async (path, init) => await fetch(sandboxUrl + path, init));
});

afterAll(async () => {
	await playground?.removeAll();
	await effects?.close();
});

const isBusy = (sent: number) =>
	deliveries.underWay >= AT_A_TIME || sent - deliveries.delivered > 2 * AT_A_TIME;

/** Waits until every event has had an effect, or nothing happens any more; returns what has become of each event. */
const reckonEvents = async (events: string[]) =>
	await reckon(effects, events, async (without) => await findBegun(playground.database, without));

const killAndRestart = async (member: RestartableN8n | undefined): Promise<void> => {
	if (!member) throw new Error('There is no such process');
	await member.kill();
	await pause(DOWN_MS);
	await member.start();
};

/** The last request for the history, which only checks make here. */
const lastCheck = async () => (await readHistoryReads(playground.sandboxUrl))[0];

/** Waits until the workers have done what tests before left them to do; returns how many executions each has started. */
const allStarted = async (): Promise<number[]> => {
	let started = await playground.executionsStarted();
	const look = async () => {
		const before = String(started);
		await pause(QUIET_MS);
		started = await playground.executionsStarted();
		return String(started) === before ? started : undefined;
	};
	return await waitUntil('workers without work', look, 180_000);
};

const say = (line: string): void => void process.stderr.write(`${line}\n`);

describe('in queue mode', () => {
	test(`${MESSAGES} messages, each delivered twice while processes are killed, start one execution each`, async () => {
		const began = performance.now();
		const downs: Array<Promise<void>> = [];
		const events: string[] = [];
		let undelivered = 0;
		for (let sent = 0; sent < MESSAGES; sent += 1) {
			const waitsSince = Date.now();
			while (isBusy(sent - undelivered) && Date.now() - waitsSince < LONGEST_DELIVERY_MS)
				await pause(5);
			// A service that has disabled the endpoint (§3.3) delivers no more: a check brings these.
			if (isBusy(sent - undelivered)) undelivered = sent - deliveries.delivered;
			if (sent === Math.round(MESSAGES / 4)) downs.push(killAndRestart(playground.workers[0]));
			if (sent === Math.round(MESSAGES / 2)) downs.push(killAndRestart(playground.webhooks[0]));
			events.push(
				await site.text(`message ${sent}`, `+1555${String(sent % 500).padStart(7, '0')}`),
			);
		}
		await Promise.all(downs);
		await deliveries.settled();
		const deliveredMs = performance.now() - began;
		const reckoning = await reckonEvents(events);
		const recovered = effects.all.filter((effect) => effect.recovered).length;
		say(
			`${MESSAGES} messages: ${reckoning.once} once, ${reckoning.moreThanOnce.length} more than once, ${reckoning.cutOff.length} cut off midway by the kill, ${reckoning.lost.length} lost; ${recovered} brought by a check; ${deliveries.failures} first deliveries came to nothing; delivered in ${Math.round(deliveredMs / 1_000)} s, all done in ${Math.round((performance.now() - began) / 1_000)} s`,
		);
		for (const [event, times] of reckoning.moreThanOnce) say(`  ${event}: ${times} times`);
		expect(reckoning.lost).toEqual([]);
		expect(reckoning.moreThanOnce).toEqual([]);
		// n8n shows a crashed or failed execution for each message that a killed worker was processing.
		const broken = await waitUntil(
			'a crashed or failed execution for every message that was cut off',
			async () => {
				const all = await playground.n8n.brokenExecutions(WORKFLOW);
				return all.length >= reckoning.cutOff.length ? all : undefined;
			},
		);
		say(`n8n calls ${broken.length} executions crashed or failed`);
		expect(reckoning.cutOff.length).toBeLessThanOrEqual(CONCURRENCY);
	});

	test('only the main process checks; after it was killed no message is lost or repeated', async () => {
		const before = new Map(effects.counts());
		await playground.main.kill();
		const checkedBefore = await lastCheck();
		expect(checkedBefore).toBeDefined();
		const events = [await site.text('while the main process is down', '+15559990001')];
		deliveries.isCut = true;
		for (const number of [2, 3, 4]) {
			events.push(await site.text('never delivered', `+1555999000${number}`));
		}
		deliveries.isCut = false;
		await pause(BETWEEN_CHECKS_MS);
		expect(await lastCheck()).toBe(checkedBefore);
		await playground.main.start();
		const reckoning = await reckonEvents(events);
		await checkAgain(playground.sandboxUrl, playground.main);
		say(`the main process came back: ${JSON.stringify(reckoning)}`);
		expect(reckoning).toMatchObject({ once: 4, lost: [], cutOff: [] });
		const after = effects.counts();
		for (const [event, times] of before) expect([event, after.get(event)]).toEqual([event, times]);
		expect([...after.values()].filter((times) => times > 1)).toEqual([]);
	});

	test('two workers that send with one credential use up the limit, and lose or repeat no message', async () => {
		const service = await startService({ windowMs: WINDOW_MS });
		const name = 'Limited';
		const { baseUrl, apiKey, apiSecret } = service.account;
		const id = await playground.n8n.createCredential('twoWayMessagingApi', name, {
			baseUrl,
			apiKey,
			apiSecret,
		});
		const path = 'scaleSends000001';
		const workflow = workflowOf(path, [
			requestNode(path),
			{
				...{ name: 'Each', type: 'splitOut' },
				parameters: { fieldToSplitOut: 'body.texts', options: {} },
			},
			{
				...{ name: 'Send', type: `${PACKAGE}.twoWayMessaging` },
				parameters: { number: '={{ $json.number }}', content: '={{ $json.content }}' },
				credentials: { twoWayMessagingApi: { id, name } },
			},
		]);
		const { id: workflowId, versionId } = await playground.n8n.createWorkflow(workflow);
		await playground.n8n.activate(workflowId, versionId);
		const accepted = () => service.answered.filter(({ status }) => status === 201).length;
		const startedBefore = await allStarted();
		for (let from = 0; from < SENDS; from += SENDS_AN_EXECUTION) {
			const texts = Array.from({ length: SENDS_AN_EXECUTION }, (_, at) => ({
				number: `+1555${String(from + at).padStart(7, '0')}`,
				content: `Your order ${from + at} is ready.`,
			}));
			await axios.post(`${playground.n8nUrl}/webhook/${path}`, { texts }, { proxy: false });
		}
		while (service.answered.length === 0) await pause(2);
		// The limit's window starts with the first request that counts in it.
		const began = performance.now();
		while (accepted() < SENDS && performance.now() - began < 120_000) await pause(20);
		const tookMs = performance.now() - began;
		// A message that is sent twice would follow soon.
		await pause(2_000);
		const startedAfter = await playground.executionsStarted();
		const byWorker = startedAfter.map((started, at) => started - (startedBefore[at] ?? 0));
		const reached = new Set((await service.accepted()).map(({ to }) => to));
		const refusals = service.answered.filter(({ status }) => status === 429).length;
		const share = IDEAL_MS / tookMs;
		say(
			`${SENDS} sends, ${PER_WINDOW} per ${WINDOW_MS / 1_000} s, by workers that ran ${byWorker.join(' and ')} executions: ${(tookMs / 1_000).toFixed(1)} s, ${share.toFixed(3)} of the limit, ${refusals} times 429, ${SENDS - reached.size} lost, ${accepted() - reached.size} twice`,
		);
		await service.close();
		expect(Math.min(...byWorker)).toBeGreaterThan(0);
		expect(reached.size).toBe(SENDS);
		expect(accepted()).toBe(SENDS);
		// Two windows that a worker waits for in vain are 0.67; the rest is room for a busy machine.
		expect(share).toBeGreaterThanOrEqual(0.75);
	});
});

describe('in queue mode, of messages,', () => testMessages(() => ({ site, playground })));

test('a stop leaves no process that listens', async () => {
	const addresses = [
		playground.n8nUrl,
		playground.sandboxUrl,
		...[playground.main, ...playground.webhooks, ...playground.workers].map(({ url }) => url),
	];
	await playground.stop();
	for (const address of addresses) {
		await expect(axios.get(address, { proxy: false, timeout: 5_000 })).rejects.toMatchObject({
			code: 'ECONNREFUSED',
		});
	}
});
