import type { IDataObject } from 'n8n-workflow';
import { readFilters } from '../../nodes/TwoWayMessaging/trigger/filters';
import { consentIn } from '../../nodes/TwoWayMessaging/waiting/consent';
import { log } from '../support/log';
import { PATHS } from '../../nodes/TwoWayMessaging/contract';
import { TestClock } from '../support/testClock';
import { waitUntil } from '../support/waitUntil';
import { handles, HistoryWorld, HOUR_MS, MINUTE_MS, SECRET, START_MS } from './historyWorld';
import { inbound, outbound, type HistoryRow } from './triggerHistory';
import type { Process } from './triggerProcess';
import { receiveEvent } from './triggerWorkflow';

let world: HistoryWorld;

beforeEach(async () => {
	world = await HistoryWorld.start();
});
afterEach(async () => await world.service.stop());

test('Look Back at Most (Hours) bounds nothing where a week passes between two polls', async () => {
	const process = await world.started({ receiveBy: 'polling' });
	world.service.rows.push(inbound('a', world.nowMs + 1_000));
	expect(handles(await world.check(process, 7 * 24 * HOUR_MS))).toEqual(['a']);
});

describe.each([403, 404, 204])('§4.5 a history that is answered %i', (status) => {
	test('keeps no workflow from being published that webhooks start, and a person is told', async () => {
		const process = await world.started();
		await process.release();
		world.service.rows.push(inbound('while stopped', world.nowMs + 1_000));
		world.nowMs += HOUR_MS;
		world.service.fail(status, PATHS.messages);
		await process.activate('activate');
		expect(log.messages('warn').join()).toContain('could not check for events');
		await process.check();
		await expect(process.execute()).rejects.toThrow();

		world.service.fail(200);
		expect(await world.check(process)).toEqual([]);
		world.service.rows.push(inbound('since', world.nowMs + 1_000));
		expect(handles(await world.check(process))).toEqual(['since']);
	});

	test('keeps one from being published that polls', async () => {
		world.service.fail(status, PATHS.messages);
		await expect(world.started({ receiveBy: 'polling' })).rejects.toThrow(
			'Events could not be asked for',
		);
	});
});

describe('a workflow that is published again', () => {
	test('while the service is away loses nothing that came meanwhile', async () => {
		const process = await world.started();
		await process.release();
		world.service.fail(503);
		world.service.rows.push(inbound('meanwhile', world.nowMs + 1_000));
		process.parameters = { filters: { contains: 'hello' } };
		await process.activate('update');
		world.service.fail(200);
		expect(handles(await world.check(process))).toEqual(['meanwhile']);
	});

	test('unchanged gets a row that stands behind those that its last check has seen', async () => {
		world.service.rows.push(inbound('seen', world.nowMs - 1_000));
		const process = await world.started();
		world.service.rows.unshift(inbound('late', world.nowMs + 1_000));
		await process.release();
		await process.activate('update');
		expect(handles(await world.check(process))).toEqual(['late']);
	});

	test('to listen to sent messages as well gets none from before', async () => {
		const process = await world.started();
		world.service.rows.push(outbound('before', 'SENT', world.nowMs + 1_000));
		expect(await world.check(process)).toEqual([]);
		await process.release();
		process.parameters = { events: ['receive', 'outbound'] };
		await process.activate('update');
		world.service.rows.push(outbound('since', 'SENT', world.nowMs + 1_000));
		expect(handles(await world.check(process))).toEqual(['since']);
	});

	test('with a key pair that is refused says so', async () => {
		const process = await world.started();
		await process.release();
		world.service.fail(401);
		process.parameters = { filters: { contains: 'hello' } };
		await expect(process.activate('update')).rejects.toThrow('key pair');
	});

	test('with other filters does not get what a webhook brought and the old ones left out', async () => {
		const process = await world.started({ filters: { contains: 'price' } });
		world.service.rows.push(inbound('a', world.nowMs + 1_000));
		await process.receive(receiveEvent('a'), SECRET, world.nowMs);
		expect(process.queue).toEqual([]);
		await process.release();
		process.parameters = {};
		await process.activate('update');
		expect(handles(await world.check(process))).toEqual([]);
	});
});

