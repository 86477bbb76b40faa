import { historyWorld, MINUTE_MS, SECRET } from '../historyWorld';
import { receiveEvent } from '../triggerWorkflow';
import { deliver, expectEach, settle, texts, work } from './scene';

/* n8n in queue mode: processes that share a database. One checks, others receive webhooks or run executions. */

const world = historyWorld();

test('no customer’s message is lost: also not what the process that checks had not begun when it ended', async () => {
	const [main, worker] = [await world.started(), world.newProcess()];
	const missed = texts(world, 12);
	world.nowMs += MINUTE_MS;
	await main.check();
	await settle();
	worker.queue.push(...main.queue.splice(0, 3));
	const begun = await worker.execute();
	const next = world.newProcess();
	await next.activate('leadershipChange');
	begun.push(...(await work(next, worker)));
	world.nowMs += 5 * MINUTE_MS;
	await next.check();
	begun.push(...(await work(next, worker)));
	expectEach(begun, missed);
});

test('none starts the workflow twice, whichever processes receive it, find it and run it', async () => {
	const [main, webhooks] = [await world.started(), world.newProcess()];
	const workers = [world.newProcess(), world.newProcess()] as const;
	const ids = texts(world, 20);
	await deliver(world, webhooks, ids);
	await settle();
	for (const { items, mode } of webhooks.queue.splice(0)) {
		for (const { queue } of workers) queue.push({ items: structuredClone(items), mode });
	}
	const ran = await Promise.all(workers.map(async (worker) => await worker.execute()));
	await deliver(world, webhooks, ids);
	const begun = [...ran.flat(), ...(await work(webhooks, workers[0]))];
	world.nowMs += 5 * MINUTE_MS;
	await main.check();
	begun.push(...(await work(main, workers[1])));
	expectEach(begun, ids);
});

test('one event, one execution, however many events come between two checks', async () => {
	const [main, webhooks, worker] = [await world.started(), world.newProcess(), world.newProcess()];
	const ids: string[] = [];
	for (const lot of ['a', 'b', 'c']) {
		const delivered = texts(world, 40, lot);
		await deliver(world, webhooks, delivered);
		ids.push(...delivered, ...texts(world, 5, `${lot} missed `));
		await work(webhooks, worker);
		world.nowMs += 5 * MINUTE_MS;
		await main.check();
		await work(main, worker);
	}
	expect(worker.executions).toEqual(ids.map(() => 1));
});

test('each request starts its execution at once', async () => {
	await world.started();
	const webhooks = world.newProcess();
	const ids = texts(world, 60);
	await deliver(world, webhooks, ids);
	await settle();
	expect(webhooks.queue.map(({ mode }) => mode)).toEqual(ids.map(() => 'webhook'));
	expect(await work(webhooks, world.newProcess())).toHaveLength(60);
});

test('nothing unsigned gets in', async () => {
	await world.started();
	const webhooks = world.newProcess();
	expect(await webhooks.receive(receiveEvent('a'), 'guessed', world.nowMs)).toBe(401);
	expect(await webhooks.receive(receiveEvent('a'), SECRET, world.nowMs)).toBe(200);
	expect(await webhooks.execute()).toHaveLength(1);
});
