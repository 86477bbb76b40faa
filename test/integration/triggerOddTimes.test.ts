import type { IDataObject } from 'n8n-workflow';
import { log } from '../support/log';
import { TestClock } from '../support/testClock';
import { waitUntil } from '../support/waitUntil';
import { inbound, startHistory } from './triggerHistory';
import { Process, type Database } from './triggerProcess';
import { derivedSecret, receiveEvent } from './triggerWorkflow';

const START_MS = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SECRET = derivedSecret('secret_abc');

/** The service's time. */
let nowMs: number;
/** How far n8n's clock is ahead. */
let aheadMs: number;
let service: Awaited<ReturnType<typeof startHistory>>;
let database: Database;
let workflows = 0;

const clock = new TestClock(() => nowMs + aheadMs);

beforeEach(async () => {
	nowMs = START_MS;
	aheadMs = 0;
	service = await startHistory();
	database = { workflowId: `odd-times-${(workflows += 1)}`, staticData: {} };
	log.clear();
});
afterEach(async () => await service.stop());

const newProcess = (parameters = {}) =>
	new Process(database, service.credential, parameters, clock);
const started = async (parameters = {}) => {
	const process = newProcess(parameters);
	await process.activate('activate');
	return process;
};
const restarted = async (parameters = {}) => {
	const process = newProcess(parameters);
	await process.activate('init');
	return process;
};
const handles = (items: IDataObject[]) => items.map((item) => item.message_handle);
/** A customer texts once an hour, and after each text n8n checks; returns the texts, and those that began. */
const textHourly = async (process: Process, hours: number, name: string) => {
	const texts: string[] = [];
	const begun: unknown[] = [];
	for (let hour = 0; hour < hours; hour += 1) {
		texts.push(`${name}${hour}`);
		service.rows.push(inbound(`${name}${hour}`, nowMs + 1_000));
		nowMs += HOUR_MS;
		service.tellTime(service.isTelling ? nowMs : undefined);
		await process.check();
		begun.push(...handles(await process.execute()));
	}
	return { texts, begun };
};

describe.each([
	['tells its time', true],
	['does not tell its time', false],
])('where n8n starts with its clock two days ahead, and the service %s,', (_, isTelling) => {
	beforeEach(() => {
		service.isTelling = isTelling;
		service.tellTime(isTelling ? nowMs : undefined);
	});

	test.each([
		['webhooks that are lost', {}],
		['polling', { receiveBy: 'polling' }],
	])('texts go on coming when it is set right, by %s', async (_way, parameters) => {
		await started(parameters);
		service.rows.push(inbound('before', nowMs - HOUR_MS));
		aheadMs = 48 * HOUR_MS;
		const process = await restarted(parameters);
		await process.execute();
		aheadMs = 0;
		const { texts, begun } = await textHourly(process, 30, 'm');
		expect(begun).toEqual(texts);
	});
});

test('a text from while n8n was away comes although its clock is two days ahead, where the service tells its time', async () => {
	await started();
	service.rows.push(inbound('missed', nowMs + 1_000));
	nowMs += 2 * HOUR_MS;
	service.tellTime(nowMs);
	aheadMs = 48 * HOUR_MS;
	const process = await restarted();
	expect(handles(await process.execute())).toEqual(['missed']);
	expect(log.messages('warn')).toEqual([]);
});

test.each([
	['ahead', 48 * HOUR_MS],
	['behind', -48 * HOUR_MS],
])(
	'what came while the workflow was stopped is told from what came since, also where n8n’s clock is two days %s and then set right',
	async (_, wrongMs) => {
		aheadMs = wrongMs;
		service.tellTime(nowMs);
		const process = await started();
		await process.release();
		nowMs += HOUR_MS;
		service.tellTime(nowMs);
		await process.activate('activate');
		const startedBy = async (handle: string, madeMs: number) => {
			const created_at = new Date(madeMs).toISOString();
			await process.receive({ ...receiveEvent(handle), created_at }, SECRET, nowMs + aheadMs);
			return handles(await process.execute());
		};
		for (const clockMs of [wrongMs, 0]) {
			aheadMs = clockMs;
			nowMs += 1_000;
			expect(await startedBy(`before ${clockMs}`, START_MS + MINUTE_MS)).toEqual([]);
			expect(await startedBy(`since ${clockMs}`, nowMs)).toEqual([`since ${clockMs}`]);
		}
	},
);

test.each([
	['webhooks that are lost', {}],
	['polling', { receiveBy: 'polling' }],
])(
	'nothing is too old that came while n8n ran and the service refused its key pair for 26 hours, by %s',
	async (_, parameters) => {
		await started(parameters);
		service.fail(401);
		const process = await restarted(parameters);
		const { texts, begun } = await textHourly(process, 26, 'm');
		expect(begun).toEqual([]);
		service.fail(200);
		nowMs += 5 * MINUTE_MS;
		await process.check();
		expect(handles(await process.execute())).toEqual(texts);
	},
);

test('a text whose execution n8n has lost comes again although the clock is set back a day', async () => {
	const process = await started();
	service.rows.push(inbound('a', nowMs + 1_000));
	await process.receive(receiveEvent('a'), SECRET, nowMs);
	process.queue.length = 0;
	aheadMs = -24 * HOUR_MS;
	const begun: unknown[] = [];
	for (let checks = 0; checks < 2; checks += 1) {
		nowMs += 10 * MINUTE_MS;
		await process.check();
		begun.push(...handles(await process.execute()));
	}
	expect(begun).toEqual(['a']);
});

test('texts whose messages are being completed as n8n is killed come after its start', async () => {
	const options = { completeMessages: true };
	const killed = await started({ options });
	const names = Array.from({ length: 10 }, (_, at) => `b${at}`);
	for (const name of names) service.rows.push(inbound(name, nowMs));
	const goOn = service.hang();
	const readings = () => service.requests.filter(({ path }) => path === '/v2/messages').length;
	const before = readings();
	for (const name of names) await killed.receive(receiveEvent(name), SECRET, nowMs);
	void killed.execute().catch(() => undefined);
	await waitUntil('the request for the history', async () =>
		readings() > before ? true : undefined,
	);
	goOn();
	const process = await restarted({ options });
	expect(handles(await process.execute())).toEqual(names);
});

test('a check goes on when n8n could not create the execution that was lent others, and never says so', async () => {
	const first = await started({ receiveBy: 'polling' });
	const begun = Array.from({ length: 100 }, (_, at) => `a${at}`);
	for (const [at, name] of begun.entries()) service.rows.push(inbound(name, nowMs + 1_000 + at));
	nowMs += 5 * MINUTE_MS;
	await first.check();
	expect(handles(await first.execute())).toEqual(begun);
	const missed = Array.from({ length: 20 }, (_, at) => `m${at}`);
	for (const [at, name] of missed.entries()) service.rows.push(inbound(name, nowMs + at));
	const process = await restarted({ receiveBy: 'polling' });
	const items: IDataObject[] = [];
	const isLent = () => process.queue.some(({ items: given }) => given.length > 1);
	while (!isLent() && process.queue.length > 0) items.push(...(await process.execute(1)));
	expect(isLent()).toBe(true);
	process.queue.length = 0;
	for (let checks = 0; checks < 6; checks += 1) {
		nowMs += 5 * MINUTE_MS;
		await process.check();
		items.push(...(await process.execute()));
	}
	expect(handles(items).sort()).toEqual([...missed].sort());
});
