import { setTimeout as pause } from 'node:timers/promises';
import axios from 'axios';
import type { RestartableN8n } from '../../playground/restartableN8n';
import { CONCURRENCY } from '../../playground/queue/n8nFleet';
import { checkAgain, readHistoryReads } from '../support/playground/checks';
import { Effects } from '../support/playground/effects';
import { reckon } from '../support/playground/reckoning';
import { BETWEEN_CHECKS_MS, reportingWorkflow } from '../support/playground/reportingWorkflow';
import { Site } from '../support/playground/site';
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
