import type { IDataObject } from 'n8n-workflow';
import { TestClock } from '../support/testClock';
import { inbound, startHistory } from './triggerHistory';
import { Process, type Database } from './triggerProcess';
import { derivedSecret, receiveEvent } from './triggerWorkflow';
import { HOUR_MS } from '../support/times';

// Thousands of events, on a machine that may have other work.
jest.setTimeout(120_000);

const SECRET = derivedSecret('secret_abc');

let nowMs: number;
let service: Awaited<ReturnType<typeof startHistory>>;
let database: Database;
let workflows = 0;

beforeEach(async () => {
	nowMs = Date.UTC(2026, 0, 1);
	service = await startHistory();
	database = { workflowId: `volume-${(workflows += 1)}`, staticData: {} };
});
afterEach(async () => await service.stop());

const clock = new TestClock(() => nowMs);
const newProcess = (options = {}) => new Process(database, service.credential, { options }, clock);
const handles = (items: IDataObject[]) => items.map((item) => item.message_handle);
const missed = (count: number, prefix = 'm') => {
	const names = Array.from({ length: count }, (_, at) => `${prefix}${at}`);
	names.forEach((name, at) => service.rows.push(inbound(name, nowMs + 1_000 + at * 100)));
	return names;
};
const restarted = async (options = {}) => {
	const process = newProcess(options);
	await process.activate('init');
	return process;
};

test('after n8n is killed, a check brings none of the thousands of events again that webhooks had brought', async () => {
	// Many share an execution, which would be most of the time here.
	const shared = { maxEventsPerExecution: 500 };
	await newProcess(shared).activate('activate');
	const process = await restarted(shared);
	for (let tick = 0; tick < 4; tick += 1) {
		for (const name of missed(1_300, `t${tick}-`)) {
			await process.receive(receiveEvent(name), SECRET, nowMs);
		}
		expect(await process.execute()).toHaveLength(1_300);
		nowMs += 300_000;
		if (tick < 3) await process.check();
	}
	const again = await restarted(shared);
	expect(await again.execute()).toEqual([]);
});

test('more events than one check takes come with several checks, oldest first', async () => {
	await newProcess().activate('activate');
	const wanted = missed(20_400);
	nowMs += HOUR_MS;
	const process = await restarted({ maxEventsPerExecution: 500 });
	const came = handles(await process.execute());
	expect(came).toHaveLength(20_000);
	for (let checks = 0; checks < 2; checks += 1) {
		nowMs += 300_000;
		await process.check();
		came.push(...handles(await process.execute()));
	}
	expect(came).toEqual(wanted);
	nowMs += 300_000;
	await process.check();
	expect(await process.execute()).toEqual([]);
});

test('without checks what is delivered again after thousands of others and a restart starts nothing', async () => {
	const listening = async () => {
		const parameters = { checkEvery: 0, options: { maxEventsPerExecution: 500 } };
		const process = new Process(database, service.credential, parameters, clock);
		await process.activate('init');
		return process;
	};
	const process = await listening();
	for (let at = 0; at < 5_400; at += 1) {
		await process.receive(receiveEvent(`m${at}`), SECRET, nowMs);
	}
	expect(await process.execute()).toHaveLength(5_400);
	const again = await listening();
	for (const handle of ['new', 'm0']) {
		await again.receive(receiveEvent(handle), SECRET, nowMs);
		expect(handles(await again.execute())).toEqual(handle === 'new' ? ['new'] : []);
	}
});
