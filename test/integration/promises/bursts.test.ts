import { CharacterWorld } from '../characterWorld';
import { historyWorld, SECRET } from '../historyWorld';
import { deliver, expectEach, NO_CHECKS, settle, texts } from './scene';

/* A burst costs no failed delivery. */

const world = historyWorld();

test('the trigger answers first, and starts the executions afterwards, as n8n can take them', async () => {
	const process = await world.started();
	const ids = texts(world, 450);
	await deliver(world, process, ids);
	await settle();
	expect(process.queue.length).toBeLessThan(450);
	expectEach(await process.execute(), ids);
	expect(process.executions).toEqual(ids.map(() => 1));
});

test('the trigger answers also while the service itself does not', async () => {
	const process = await world.started({ options: { completeMessages: true } });
	const ids = texts(world, 60);
	world.service.hang();
	await deliver(world, process, ids);
});

test('what is signed and cannot be understood is no failed delivery either', async () => {
	const process = await world.started();
	for (const body of [{}, [], { type: 'other' }, { data: { message: 5 } }]) {
		expect(await process.receive(body, SECRET, world.nowMs)).toBe(200);
	}
	expect(await process.execute()).toEqual([]);
});

test('no delivery of the service fails, however many customers text and whatever it delivers again', async () => {
	const shop = await CharacterWorld.start('literal');
	try {
		await shop.publish();
		const customers = Array.from({ length: 30 }, (_, at) => `+155512340${10 + at}`);
		await Promise.all(customers.map(async (from) => await shop.text('hello', from)));
		await shop.execute();
		await shop.redeliver();
		await shop.execute();
		expect(await shop.answers()).toEqual(Array(60).fill(200));
		expect(shop.begun.map(({ from }) => from).sort()).toEqual(customers);
	} finally {
		await shop.stop();
	}
});

test('with 0 under Double-Check Every (Minutes) each request starts its execution', async () => {
	const process = await world.started(NO_CHECKS);
	const ids = texts(world, 60);
	await deliver(world, process, ids);
	await settle();
	expect(process.queue.map(({ mode }) => mode)).toEqual(ids.map(() => 'webhook'));
	expectEach(await process.execute(), ids);
});

test('with a burst larger than n8n can receive in five seconds, the next check finds the rest', async () => {
	const process = await world.started();
	const ids = texts(world, 60);
	await deliver(world, process, ids.slice(0, 40));
	const begun = await process.execute();
	begun.push(...(await world.check(process)));
	expectEach(begun, ids);
});
