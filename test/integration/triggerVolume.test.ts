import { historyWorld, HOUR_MS } from './historyWorld';
import { inbound } from './triggerHistory';
import type { Process } from './triggerProcess';
import { handedOver, receiveEvent } from './triggerWorkflow';

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
/** Texts that webhooks have brought begin in one execution, as thousands of requests would be most of the time here. */
const begin = async (process: Process, names: string[]) => {
	process.queue.push({ items: names.map(handedOver), mode: 'trigger' });
	return await world.begun(process);
};

test('after n8n is killed, a check brings none of the thousands of events again that webhooks had brought', async () => {
	await world.started(SHARED);
	const process = await world.restarted(SHARED);
	for (let tick = 0; tick < 4; tick += 1) {
		const names = named(1_300, `t${tick}-`);
		missed(names);
		expect(await begin(process, names)).toHaveLength(1_300);
		world.nowMs += 300_000;
		if (tick < 3) await process.check();
	}
	expect(await world.begun(await world.restarted(SHARED))).toEqual([]);
});

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

test('without checks what is delivered again after thousands of others and a restart starts nothing', async () => {
	const withoutChecks = { checkEvery: 0, ...SHARED };
	const process = await world.restarted(withoutChecks);
	expect(await begin(process, named(5_400))).toHaveLength(5_400);
	const again = await world.restarted(withoutChecks);
	expect(await world.receive(again, receiveEvent('new'))).toEqual(['new']);
	expect(await world.receive(again, receiveEvent('m0'))).toEqual([]);
});
