import type { IDataObject } from 'n8n-workflow';
import { turns } from '../../support/turns';
import { expectEach, historyWorld, MINUTE_MS } from '../historyWorld';
import type { Process } from '../triggerProcess';

/* n8n in queue mode: processes that share a database. One checks, others receive webhooks or run executions. */

const world = historyWorld();

/** The executions that wait in one process begin in another; returns their items. */
const work = async (from: Process, worker: Process): Promise<IDataObject[]> => {
	const begun: IDataObject[] = [];
	for (let round = 0; round < 50; round += 1) {
		worker.queue.push(...from.queue.splice(0));
		begun.push(...(await worker.execute()));
		await turns(1);
	}
	return begun;
};

test('no customer’s message is lost: also not what the process that checks had not begun when it ended', async () => {
	const [main, worker] = [await world.started(), world.newProcess()];
	const missed = world.texts(12);
	world.nowMs += MINUTE_MS;
	await main.check();
	await turns();
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
	const ids = world.texts(20);
	await world.deliver(webhooks, ids);
	await turns();
	for (const { items, mode } of webhooks.queue.splice(0)) {
		for (const { queue } of workers) queue.push({ items: structuredClone(items), mode });
	}
	const ran = await Promise.all(workers.map(async (worker) => await worker.execute()));
	await world.deliver(webhooks, ids);
	const begun = [...ran.flat(), ...(await work(webhooks, workers[0]))];
	world.nowMs += 5 * MINUTE_MS;
	await main.check();
	begun.push(...(await work(main, workers[1])));
	expectEach(begun, ids);
	// Webhooks have brought all of them, so that nothing has to be registered again.
	expect(world.service.registered).toHaveLength(1);
});

test('one event, one execution, however many events come between two checks', async () => {
	const [main, webhooks, worker] = [await world.started(), world.newProcess(), world.newProcess()];
	const ids: string[] = [];
	for (const lot of ['a', 'b', 'c']) {
		const delivered = world.texts(40, lot);
		await world.deliver(webhooks, delivered);
		ids.push(...delivered, ...world.texts(5, `${lot} missed `));
		await work(webhooks, worker);
		world.nowMs += 5 * MINUTE_MS;
		await main.check();
		await work(main, worker);
	}
	expect(worker.executions).toEqual(ids.map(() => 1));
});
