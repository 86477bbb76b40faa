import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { TestClock } from '../support/testClock';
import { inbound, startHistory } from './triggerHistory';
import { Process, type Database } from './triggerProcess';
import { derivedSecret, receiveEvent, TRIGGER } from './triggerWorkflow';

const SECRET = derivedSecret('secret_abc');
const MINUTE_MS = 60_000;
const BURST = 60;

let nowMs: number;
let service: Awaited<ReturnType<typeof startHistory>>;
let database: Database;
let workflows = 0;

const clock = new TestClock(() => nowMs);

beforeEach(async () => {
	nowMs = Date.UTC(2026, 0, 1);
	service = await startHistory();
	database = { workflowId: `answers-first-${(workflows += 1)}`, staticData: {} };
});
afterEach(async () => await service.stop());

const newProcess = (parameters: INodeParameters = {}) =>
	new Process(database, service.credential, parameters, clock);
const started = async (parameters: INodeParameters = {}) => {
	const process = newProcess(parameters);
	await process.activate('activate');
	return process;
};
const names = Array.from({ length: BURST }, (_, at) => `b${at}`);
/** Customers text at the same moment, and each text is answered at once. */
const burst = async (process: Process, handles = names) => {
	for (const handle of handles) service.rows.push(inbound(handle, nowMs + 1_000));
	const answers = handles.map(
		async (handle) => await process.receive(receiveEvent(handle), SECRET, nowMs),
	);
	expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
};
const modes = (process: Process) => process.queue.map(({ mode }) => mode);
const handlesOf = (items: IDataObject[]) => items.map((item) => item.message_handle);

describe('an event that a webhook brings', () => {
	test('starts its execution with the request, where nothing presses', async () => {
		const process = await started();
		for (const name of names) {
			await burst(process, [name]);
			expect(modes(process)).toEqual(['webhook']);
			expect(await process.execute()).toHaveLength(1);
		}
	});

	test('is answered, and starts its execution later, in a burst: one each, in the order of arrival', async () => {
		const process = await started();
		await burst(process);
		expect(process.queue.length).toBeLessThanOrEqual(10);
		expect(modes(process)).toContain('trigger');
		expect(handlesOf(await process.execute())).toEqual(names);
		expect(process.executions).toEqual(names.map(() => 1));
	});

	test('shares an execution with others of the burst, as many as Max Events per Execution says', async () => {
		const process = await started({ options: { maxEventsPerExecution: 50 } });
		await burst(process);
		expect(handlesOf(await process.execute())).toEqual(names);
		expect(process.executions.length).toBeLessThan(20);
	});

	test('starts its execution with the request without checks, as nothing would bring it again', async () => {
		const process = await started({ pollTimes: {} });
		await burst(process);
		expect(modes(process)).toEqual(names.map(() => 'webhook'));
	});

	test('starts its execution with the request in a process that does not check, as in queue mode', async () => {
		await started();
		const webhooks = newProcess();
		await burst(webhooks);
		expect(modes(webhooks)).toEqual(names.map(() => 'webhook'));
	});

	test('starts its execution with the request where no check would find it again: of a line, or without a handle', async () => {
		const process = await started({ events: ['receive', 'line_blocked'] });
		const blockedAt = new Date(nowMs).toISOString();
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
			async (event) => await process.receive(event, SECRET, nowMs),
		);
		expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
		expect(modes(process)).toEqual(answers.map(() => 'webhook'));
	});

	test('waits for its execution once, however often it is delivered meanwhile', async () => {
		const process = await started();
		await burst(process);
		for (const handle of names) await process.receive(receiveEvent(handle), SECRET, nowMs);
		nowMs += 10 * MINUTE_MS;
		await process.check();
		const begun = handlesOf(await process.execute());
		expect(begun.sort()).toEqual([...names].sort());
	});

	test('begins before what a check has found and what still waits', async () => {
		const process = await started();
		for (let at = 0; at < 50; at += 1) service.rows.push(inbound(`m${at}`, nowMs + at));
		nowMs += 5 * MINUTE_MS;
		await process.check();
		await burst(process, ['live']);
		const begun = handlesOf(await process.execute());
		expect(begun).toHaveLength(51);
		expect(begun.indexOf('live')).toBeLessThan(15);
	});
});