describe('a credential that points to another account', () => {
	test('begins with the first text of the fresh account', async () => {
		world.service.rows.push(inbound('of the old one', world.nowMs - 1_000));
		const process = await world.started();
		world.service.credential.apiKey = 'pair_2';
		world.service.rows.length = 0;
		expect(await world.check(process)).toEqual([]);
		world.service.rows.push(inbound('first', world.nowMs + 1_000));
		expect(handles(await world.check(process))).toEqual(['first']);
	});
});

describe('a row of the history that says less', () => {
	test('without a time, in ERROR after a quiet day, is told', async () => {
		world.service.rows.push(inbound('long ago', world.nowMs - 25 * HOUR_MS));
		const process = await world.started({ events: ['receive', 'outbound'] });
		const row = outbound('out', 'QUEUED', null);
		world.service.rows.push(row);
		expect(await world.check(process)).toEqual([]);
		row.status = 'ERROR';
		expect(handles(await world.check(process))).toEqual(['out']);
		expect(await world.check(process)).toEqual([]);
	});

	test('without a time and never seen before is told after a restart too', async () => {
		world.service.rows.push(inbound('long ago', world.nowMs - 25 * HOUR_MS));
		await world.started({ events: ['outbound'] });
		world.service.rows.push(outbound('out', 'ERROR', null));
		const process = await world.restarted({ events: ['outbound'] });
		expect(handles(await process.execute())).toEqual(['out']);
	});

	test('without its sender passes a filter on senders, as it must not be lost', async () => {
		const process = await world.started({ filters: { from: '+15551239999' } });
		const row: Partial<HistoryRow> = inbound('nameless', world.nowMs + 1_000);
		delete row.from;
		world.service.rows.push(row as HistoryRow, inbound('other', world.nowMs + 2_000));
		expect(handles(await world.check(process))).toEqual(['nameless']);
	});
});

test('a late text is found, however many messages of one’s own came after it', async () => {
	const process = await world.started();
	for (let at = 0; at < 600; at += 1) {
		world.service.rows.push(outbound(`own${at}`, 'SENT', world.nowMs + 2_000 + at));
	}
	expect(await world.check(process)).toEqual([]);
	world.service.rows.push(inbound('late', START_MS + 1_000));
	expect(handles(await world.check(process))).toEqual(['late']);
});

describe('an event that a webhook brings', () => {
	test('makes the node register no more because of what came before it', async () => {
		const process = await world.started();
		world.service.rows.push(inbound('missed', world.nowMs + 1_000));
		world.nowMs += MINUTE_MS;
		await process.receive(receiveEvent('a'), SECRET, world.nowMs);
		expect(handles(await process.execute())).toEqual(['a']);
		expect(handles(await world.check(process))).toEqual(['missed']);
		expect(world.service.registered).toHaveLength(1);
		world.service.rows.push(inbound('missed again', world.nowMs + 1_000));
		await world.check(process);
		await waitUntil('a registration', async () => world.service.registered[1]);
		expect(world.service.registered).toHaveLength(2);
	});

	test('again, and whose execution was lost, starts the workflow where there are no checks', async () => {
		const process = await world.started({ checkEvery: 0 });
		await process.receive(receiveEvent('a'), SECRET, world.nowMs);
		process.queue.length = 0;
		world.nowMs += MINUTE_MS;
		await process.receive(receiveEvent('a'), SECRET, world.nowMs);
		await process.receive(receiveEvent('a'), SECRET, world.nowMs);
		expect(handles(await process.execute())).toEqual(['a']);
		await process.receive(receiveEvent('a'), SECRET, world.nowMs);
		expect(process.queue).toEqual([]);
	});
});

test('what another version has saved of the checks is left, and the checks start over', async () => {
	const saved = { account: 'a', history: { sinceMs: START_MS, apart: [] } };
	world.database.staticData = { check: saved as unknown as IDataObject };
	const process = await world.restarted();
	world.service.rows.push(inbound('a', world.nowMs + 1_000));
	expect(handles(await world.check(process))).toEqual(['a']);
});

test('what has begun does not wait until the node has registered again', async () => {
	let isStuck = false;
	const stuck = new TestClock(() => world.nowMs);
	stuck.sleep = async (durationMs = 0) =>
		isStuck && durationMs >= 200
			? await new Promise<void>(() => {})
			: await new Promise<void>((resolve) => setImmediate(resolve));
	world.clock = stuck;
	const process = await world.started();
	world.service.rows.push(inbound('a', world.nowMs + 1_000));
	world.nowMs += 5 * MINUTE_MS;
	await process.check();
	isStuck = true;
	await world.service.stop();
	expect(handles(await process.execute())).toEqual(['a']);
	world = await HistoryWorld.start();
});

