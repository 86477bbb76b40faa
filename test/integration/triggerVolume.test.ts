import { historyWorld, HOUR_MS } from './historyWorld';
import { inbound } from './triggerHistory';

// Thousands of events, on a machine that may have other work.
jest.setTimeout(120_000);

const world = historyWorld();

/** Many events share an execution. */
const SHARED = { options: { maxEventsPerExecution: 500 } };

const named = (count: number, prefix = 'm') =>
	Array.from({ length: count }, (_, at) => `${prefix}${at}`);
/** Texts come into the history, and no webhook brings them. */
const missed = (names: string[]) =>
	world.rows(...names.map((name, at) => inbound(name, world.nowMs + 1_000 + at * 100)));

test('more events than one check takes come with several checks, oldest first', async () => {
	await world.started();
	const wanted = named(20_400);
	missed(wanted);
	world.nowMs += HOUR_MS;
	const process = await world.restarted(SHARED);
	const came = await world.begun(process);
	expect(came).toHaveLength(20_000);
	for (let checks = 0; checks < 2; checks += 1) came.push(...(await world.found(process)));
	expect(came).toEqual(wanted);
	expect(await world.found(process)).toEqual([]);
});
