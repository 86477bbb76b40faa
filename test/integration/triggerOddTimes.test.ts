import { log } from '../support/log';
import { TestClock } from '../support/testClock';
import { waitUntil } from '../support/waitUntil';
import { handles, HistoryWorld, HOUR_MS, MINUTE_MS, SECRET, START_MS } from './historyWorld';
import { inbound } from './triggerHistory';
import type { Process } from './triggerProcess';
import { receiveEvent } from './triggerWorkflow';

let world: HistoryWorld;
/** How far n8n's clock is ahead. */
let aheadMs: number;

beforeEach(async () => {
	aheadMs = 0;
	world = await HistoryWorld.start();
	world.clock = new TestClock(() => world.nowMs + aheadMs);
});
afterEach(async () => await world.service.stop());

/** A customer texts once an hour, and after each text n8n checks; returns the texts, and those that began. */
const textHourly = async (process: Process, hours: number, name: string) => {
	const texts: string[] = [];
	const begun: unknown[] = [];
	for (let hour = 0; hour < hours; hour += 1) {
		texts.push(`${name}${hour}`);
		world.service.rows.push(inbound(`${name}${hour}`, world.nowMs + 1_000));
		world.nowMs += HOUR_MS;
		world.service.tellTime(world.service.isTelling ? world.nowMs : undefined);
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
		world.service.isTelling = isTelling;
		world.service.tellTime(isTelling ? world.nowMs : undefined);
	});

	test.each([
		['webhooks that are lost', {}],
		['polling', { receiveBy: 'polling' }],
	])('texts go on coming when it is set right, by %s', async (_way, parameters) => {
		await world.started(parameters);
		world.service.rows.push(inbound('before', world.nowMs - HOUR_MS));
		aheadMs = 48 * HOUR_MS;
		const process = await world.restarted(parameters);
		await process.execute();
		aheadMs = 0;
		const { texts, begun } = await textHourly(process, 30, 'm');
		expect(begun).toEqual(texts);
	});
});

test('a text from while n8n was away comes although n8n’s clock is two days ahead', async () => {
	await world.started();
	world.service.rows.push(inbound('missed', world.nowMs + 1_000));
	world.nowMs += 2 * HOUR_MS;
	world.service.tellTime(world.nowMs);
	aheadMs = 48 * HOUR_MS;
	const process = await world.restarted();
	expect(handles(await process.execute())).toEqual(['missed']);
	expect(log.messages('warn').join()).not.toContain('left out');
});

test.each([
	['ahead', 48 * HOUR_MS],
	['behind', -48 * HOUR_MS],
])(
	'what came while the workflow was stopped is known, also where n8n’s clock was two days %s',
	async (_, wrongMs) => {
		aheadMs = wrongMs;
		world.service.tellTime(world.nowMs);
		const process = await world.started();
		await process.release();
		world.nowMs += HOUR_MS;
		world.service.tellTime(world.nowMs);
		await process.activate('activate');
		const startedBy = async (handle: string, madeMs: number) => {
			const created_at = new Date(madeMs).toISOString();
			await process.receive({ ...receiveEvent(handle), created_at }, SECRET, world.nowMs + aheadMs);
			return handles(await process.execute());
		};
		for (const clockMs of [wrongMs, 0]) {
			aheadMs = clockMs;
			world.nowMs += 1_000;
			expect(await startedBy(`before ${clockMs}`, START_MS + MINUTE_MS)).toEqual([]);
			expect(await startedBy(`since ${clockMs}`, world.nowMs)).toEqual([`since ${clockMs}`]);
		}
	},
);

test('nothing is too old that came while the service refused the key pair for 26 hours, by polling', async () => {
	const process = await world.started({ receiveBy: 'polling' });
	world.service.fail(401);
	const texts = Array.from({ length: 26 }, (_, hour) => `m${hour}`);
	for (const text of texts) {
		world.service.rows.push(inbound(text, world.nowMs + 1_000));
		world.nowMs += HOUR_MS;
		await process.check();
	}
	// The execution that says so fails, as it should.
	await Promise.all(process.start());
	world.service.fail(200);
	expect(handles(await world.check(process))).toEqual(texts);
});

test('a text whose execution n8n has lost comes again although the clock is set back a day', async () => {
	const process = await world.started();
	world.service.rows.push(inbound('a', world.nowMs + 1_000));
	await process.receive(receiveEvent('a'), SECRET, world.nowMs);
	process.queue.length = 0;
	aheadMs = -24 * HOUR_MS;
	const begun: unknown[] = [];
	for (let checks = 0; checks < 2; checks += 1) {
		world.nowMs += 10 * MINUTE_MS;
		await process.check();
		begun.push(...handles(await process.execute()));
	}
	expect(begun).toEqual(['a']);
});

test('texts whose messages are being completed as n8n is killed come after its start', async () => {
	const options = { completeMessages: true };
	const killed = await world.started({ options });
	const names = Array.from({ length: 10 }, (_, at) => `b${at}`);
	for (const name of names) world.service.rows.push(inbound(name, world.nowMs));
	const goOn = world.service.hang();
	const readings = () =>
		world.service.requests.filter(({ path }) => path === '/v2/messages').length;
	const before = readings();
	for (const name of names) await killed.receive(receiveEvent(name), SECRET, world.nowMs);
	void killed.execute().catch(() => undefined);
	await waitUntil('the request for the history', async () =>
		readings() > before ? true : undefined,
	);
	goOn();
	const process = await world.restarted({ options });
	expect(handles(await process.execute())).toEqual(names);
});

describe.each([
	['webhooks that are lost', {}],
	['polling', { receiveBy: 'polling' }],
])('where texts have no date, by %s,', (_way, parameters) => {
	/** Publishes over 600 old texts, and checks each minute; returns what each check starts. */
	const startedByChecks = async (
		backMs: (minute: number) => { n8n?: number; service?: number },
	) => {
		for (let at = 0; at < 600; at += 1) world.service.rows.push(inbound(`old${at}`, null));
		const process = await world.started(parameters);
		const started: unknown[] = [];
		for (let minute = 1; minute <= 15; minute += 1) {
			world.nowMs += MINUTE_MS;
			const { n8n = 0, service } = backMs(minute);
			aheadMs = -n8n;
			world.service.tellTime(service === undefined ? undefined : world.nowMs - service);
			if (minute === 1 || minute === 3) world.service.rows.push(inbound(`new${minute}`, null));
			await process.check();
			started.push(...handles(await process.execute()));
		}
		return started;
	};

	test.each([
		['n8n’s clock is 5 minutes back for one check', 2, { n8n: 5 * MINUTE_MS }, {}],
		['one check is told a time 10 minutes ago', 2, { service: 10 * MINUTE_MS }, { service: 0 }],
		['one check is told a time 10 minutes ahead', 2, { service: -10 * MINUTE_MS }, { service: 0 }],
	])('nothing from before publishing comes when %s', async (_, minute, once, otherwise) => {
		world.service.tellTime('service' in once ? world.nowMs : undefined);
		const started = await startedByChecks((at) => (at === minute ? once : otherwise));
		expect(started).toEqual(['new1', 'new3']);
	});

	test('everything comes, and nothing from before publishing, when n8n’s clock is set back a day for good', async () => {
		const started = await startedByChecks((minute) => ({ n8n: minute < 2 ? 0 : 24 * HOUR_MS }));
		expect(started).toEqual(['new1', 'new3']);
	});
});