describe('a text of a megabyte', () => {
	const MEGABYTE = 1_000_000;
	test.each([
		['dots and a letter', `${'.'.repeat(MEGABYTE)}a`],
		['exclamation marks', '!'.repeat(MEGABYTE)],
		['spaces', `${' '.repeat(MEGABYTE)}a`],
		['line ends', `${'\n'.repeat(MEGABYTE)}a`],
		['combining marks', `a${'\u0301'.repeat(MEGABYTE)}`],
		['brackets', '('.repeat(MEGABYTE)],
		['digits', '1'.repeat(MEGABYTE)],
		['commas', ','.repeat(MEGABYTE)],
	])(
		'of %s is read in no time',
		async (_, text) => {
			expect(consentIn(text)).toBeUndefined();
			expect(readFilters({ from: text, contains: text, lines: text })).toBeDefined();
			const process = await world.started({ filters: { contains: 'price', from: '+15551230001' } });
			const event = receiveEvent('a', { text: `${text} price`, from: '+15551230001' });
			expect(await process.receive(event, SECRET, world.nowMs)).toBe(200);
			expect(await process.execute()).toHaveLength(1);
			const nasty = receiveEvent('b', { text: 'price', from: text });
			expect(await process.receive(nasty, SECRET, world.nowMs)).toBe(200);
		},
		10_000,
	);
});

