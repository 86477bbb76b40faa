import { historyWorld, HOUR_MS } from './historyWorld';
import { inbound } from './triggerHistory';

// Thousands of events, on a machine that may have other work.
jest.setTimeout(120_000);

const world = historyWorld();

test('more events than one check takes come with several checks, oldest first', async () => {
	await world.started();
	const wanted = Array.from({ length: 20_400 }, (_, at) => `m${at}`);
	world.rows(...wanted.map((name, at) => inbound(name, world.nowMs + 1_000 + at * 100)));
	world.nowMs += HOUR_MS;
	const process = await world.restarted({ options: { maxEventsPerExecution: 500 } });
	const came = await world.begun(process);
	expect(came).toHaveLength(20_000);
	for (let checks = 0; checks < 2; checks += 1) came.push(...(await world.found(process)));
	expect(came).toEqual(wanted);
	expect(await world.found(process)).toEqual([]);
});
