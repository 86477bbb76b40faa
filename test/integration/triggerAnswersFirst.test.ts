import { handles, HistoryWorld, MINUTE_MS, SECRET } from './historyWorld';
import { inbound } from './triggerHistory';
import type { Process } from './triggerProcess';
import { receiveEvent, TRIGGER } from './triggerWorkflow';

const BURST = 60;

let world: HistoryWorld;

beforeEach(async () => {
	world = await HistoryWorld.start();
});
afterEach(async () => await world.service.stop());

const names = Array.from({ length: BURST }, (_, at) => `b${at}`);
/** Customers text at the same moment, and each text is answered at once. */
const burst = async (process: Process, texts = names) => {
	for (const handle of texts) world.service.rows.push(inbound(handle, world.nowMs + 1_000));
	const answers = texts.map(
		async (handle) => await process.receive(receiveEvent(handle), SECRET, world.nowMs),
	);
	expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
};
const modes = (process: Process) => process.queue.map(({ mode }) => mode);

describe('an event that a webhook brings', () => {
	test('starts its execution with the request, where nothing presses', async () => {
		const process = await world.started();
		for (const name of names) {
			await burst(process, [name]);
			expect(modes(process)).toEqual(['webhook']);
			expect(await process.execute()).toHaveLength(1);
		}
	});

	test('is answered, and starts its execution later, in a burst: one each, in the order of arrival', async () => {
		const process = await world.started();
		const many = Array.from({ length: 450 }, (_, at) => `m${at}`);
		await burst(process, many);
		expect(process.queue.length).toBeLessThanOrEqual(400);
		expect(modes(process)).toContain('trigger');
		expect(handles(await process.execute())).toEqual(many);
		expect(process.executions).toEqual(many.map(() => 1));
	});

	test('shares an execution with others of the burst, as many as Max Events per Execution says', async () => {
		const process = await world.started({ options: { maxEventsPerExecution: 50 } });
		await burst(process);
		expect(handles(await process.execute())).toEqual(names);
		expect(process.executions.length).toBeLessThan(20);
	});

	test('starts its execution with the request without checks, as nothing would bring it again', async () => {
		const process = await world.started({ pollTimes: {} });
		await burst(process);
		expect(modes(process)).toEqual(names.map(() => 'webhook'));
	});

	test('starts its execution with the request in a process that does not check, as in queue mode', async () => {
		await world.started();
		const webhooks = world.newProcess();
		await burst(webhooks);
		expect(modes(webhooks)).toEqual(names.map(() => 'webhook'));
	});

	test('starts its execution with the request where no check would find it again: of a line, or without a handle', async () => {
		const process = await world.started({ events: ['receive', 'line_blocked'] });
		const blockedAt = new Date(world.nowMs).toISOString();
		const blocked = names.map((handle) => ({
			id: `evt_${handle}`,
			type: 'line_blocked',
			data: { line: { line_handle: handle, number: '+15550100001', blocked_at: blockedAt } },
		}));
		const unnamed = names.map((handle) => ({
			...receiveEvent(handle, { message_handle: undefined, text: handle }),
			id: `evt_unnamed_${handle}`,
		}));
		const answers = [...blocked, ...unnamed].map(
			async (event) => await process.receive(event, SECRET, world.nowMs),
		);
		expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
		expect(modes(process)).toEqual(answers.map(() => 'webhook'));
	});

	test('waits for its execution once, however often it is delivered meanwhile', async () => {
		const process = await world.started();
		await burst(process);
		for (const handle of names) await process.receive(receiveEvent(handle), SECRET, world.nowMs);
		world.nowMs += 10 * MINUTE_MS;
		await process.check();
		const begun = handles(await process.execute());
		expect(begun.sort()).toEqual([...names].sort());
	});

	test('begins before what a check has found and what still waits', async () => {
		const process = await world.started();
		for (let at = 0; at < 50; at += 1) world.service.rows.push(inbound(`m${at}`, world.nowMs + at));
		world.nowMs += 5 * MINUTE_MS;
		await process.check();
		await burst(process, ['live']);
		const begun = handles(await process.execute());
		expect(begun).toHaveLength(51);
		expect(begun.indexOf('live')).toBeLessThan(15);
	});
});