describe('what came while a person had stopped the workflow', () => {
	/** An event as the service makes it at a time. */
	const made = (handle: string, atMs: number) => ({
		...receiveEvent(handle),
		created_at: new Date(atMs).toISOString(),
	});
	/** Publishes a workflow that was stopped for an hour. */
	const published = async () => {
		const process = await world.started();
		await process.release();
		world.nowMs += HOUR_MS;
		world.service.tellTime(world.nowMs);
		await process.activate('activate');
		return process;
	};
	const startedBy = async (process: Process, event: unknown) => {
		world.nowMs += 1_000;
		expect(await process.receive(event, SECRET, world.nowMs)).toBe(200);
		return handles(await process.execute());
	};

	test.each([
		['at once', undefined],
		['after it was changed and published once more', 'update'],
		['after a restart of n8n', 'init'],
	] as const)(
		'starts nothing when the service delivers it %s, however long the history is',
		async (_, activation) => {
			for (let at = 0; at < 700; at += 1) {
				world.service.rows.push(inbound(`m${at}`, START_MS + 60_000 + at * 4_000));
			}
			let process = await published();
			if (activation === 'update') await process.release();
			if (activation === 'init') process = world.newProcess();
			if (activation) await process.activate(activation);
			for (const at of [0, 100, 400, 699]) {
				expect(await startedBy(process, made(`m${at}`, START_MS + 60_000 + at * 4_000))).toEqual(
					[],
				);
			}
			expect(await world.check(process)).toEqual([]);
		},
	);

	test('starts nothing in the flat form either, which tells when a text was sent (§6.3)', async () => {
		const process = await published();
		const flat = (handle: string, atMs: number) => ({ event: 'receive', ...inbound(handle, atMs) });
		expect(await startedBy(process, flat('before', world.nowMs - MINUTE_MS))).toEqual([]);
		expect(await startedBy(process, flat('since', world.nowMs))).toEqual(['since']);
	});

	test('is not an outcome that the service tells of later, of a message that was sent before (§6.1)', async () => {
		const process = world.newProcess({ events: ['outbound'] });
		world.service.tellTime(world.nowMs);
		await process.activate('activate');
		const sent = { event: 'outbound', ...outbound('out', 'SENT', world.nowMs - HOUR_MS) };
		expect(await startedBy(process, sent)).toEqual(['out']);
	});

	test.each([
		['that does not say when it was made', 'late', undefined],
		['whose time is none', 'late', 'yesterday'],
	])(
		'is not an event %s: it starts the workflow, as it must not be lost',
		async (_, handle, time) => {
			const process = await published();
			const event = { ...receiveEvent(handle), created_at: time };
			expect(await startedBy(process, event)).toEqual([handle]);
		},
	);

	test('is told from what came since by the service’s clock, within five seconds', async () => {
		const process = await published();
		const publishedMs = world.nowMs;
		expect(await startedBy(process, made('before', publishedMs - 5_001))).toEqual([]);
		expect(await startedBy(process, made('with it', publishedMs - 5_000))).toEqual(['with it']);
	});

	test('starts the workflow within half an hour where the service does not tell its time', async () => {
		const process = await world.started();
		await process.release();
		world.nowMs += HOUR_MS;
		const publishedMs = world.nowMs;
		await process.activate('activate');
		const may = made('may be', publishedMs - 29 * MINUTE_MS);
		expect(await startedBy(process, may)).toEqual(['may be']);
		expect(await startedBy(process, made('is', publishedMs - 31 * MINUTE_MS))).toEqual([]);
	});

	test('is known under another key pair, too', async () => {
		const process = await published();
		world.service.credential.apiKey = 'pair_2';
		await process.release();
		await process.activate('update');
		expect(await startedBy(process, made('any', START_MS))).toEqual([]);
	});

	test('is known by the time of its own service only', async () => {
		await published();
		world.service.credential.baseUrl += '/other';
		const process = await world.restarted();
		expect(await startedBy(process, made('any', START_MS))).toEqual(['any']);
	});

	test('is not what a wrong time says of a text: a check finds its row', async () => {
		const process = await published();
		world.service.rows.push(inbound('now', world.nowMs + 1_000));
		expect(await startedBy(process, made('now', world.nowMs - HOUR_MS))).toEqual([]);
		world.nowMs += 5 * MINUTE_MS;
		world.service.tellTime(world.nowMs);
		expect(handles(await world.check(process, 0))).toEqual(['now']);
	});

	test('is not what n8n has in hand, whose execution was lost, where there are no checks', async () => {
		const process = await world.started({ checkEvery: 0 });
		await process.receive(made('a', world.nowMs), SECRET, world.nowMs);
		process.queue.length = 0;
		await process.release();
		world.nowMs += MINUTE_MS;
		world.service.tellTime(world.nowMs);
		await process.activate('activate');
		expect(await startedBy(process, made('a', START_MS))).toEqual(['a']);
	});

	test.each([
		['published after a stop', 'activate', 2],
		['changed and published again', 'update', 1],
	] as const)(
		'§3.3 has disabled its endpoint: a workflow that is %s is registered within a minute: %s, %d',
		async (_, activation, times) => {
			const process = await world.started();
			await process.release();
			world.nowMs += 10_000;
			await process.activate(activation);
			expect(world.service.registered).toHaveLength(times);
		},
	);

	test('is not what comes as it is published: that starts it, by webhook', async () => {
		const process = await world.started();
		await process.release();
		world.nowMs += MINUTE_MS;
		world.service.rows.push(inbound('just now', world.nowMs - 1_000));
		world.service.tellTime(world.nowMs);
		await process.activate('activate');
		await process.receive(made('just now', world.nowMs - 1_000), SECRET, world.nowMs);
		expect(handles(await process.execute())).toEqual(['just now']);
	});

	test.each([
		['has no date', null],
		['says an earlier time', -MINUTE_MS],
	])('is not what comes while the first check reads a history whose row %s', async (_, dateMs) => {
		const process = await world.started();
		await process.release();
		world.nowMs += HOUR_MS;
		world.service.rows.push(inbound('old', world.nowMs - 2 * MINUTE_MS));
		world.service.rows.push(inbound('now', dateMs === null ? null : world.nowMs + dateMs));
		const goOn = world.service.hold();
		world.service.requests.length = 0;
		const activated = process.activate('activate');
		world.service.tellTime(world.nowMs);
		const isReading = () => world.service.requests.some(({ path }) => path === '/v2/messages');
		await waitUntil('the first check', async () => isReading() || undefined);
		await process.receive(made('now', world.nowMs), SECRET, world.nowMs);
		goOn();
		await activated;
		expect(handles(await process.execute())).toEqual(['now']);
		expect(await world.check(process)).toEqual([]);
	});

	test('starts it when n8n was away, or when it was changed and published again', async () => {
		world.service.tellTime(world.nowMs);
		const process = await world.started();
		world.service.rows.push(inbound('a', world.nowMs + 1_000));
		world.nowMs += MINUTE_MS;
		world.service.tellTime(world.nowMs);
		await process.release();
		await process.activate('update');
		await process.receive(made('a', world.nowMs - MINUTE_MS + 1_000), SECRET, world.nowMs);
		expect(handles(await process.execute())).toEqual(['a']);
	});
});
