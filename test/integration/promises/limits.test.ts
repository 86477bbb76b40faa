import { systemClock } from '../../../nodes/TwoWayMessaging/clock';
import { PATHS } from '../../../nodes/TwoWayMessaging/contract';
import { ANNA, serviceInEachTest } from '../../support/service';
import { startProcess } from './sendingScene';

/* A limit loses nothing. */

const LIST = Array.from({ length: 12 }, (_, at) => ({ number: ANNA, content: `message ${at}` }));

const service = serviceInEachTest(() => ({
	windowMs: 2_000,
	requestLimits: { all: 300, sendMessage: 5, media: 30, lookup: 20 },
}));

const texts = async () => (await service.accepted()).map(({ content }) => content);
const all = LIST.map(({ content }) => content);

test('the node waits as long as the service asks', async () => {
	const { clock } = service.memory;
	await service.fault(PATHS.sendMessage, 'pass', 3);
	await service.fault(PATHS.sendMessage, 'refuse-429', 1, { retry_after_seconds: 3_600 });
	const n8n = startProcess(service, { clock });
	const run = await n8n.send(LIST.slice(0, 5));
	expect(run.status).toBe('success');
	expect(n8n.ranMs()).toBeGreaterThanOrEqual(3_600_000);
	expect(await texts()).toEqual(all.slice(0, 5));
});

test('a list that is longer than the limit arrives as a whole, in its order', async () => {
	const run = await startProcess(service, { clock: service.memory.clock }).send(LIST);
	expect(run.json('Node')).toHaveLength(LIST.length);
	expect(await texts()).toEqual(all);
});

test('it does not hold for an execution that is stopped: what was not sent by then is not', async () => {
	const stop = new AbortController();
	const running = startProcess(service, { clock: systemClock }).send(LIST, { signal: stop.signal });
	while ((await texts()).length < 5) await new Promise((resolve) => setTimeout(resolve, 20));
	stop.abort();
	await running;
	expect((await texts()).length).toBeLessThan(LIST.length);
});

test('in queue mode each worker learns of it by itself, and all arrives', async () => {
	const workers = [0, 1].map(() => startProcess(service, { clock: service.memory.clock }));
	const runs = await Promise.all(
		workers.map(async (worker, at) => await worker.send(LIST.slice(6 * at, 6 * at + 6))),
	);
	expect(runs.map(({ status }) => status)).toEqual(['success', 'success']);
	expect((await texts()).sort()).toEqual([...all].sort());
});
