import { handles, historyWorld, HOUR_MS, MINUTE_MS } from '../historyWorld';
import { deliver, expectEach, settle, texts } from './scene';

/* One event, one execution. */

const world = historyWorld();

test('webhooks and checks start an execution for each event', async () => {
	const process = await world.started();
	const delivered = texts(world, 30, 'delivered');
	await deliver(world, process, delivered);
	expectEach(await process.execute(), delivered);
	const missed = texts(world, 30, 'missed');
	expect(handles(await world.check(process))).toEqual(missed);
	expect(process.executions).toEqual(Array(60).fill(1));
	expect(process.blanks).toBe(0);
});

test('what waits for its execution is in memory only, and a check brings it again if n8n ends', async () => {
	const killed = await world.started();
	const ids = texts(world, 60);
	await deliver(world, killed, ids.slice(0, 30));
	world.nowMs += MINUTE_MS;
	await killed.check();
	const begun = await killed.execute(7);
	expect(begun).toHaveLength(7);
	const process = await world.restarted();
	begun.push(...(await process.execute()));
	expectEach(begun, ids);
});

test('an execution that n8n loses keeps no other back, and its event comes again after an hour', async () => {
	const process = await world.started();
	const ids = texts(world, 30);
	world.nowMs += MINUTE_MS;
	await process.check();
	await settle();
	process.queue.shift();
	expect(handles(await process.execute())).toEqual(ids.slice(1));
	const later = await world.check(process, 2 * HOUR_MS);
	expect(handles(later)).toEqual(ids.slice(0, 1));
});

test('with Max Events per Execution above 1, events share an execution', async () => {
	const process = await world.started({ options: { maxEventsPerExecution: 20 } });
	const ids = texts(world, 60);
	expect(handles(await world.check(process))).toEqual(ids);
	expect(process.executions.length).toBeLessThan(60);
	expect(Math.max(...process.executions)).toBeLessThanOrEqual(20);
});

test('with Combine Texts (Seconds), the texts of one conversation share an item', async () => {
	const process = await world.started({ receiveBy: 'polling', options: { combineSeconds: 8 } });
	texts(world, 3, 'Anna ', { from: '+15551230001' });
	texts(world, 1, 'Ben ', { from: '+15551230002' });
	const items = await world.check(process);
	expect(items.map(({ from }) => from)).toEqual(['+15551230001', '+15551230002']);
	expect(items[0]?.messages).toHaveLength(3);
});