describe('events that wait for their executions', () => {
	test('come once each when n8n is killed, by the check at its next start', async () => {
		const killed = await world.started();
		await burst(killed);
		const before = handles(await killed.execute(4));
		world.nowMs += 2 * MINUTE_MS;
		const process = world.newProcess();
		await process.activate('init');
		const after = handles(await process.execute());
		expect([...before, ...after].sort()).toEqual([...names].sort());
	});

	test.each([
		['stopped', undefined],
		['published again', 'update'],
		['stopped and published', 'activate'],
	] as const)('begin once each although the workflow is %s meanwhile', async (_, activation) => {
		const process = await world.started();
		await burst(process);
		world.nowMs += MINUTE_MS;
		await process.release();
		if (activation) await process.activate(activation);
		const begun = handles(await process.execute());
		world.nowMs += 2 * MINUTE_MS;
		if (activation) await process.check();
		begun.push(...handles(await process.execute()));
		expect(begun.sort()).toEqual([...names].sort());
	});

	test('come once each when the workflow was stopped and published, and n8n is killed then', async () => {
		const killed = await world.started();
		await burst(killed);
		world.nowMs += MINUTE_MS;
		await killed.release();
		world.service.rows.push(inbound('while stopped', world.nowMs));
		world.nowMs += MINUTE_MS;
		await killed.activate('activate');
		const before = handles(await killed.execute(4));
		world.nowMs += 10 * MINUTE_MS;
		const process = world.newProcess();
		await process.activate('init');
		const after = handles(await process.execute());
		expect([...before, ...after].sort()).toEqual([...names].sort());
	});

	test('come by a check when n8n could not start them and the workflow was stopped and published since', async () => {
		const process = await world.started();
		process.failsToStart = true;
		await burst(process);
		const begun = handles(await process.execute());
		process.failsToStart = false;
		await process.release();
		world.nowMs += MINUTE_MS;
		await process.activate('activate');
		world.nowMs += 10 * MINUTE_MS;
		await process.check();
		const later = handles(await process.execute());
		expect(later).not.toEqual([]);
		expect([...begun, ...later].sort()).toEqual([...names].sort());
	});

	test('begin while the workflow is stopped, and what comes then starts with its request', async () => {
		const process = await world.started();
		await burst(process);
		await process.release();
		await burst(process, ['late']);
		expect(modes(process)).toContain('webhook');
		expect(handles(await process.execute()).sort()).toEqual([...names, 'late'].sort());
	});

	test('begin in the order in which they were found although a test in the editor ends meanwhile', async () => {
		const process = await world.started();
		for (const name of names) world.service.rows.push(inbound(name, world.nowMs + 1_000));
		world.nowMs += 5 * MINUTE_MS;
		await process.check();
		await process.endTest();
		expect(handles(await process.execute())).toHaveLength(BURST);
	});

	test('do not begin when a check has found them and the workflow is stopped', async () => {
		const process = await world.started();
		for (const name of names) world.service.rows.push(inbound(name, world.nowMs + 1_000));
		world.nowMs += 5 * MINUTE_MS;
		await process.check();
		await process.release();
		const before = handles(await process.execute());
		expect(before.length).toBeLessThanOrEqual(20);
		await process.activate('update');
		const after = handles(await process.execute());
		expect([...before, ...after].sort()).toEqual([...names].sort());
	});

	test('wait for more texts of their conversation, where texts are combined', async () => {
		const process = await world.started({ options: { combineSeconds: 5 } });
		await burst(process);
		// n8n begins what it is given at once, also while other executions wait.
		const runs: ReturnType<Process['start']> = [];
		for (let second = 0; second < 10; second += 1) {
			runs.push(...process.start());
			await new Promise((resolve) => setTimeout(resolve, 150));
			if (second > 2) world.nowMs += 1_000;
		}
		const items = (await Promise.all(runs)).flatMap((run) => run.json(TRIGGER));
		expect(items).toHaveLength(1);
		expect(items[0]?.messages).toHaveLength(BURST);
	});
});
