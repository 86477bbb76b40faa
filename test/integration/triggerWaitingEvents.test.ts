import { log } from '../support/log';
import { historyWorld, MINUTE_MS, SECRET } from './historyWorld';
import { deliver, expectEach, texts } from './promises/scene';
import type { Process } from './triggerProcess';
import { receiveEvent } from './triggerWorkflow';

/** More than start at the same time. */
const MANY = 120;

const world = historyWorld();

/** Many texts that a check has found, and of which some have started. */
const manyFound = async (process: Process) => {
	const ids = texts(world, MANY);
	world.nowMs += MINUTE_MS;
	await process.check();
	return ids;
};

test('an event that no check would find again starts its execution with the request', async () => {
	const process = await world.started({ events: ['receive', 'line_blocked'] });
	const blocked_at = new Date(world.nowMs).toISOString();
	const line = { line_handle: 'l1', number: '+15550100001', blocked_at };
	const blocked = { id: 'evt_1', type: 'line_blocked', data: { line } };
	const unnamed = { ...receiveEvent('a', { message_handle: undefined }), id: 'evt_unnamed' };
	for (const event of [blocked, unnamed]) await process.receive(event, SECRET, world.nowMs);
	expect(process.queue.map(({ mode }) => mode)).toEqual(['webhook', 'webhook']);
});

test('an event that a webhook brings begins before what a check has found and what still waits', async () => {
	const process = await world.started();
	await manyFound(process);
	const started = process.queue.length;
	await deliver(world, process, texts(world, 1, 'live'));
	const begun = await world.begun(process);
	expect(begun).toHaveLength(MANY + 1);
	expect(begun.indexOf('live0')).toBeLessThanOrEqual(started);
});

describe('events that wait for their executions', () => {
	test.each([
		['published again', 'update'],
		['stopped and published', 'activate'],
	] as const)('begin once each although the workflow is %s meanwhile', async (_, activation) => {
		const process = await world.started();
		const ids = texts(world, MANY);
		await deliver(world, process, ids);
		await world.publishAgain(process, activation);
		const begun = await process.execute();
		expectEach([...begun, ...(await world.check(process))], ids);
	});

	test('begin a minute later when n8n could not start them, and the log says so', async () => {
		const process = await world.started();
		const ids = texts(world, 2, 'found');
		world.nowMs += MINUTE_MS;
		process.failsToStart = true;
		await process.check();
		ids.push(...texts(world, 2, 'delivered'));
		await deliver(world, process, ids.slice(2));
		expect(await process.execute()).toEqual([]);
		expect(log.messages('warn').join()).toContain('could not start an execution');
		process.failsToStart = false;
		world.nowMs += MINUTE_MS;
		await process.tick();
		expectEach(await process.execute(), ids);
	});

	test('begin when n8n could not start them, and the workflow was stopped and published since', async () => {
		const process = await world.started();
		const ids = texts(world, 60);
		process.failsToStart = true;
		await deliver(world, process, ids);
		expect(await process.execute()).toEqual([]);
		process.failsToStart = false;
		await world.publishAgain(process, 'activate', { afterMs: MINUTE_MS });
		const begun = await process.execute();
		expectEach([...begun, ...(await world.check(process))], ids);
	});

	test('begin although a test in the editor ends meanwhile', async () => {
		const process = await world.started();
		const ids = await manyFound(process);
		await process.endTest();
		expectEach(await process.execute(), ids);
	});

	test('do not begin when a check has found them and the workflow is stopped, but when it is published', async () => {
		const process = await world.started();
		const ids = await manyFound(process);
		await process.release();
		const begun = await process.execute();
		expect(begun.length).toBeLessThan(MANY);
		await process.activate('update');
		expectEach([...begun, ...(await process.execute())], ids);
	});

	test('are dropped when a check has found them, and a person stops the workflow and publishes it later', async () => {
		const process = await world.started();
		await manyFound(process);
		await process.release();
		await process.execute();
		world.nowMs += 10 * MINUTE_MS;
		await process.activate('activate');
		expect(await process.execute()).toEqual([]);
		expect(await world.check(process)).toEqual([]);
	});
});
