import { handles, historyWorld } from '../historyWorld';
import { playIn, type Scenes } from '../scenes';

/* One event, one execution. */

const world = historyWorld();

const SCENES: Scenes = {
	'webhooks and checks start an execution for each event':
		'publish; text a1..30; webhook a1..30: a1..30; text b1..30; check: b1..30; alone',
	'what waits for its execution is in memory only, and a check brings it again if n8n ends':
		'publish; text m1..60; webhook m1..30; wait 1m; check 0s; begin 7: m1..7; kill: m8..60',
	'an execution that n8n loses keeps no other back, and its event comes again after an hour':
		'publish; text m1..30; wait 1m; check 0s; lose 1; begin: m2..30; check 2h: m1',
	'with Combine Texts (Seconds), the texts of one conversation share an item': `
		publish receiveBy=polling options.combineSeconds=8; text anna.1..3 ben.4;
		check: anna.1+anna.2+anna.3 ben.4`,
};

test.each(Object.entries(SCENES))('one event, one execution: %s', playIn(world));

test('with Max Events per Execution above 1, events share an execution', async () => {
	const process = await world.started({ options: { maxEventsPerExecution: 20 } });
	const ids = world.texts(60);
	expect(handles(await world.check(process))).toEqual(ids);
	expect(process.executions.length).toBeLessThan(60);
	expect(Math.max(...process.executions)).toBeLessThanOrEqual(20);
});
