import { turns } from '../../support/turns';
import { CharacterWorld } from '../characterWorld';
import { expectEach, historyWorld } from '../historyWorld';
import { playIn, type Scenes } from '../scenes';

/* A burst costs no failed delivery. */

const world = historyWorld();

test('the trigger answers first, and starts the executions afterwards, as n8n can take them', async () => {
	const process = await world.started();
	const ids = world.texts(450);
	await world.deliver(process, ids);
	await turns();
	expect(process.queue.length).toBeLessThan(450);
	expectEach(await process.execute(), ids);
	expect(process.executions).toEqual(ids.map(() => 1));
});

test('the trigger answers also while the service itself does not', async () => {
	const process = await world.started({ options: { completeMessages: true } });
	const ids = world.texts(60);
	world.service.hang();
	await world.deliver(process, ids);
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
	const process = await world.started({ checkEvery: 0 });
	const ids = world.texts(60);
	await world.deliver(process, ids);
	await turns();
	expect(process.queue.map(({ mode }) => mode)).toEqual(ids.map(() => 'webhook'));
	expectEach(await process.execute(), ids);
});

const SCENES: Scenes = {
	'with a burst larger than n8n can receive in five seconds, the next check finds the rest':
		'publish; text m1..60; webhook m1..40: m1..40; check: m41..60',
};

test.each(Object.entries(SCENES))('a burst costs no failed delivery: %s', playIn(world));