describe('events that wait for their executions', () => {
	test('come once each when n8n is killed, by the check at its next start', async () => {
		const killed = await started();
		await burst(killed);
		const before = handlesOf(await killed.execute(4));
		nowMs += 2 * MINUTE_MS;
		const process = newProcess();
		await process.activate('init');
		const after = handlesOf(await process.execute());
		expect([...before, ...after].sort()).toEqual([...names].sort());
	});

	test.each([
		['stopped', undefined],
		['published again', 'update'],
		['stopped and published', 'activate'],
	] as const)('begin once each although the workflow is %s meanwhile', async (_, activation) => {
		const process = await started();
		await burst(process);
		nowMs += MINUTE_MS;
		await process.release();
		if (activation) await process.activate(activation);
		const begun = handlesOf(await process.execute());
		nowMs += 2 * MINUTE_MS;
		if (activation) await process.check();
		begun.push(...handlesOf(await process.execute()));
		expect(begun.sort()).toEqual([...names].sort());
	});

	test('come once each when the workflow was stopped and published, and n8n is killed then', async () => {
		const killed = await started();
		await burst(killed);
		nowMs += MINUTE_MS;
		await killed.release();
		service.rows.push(inbound('while stopped', nowMs));
		nowMs += MINUTE_MS;
		await killed.activate('activate');
		const before = handlesOf(await killed.execute(4));
		nowMs += 10 * MINUTE_MS;
		const process = newProcess();
		await process.activate('init');
		const after = handlesOf(await process.execute());
		expect([...before, ...after].sort()).toEqual([...names].sort());
	});

	test('come by a check when n8n could not start them and the workflow was stopped and published since', async () => {
		const process = await started();
		await burst(process);
		process.failsToStart = true;
		const begun = handlesOf(await process.execute());
		process.failsToStart = false;
		await process.release();
		nowMs += MINUTE_MS;
		await process.activate('activate');
		nowMs += 10 * MINUTE_MS;
		await process.check();
		const later = handlesOf(await process.execute());
		expect(later).not.toEqual([]);
		expect([...begun, ...later].sort()).toEqual([...names].sort());
	});

	test('begin while the workflow is stopped, and what comes then starts with its request', async () => {
		const process = await started();
		await burst(process);
		await process.release();
		await burst(process, ['late']);
		expect(modes(process)).toContain('webhook');
		expect(handlesOf(await process.execute()).sort()).toEqual([...names, 'late'].sort());
	});

	test('begin in the order in which they were found although a test in the editor ends meanwhile', async () => {
		const process = await started();
		for (const name of names) service.rows.push(inbound(name, nowMs + 1_000));
		nowMs += 5 * MINUTE_MS;
		await process.check();
		await process.endTest();
		expect(handlesOf(await process.execute())).toHaveLength(BURST);
	});

	test('do not begin when a check has found them and the workflow is stopped', async () => {
		const process = await started();
		for (const name of names) service.rows.push(inbound(name, nowMs + 1_000));
		nowMs += 5 * MINUTE_MS;
		await process.check();
		await process.release();
		const before = handlesOf(await process.execute());
		expect(before.length).toBeLessThanOrEqual(20);
		await process.activate('update');
		const after = handlesOf(await process.execute());
		expect([...before, ...after].sort()).toEqual([...names].sort());
	});

	test('wait for more texts of their conversation, where texts are combined', async () => {
		const process = await started({ options: { combineSeconds: 5 } });
		await burst(process);
		// n8n begins what it is given at once, also while other executions wait.
		const runs: ReturnType<Process['start']> = [];
		for (let second = 0; second < 10; second += 1) {
			runs.push(...process.start());
			await new Promise((resolve) => setTimeout(resolve, 150));
			if (second > 2) nowMs += 1_000;
		}
		const items = (await Promise.all(runs)).flatMap((run) => run.json(TRIGGER));
		expect(items).toHaveLength(1);
		expect(items[0]?.messages).toHaveLength(BURST);
	});
});
