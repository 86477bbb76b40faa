import type { IDataObject } from 'n8n-workflow';
import { log } from '../support/log';
import { waitUntil } from '../support/waitUntil';
import { handles, HistoryWorld, HOUR_MS, MINUTE_MS, SECRET, START_MS } from './historyWorld';
import { inbound, outbound } from './triggerHistory';
import { derivedSecret, receiveEvent } from './triggerWorkflow';

let world: HistoryWorld;

beforeEach(async () => {
	world = await HistoryWorld.start();
});
afterEach(async () => await world.service.stop());

describe('§4.5 a check', () => {
	test.each([
		['of the last 30 seconds', -29_000],
		['that is dated in the future', 3 * HOUR_MS],
	])('lets a row %s wait for half a minute, as its webhook may still come', async (_, dateMs) => {
		const process = await world.started();
		world.nowMs += 5 * MINUTE_MS;
		world.service.rows.push(inbound('fresh', world.nowMs + dateMs));
		expect(await world.check(process, 0)).toEqual([]);
		world.nowMs += MINUTE_MS / 2;
		await process.tick();
		expect(handles(await process.execute())).toEqual(['fresh']);
	});

	test('finds the rows after a row with an impossible date', async () => {
		const process = await world.started();
		world.service.rows.push(inbound('absurd', Date.UTC(2070, 0, 1)));
		expect(await world.check(process)).toEqual([]);
		expect(handles(await world.check(process))).toEqual(['absurd']);
		world.service.rows.push(inbound('after', world.nowMs + 1_000));
		expect(handles(await world.check(process))).toEqual(['after']);
		const again = await world.restarted();
		expect(await again.execute()).toEqual([]);
	});

	test('finds rows of the same second, also of the second in which the workflow began to listen', async () => {
		world.service.rows.push(inbound('before', world.nowMs));
		const process = await world.started();
		world.service.rows.push(inbound('same', world.nowMs));
		const again = await world.restarted();
		expect(handles(await again.execute())).toEqual(['same']);
		world.service.rows.push(inbound('same too', START_MS));
		expect(handles(await world.check(again))).toEqual(['same too']);
		expect(process.queue).toEqual([]);
	});

	test.each([
		['before time began', '0001-01-01T00:00:00Z'],
		['with the zero of Unix', '1970-01-01T00:00:00Z'],
		['with a number that is no time', '5'],
	])('finds a row that is dated %s, like one without a date', async (_, dateSent) => {
		world.service.rows.push(inbound('before', world.nowMs));
		const process = await world.started();
		world.service.rows.push({ ...inbound('undated', null), date_sent: dateSent });
		expect(handles(await world.check(process))).toEqual(['undated']);
		expect(await world.check(process)).toEqual([]);
	});

	test('finds rows without a date, and rows that appear late among older ones', async () => {
		world.service.rows.push(inbound('before', world.nowMs), inbound('undated before', null));
		const process = await world.started();
		world.service.rows.push(inbound('undated', null), inbound('a', world.nowMs + 2 * MINUTE_MS));
		expect(handles(await world.check(process))).toEqual(['undated', 'a']);
		world.service.rows.push(inbound('late', START_MS + MINUTE_MS));
		world.service.rows.splice(2, 0, inbound('late and in its place', START_MS + MINUTE_MS));
		expect(handles(await world.check(process)).sort()).toEqual(['late', 'late and in its place']);
		const again = await world.restarted();
		expect(await again.execute()).toEqual([]);
	});

	test('brings only the kinds of events that the node listens to, and only what passes the filters', async () => {
		const process = await world.started({ filters: { contains: 'price' } });
		world.service.rows.push(
			inbound('a', world.nowMs + 1_000, { content: 'The price?' }),
			inbound('b', world.nowMs + 2_000),
			outbound('c', 'SENT', world.nowMs + 3_000),
		);
		expect(handles(await world.check(process))).toEqual(['a']);
	});

	test("brings the service's own row when Simplify is off", async () => {
		const process = await world.started({ options: { simplify: false } });
		const row = inbound('a', world.nowMs + 1_000);
		world.service.rows.push(row);
		expect(await world.check(process)).toEqual([row]);
	});

	test('that starts while another one reads does nothing', async () => {
		const process = await world.started({ checkEvery: 1 });
		world.service.rows.push(inbound('a', world.nowMs + 1_000));
		world.nowMs += 5 * MINUTE_MS;
		world.service.requests.length = 0;
		await Promise.all([process.tick(), process.tick()]);
		const readings = world.service.requests.filter(({ query }) => !query.has('before'));
		expect(readings.map(({ path }) => path)).toEqual(['/v2/messages']);
		expect(handles(await process.execute())).toEqual(['a']);
	});

	test('costs one request when nothing is new, however long the history is', async () => {
		for (let at = 0; at < 3_000; at += 1)
			world.service.rows.push(inbound(`old${at}`, START_MS - at * 1_000));
		world.service.rows.reverse();
		const process = await world.started();
		world.service.requests.length = 0;
		expect(await world.check(process)).toEqual([]);
		expect(world.service.requests).toHaveLength(1);
	});
});

test('a start of n8n that cannot reach the service loses nothing: the next check finds the events', async () => {
	await world.started();
	world.service.rows.push(inbound('a', world.nowMs + 1_000));
	world.service.fail(503);
	const process = await world.restarted();
	expect(log.messages('warn').join()).toContain('could not check for events');
	world.service.fail(200);
	expect(handles(await world.check(process))).toEqual(['a']);
});

describe('stopping and publishing', () => {
	test('a workflow that is published again gets the events that it has missed meanwhile', async () => {
		const process = await world.started();
		world.service.rows.push(inbound('missed', world.nowMs + MINUTE_MS));
		world.nowMs += 2 * MINUTE_MS;
		await process.release();
		await process.activate('update');
		expect(handles(await process.execute())).toEqual(['missed']);
	});

	test('polling that is published again while a check hangs goes on where it was', async () => {
		const process = await world.started({ receiveBy: 'polling' });
		world.service.rows.push(inbound('missed', world.nowMs + MINUTE_MS));
		world.nowMs += 2 * MINUTE_MS;
		await process.release();
		process.hang(() => {
			world.nowMs += 2 * MINUTE_MS;
		});
		await process.activate('update');
		expect(handles(await process.execute())).toEqual(['missed']);
	});

	test('new filters count for new events, not for those that old filters left out, also after a restart', async () => {
		const process = await world.started({ filters: { contains: 'hi' } });
		world.service.rows.push(inbound('judged', world.nowMs + 1_000));
		expect(await world.check(process)).toEqual([]);
		world.service.rows.push(inbound('not judged', world.nowMs + 1_000));
		await process.release();
		process.parameters = { filters: { contains: 'hello' } };
		world.nowMs += MINUTE_MS;
		await process.activate('update');
		expect(handles(await process.execute())).toEqual(['not judged']);
		const again = await world.restarted({ filters: { contains: 'hello' } });
		expect(await again.execute()).toEqual([]);
	});

	test('the history of another account brings no events', async () => {
		await world.started();
		world.service.rows.push(inbound('of another', world.nowMs + 1_000));
		const other = { ...world.service.credential, apiKey: 'of_another' };
		const process = await world.restarted({}, other);
		expect(await process.execute()).toEqual([]);
	});

	test('a new key pair for the same account continues the history', async () => {
		world.service.rows.push(inbound('before', world.nowMs));
		await world.started();
		world.service.rows.push(inbound('missed', world.nowMs + 1_000));
		const process = await world.restarted({}, { ...world.service.credential, apiKey: 'pair_2' });
		expect(handles(await process.execute())).toEqual(['missed']);
	});
});

describe('an outbound message (§3.1)', () => {
	const events = { events: ['outbound'] };

	test('comes when it reaches its final state, however long that takes and wherever its row stands', async () => {
		const process = await world.started(events);
		world.service.rows.push(
			outbound('held', 'QUEUED', null),
			outbound('sent', 'SENT', world.nowMs + 1_000),
		);
		expect(handles(await world.check(process))).toEqual(['sent']);
		for (let at = 0; at < 1_500; at += 1) {
			world.service.rows.push(outbound(`m${at}`, 'SENT', world.nowMs + 1_000 + at));
		}
		expect(await world.check(process)).toHaveLength(1_500);
		expect(await world.check(process)).toEqual([]);
		Object.assign(world.service.rows[0] ?? {}, { status: 'ERROR', error_message: 'no route' });
		const items = await world.check(process);
		expect(items).toMatchObject([
			{ event: 'outbound', message_handle: 'held', status: 'ERROR', error_message: 'no route' },
		]);
		expect(await world.check(process)).toEqual([]);
	});

	test('comes after a restart when it was on its way before', async () => {
		world.service.rows.push(outbound('held', 'QUEUED', null));
		await world.started(events);
		const process = await world.restarted(events);
		Object.assign(world.service.rows[0] ?? {}, {
			status: 'SENT',
			date_sent: new Date(world.nowMs).toISOString(),
		});
		expect(handles(await world.check(process))).toEqual(['held']);
	});

	test('that is SENT, and later DELIVERED, is one event', async () => {
		const process = await world.started(events);
		world.service.rows.push(outbound('a', 'SENT', world.nowMs + 1_000));
		expect(handles(await world.check(process))).toEqual(['a']);
		Object.assign(world.service.rows[0] ?? {}, { status: 'DELIVERED' });
		expect(await world.check(process)).toEqual([]);
	});
});

describe('the events of a line (§3.2)', () => {
	const events = { events: ['line_blocked', 'line_unblocked'] };
	const line = (blockedAt: string | null) => ({
		line_handle: 'l1',
		number: '+15550100001',
		label: 'Front desk',
		blocked_at: blockedAt,
	});
	const at = (timeMs: number) => new Date(timeMs).toISOString();
	const lineEvent = (type: string, blockedAt: string | null, createdMs: number) => ({
		id: `evt_${type}_${createdMs}`,
		type,
		created_at: at(createdMs),
		data: { line: { ...line(blockedAt), line_handle: 'line_l1' } },
	});
	const setLine = (blockedAt: string | null) => {
		world.service.lines.splice(0, 1, line(blockedAt));
	};

	beforeEach(() => setLine(null));

	test('come once each by a check, with the fields of the line', async () => {
		const process = await world.started(events);
		const block = at(world.nowMs + 1_000);
		setLine(block);
		expect(await world.check(process)).toEqual([
			{
				event: 'line_blocked',
				event_id: `line_blocked:l1:${world.nowMs - 5 * MINUTE_MS + 1_000}`,
				created_at: block,
				recovered: true,
				...line(block),
			},
		]);
		expect(await world.check(process)).toEqual([]);
		setLine(null);
		expect(await world.check(process)).toMatchObject([
			{ event: 'line_unblocked', line_handle: 'l1' },
		]);
		expect(await world.check(process)).toEqual([]);
	});

	test('do not come for a block that began before the workflow listened', async () => {
		setLine(at(world.nowMs - HOUR_MS));
		const process = await world.started(events);
		expect(await world.check(process)).toEqual([]);
	});

	test('do not come by a check after a webhook brought them, nor by a webhook after a check', async () => {
		const process = await world.started(events);
		const block = world.nowMs + 1_000;
		setLine(at(block));
		await process.receive(lineEvent('line_blocked', at(block), block), SECRET, world.nowMs);
		expect(await process.execute()).toHaveLength(1);
		expect(await world.check(process)).toEqual([]);
		setLine(null);
		await process.receive(lineEvent('line_unblocked', null, block + 9_000), SECRET, world.nowMs);
		expect(await process.execute()).toHaveLength(1);
		expect(await world.check(process)).toEqual([]);

		const later = world.nowMs + 1_000;
		setLine(at(later));
		expect(await world.check(process)).toHaveLength(1);
		await process.receive(lineEvent('line_blocked', at(later), later), SECRET, world.nowMs);
		setLine(null);
		expect(await world.check(process)).toHaveLength(1);
		await process.receive(lineEvent('line_unblocked', null, later + 9_000), SECRET, world.nowMs);
		expect(await process.execute()).toEqual([]);
	});

	test('include the end of a block when a webhook brought the block and none its end', async () => {
		const process = await world.started(events);
		const block = world.nowMs + 1_000;
		await process.receive(lineEvent('line_blocked', at(block), block), SECRET, world.nowMs);
		expect(await process.execute()).toHaveLength(1);
		expect(await world.check(process)).toMatchObject([{ event: 'line_unblocked' }]);
		expect(await world.check(process)).toEqual([]);
	});

	test('include the end of a block that ended while n8n was down', async () => {
		const process = await world.started(events);
		const block = world.nowMs + 1_000;
		setLine(at(block));
		await process.receive(lineEvent('line_blocked', at(block), block), SECRET, world.nowMs);
		expect(await process.execute()).toHaveLength(1);
		expect(await world.check(process)).toEqual([]);
		expect(await world.check(process)).toEqual([]);
		setLine(null);
		const again = await world.restarted(events);
		expect(await again.execute()).toMatchObject([{ event: 'line_unblocked' }]);
	});

	test('include a second block that began between two checks', async () => {
		setLine(at(world.nowMs - HOUR_MS));
		const process = await world.started(events);
		setLine(at(world.nowMs + MINUTE_MS));
		expect(await world.check(process)).toMatchObject([{ event: 'line_blocked' }]);
		expect(await world.check(process)).toEqual([]);
	});

	test('come when they are delivered in the wrong order and twice; a check may bring the end once more', async () => {
		const process = await world.started(events);
		const block = world.nowMs + 1_000;
		const both = [
			lineEvent('line_unblocked', null, block + 5_000),
			lineEvent('line_blocked', at(block), block),
		];
		for (const event of [...both, ...both]) await process.receive(event, SECRET, world.nowMs);
		expect((await process.execute()).map((item) => item.event)).toEqual([
			'line_unblocked',
			'line_blocked',
		]);
		const more = await world.check(process);
		expect(more.every(({ event }) => event === 'line_unblocked')).toBe(true);
		expect(more.length).toBeLessThanOrEqual(1);
		expect(await world.check(process)).toEqual([]);
	});

	test.each([
		['before the next check', false],
		['after the next check', true],
	])(
		'delivered in the wrong order, and again after a kill %s, come: the block once, its end at least once',
		async (_, isChecked) => {
			const before = await world.started(events);
			const block = world.nowMs + 1_000;
			const end = lineEvent('line_unblocked', null, block + 5_000);
			const begin = lineEvent('line_blocked', at(block), block);
			const told: IDataObject[] = [];
			for (const event of [end, begin]) {
				await before.receive(event, SECRET, world.nowMs);
				told.push(...(await before.execute()));
			}
			if (isChecked) told.push(...(await world.check(before)));
			const after = await world.restarted(events);
			told.push(...(await after.execute()));
			for (const event of [begin, end, begin]) {
				await after.receive(event, SECRET, world.nowMs);
				told.push(...(await after.execute()), ...(await world.check(after)));
			}
			expect(told.slice(0, 2)).toMatchObject([
				{ event: 'line_unblocked' },
				{ event: 'line_blocked' },
			]);
			expect(told.filter(({ event }) => event === 'line_blocked')).toHaveLength(1);
			expect(told.length).toBeLessThanOrEqual(4);
		},
	);

	test('come for a block that lasts no millisecond and whose end is delivered first', async () => {
		const process = await world.started(events);
		const block = world.nowMs + 1_000;
		await process.receive(lineEvent('line_unblocked', null, block), SECRET, world.nowMs);
		expect(await process.execute()).toHaveLength(1);
		await process.receive(lineEvent('line_blocked', at(block), block), SECRET, world.nowMs);
		expect(await process.execute()).toMatchObject([{ event: 'line_blocked' }]);
	});

	test('come once for an end in the flat form, which has neither an ID nor a time (§6.3)', async () => {
		const process = await world.started(events);
		const flat = (event: string, blockedAt: string | null) => ({ event, ...line(blockedAt) });
		const block = at(world.nowMs + 1_000);
		await process.receive(flat('line_blocked', block), SECRET, world.nowMs);
		expect(await process.execute()).toHaveLength(1);
		await process.receive(flat('line_unblocked', null), SECRET, world.nowMs);
		expect(await process.execute()).toMatchObject([{ event: 'line_unblocked' }]);
		expect(await world.check(process)).toEqual([]);
		expect(await world.check(process)).toEqual([]);
	});

	test('cost no request where the node does not listen to them', async () => {
		const process = await world.started();
		await world.check(process);
		expect(world.service.requests.some(({ path }) => path === '/v1/lines')).toBe(false);
	});
});

/** Resolves once so many registrations have come: an execution does not wait for its own. */
const registrations = async (count: number) =>
	await waitUntil('a registration', async () => world.service.registered[count - 1]);

/** Resolves once the log says it. */
const logged = async (words: string) =>
	await waitUntil(words, async () => log.messages('warn').join().includes(words) || undefined);

describe('§3.3 the trigger registers again', () => {
	test('when a check finds what a webhook should have brought, and says so in the log', async () => {
		const process = await world.started();
		world.service.rows.push(inbound('a', world.nowMs + 1_000));
		await world.check(process);
		await logged('registered for events again');
	});

	test('at most once an hour', async () => {
		const process = await world.started();
		for (let tick = 0; tick < 13; tick += 1) {
			world.service.rows.push(inbound(`m${tick}`, world.nowMs + 1_000));
			await world.check(process);
		}
		await registrations(3);
		expect(world.service.registered).toHaveLength(3);
	});

	test('but not for an event that came by webhook and has not begun for long', async () => {
		const process = await world.started();
		world.service.rows.push(inbound('a', world.nowMs + 1_000));
		await process.receive(receiveEvent('a'), SECRET, world.nowMs);
		process.queue.length = 0;
		expect(handles(await world.check(process, 2 * HOUR_MS))).toEqual(['a']);
		expect(world.service.registered).toHaveLength(1);
	});

	test('when the service was away at the start, or the API secret was rotated', async () => {
		await world.started();
		const rotated = { ...world.service.credential, apiSecret: 'rotated' };
		world.service.fail(503);
		const process = await world.restarted({}, rotated);
		world.service.fail(200);
		await world.check(process);
		expect(world.service.registered[1]).toMatchObject({ secret: derivedSecret('rotated') });
		expect(await world.check(process)).toEqual([]);
		expect(world.service.registered).toHaveLength(2);
	});

	test('when the API secret is rotated while n8n runs', async () => {
		const process = await world.started();
		world.service.credential.apiSecret = 'rotated';
		expect(await process.receive(receiveEvent('a'), SECRET, world.nowMs)).toBe(200);
		await world.check(process);
		expect(world.service.registered[1]).toMatchObject({ secret: derivedSecret('rotated') });
		await world.check(process);
		expect(world.service.registered).toHaveLength(2);
	});

	test('and a service that refuses does not keep the events of the check back', async () => {
		const process = await world.started();
		world.service.rows.push(inbound('a', world.nowMs + 1_000));
		const { rows } = world.service;
		expect(rows).toHaveLength(1);
		world.service.refuseRegistrations();
		expect(handles(await world.check(process))).toEqual(['a']);
		await logged('could not register for events again');
	});
});

describe('receiving by polling', () => {
	const polling = { receiveBy: 'polling', events: ['receive', 'line_blocked'] };

	test('registers no URL, and brings the same items at once', async () => {
		world.service.lines.push({ line_handle: 'l1', blocked_at: null });
		const process = await world.started(polling);
		world.nowMs += 5 * MINUTE_MS;
		world.service.rows.push(inbound('fresh', world.nowMs - 1));
		world.service.lines[0] = { line_handle: 'l1', blocked_at: new Date(world.nowMs).toISOString() };
		const items = await world.check(process, 0);
		expect(items).toMatchObject([
			{ event: 'receive', message_handle: 'fresh', recovered: false },
			{ event: 'line_blocked', line_handle: 'l1', recovered: false },
		]);
		expect(world.service.registered).toEqual([]);
	});

	test('brings what was missed when it is published again, and nothing from before when a person starts it', async () => {
		const process = await world.started(polling);
		world.service.rows.push(inbound('missed', world.nowMs + 1_000));
		world.nowMs += MINUTE_MS;
		await process.activate('update');
		expect(handles(await process.execute())).toEqual(['missed']);
		await process.release();
		world.service.rows.push(inbound('while off', world.nowMs + 1_000));
		world.nowMs += MINUTE_MS;
		await process.activate('activate');
		expect(process.queue).toEqual([]);
	});

	test('fails the publishing when the service cannot be asked, and no start of n8n', async () => {
		world.service.fail(401);
		// While a workflow is published, n8n shows the message alone.
		await expect(world.started(polling)).rejects.toThrow(
			/key pair\. Check API Key and API Secret in the Two-Way Messaging API credential/,
		);
		await expect(world.restarted(polling)).resolves.toBeDefined();
	});

	test('shows one execution that failed when the service cannot be asked, until a check works again', async () => {
		const process = await world.started(polling);
		for (let times = 0; times < 2; times += 1) {
			world.service.fail(401);
			for (let checks = 0; checks < 3; checks += 1) await process.check();
			const runs = await Promise.all(process.start());
			expect(runs.map(({ error }) => error?.message)).toEqual([
				expect.stringContaining('key pair') as string,
			]);
			world.service.fail(200);
			await process.check();
		}
	});
});

describe('without any check', () => {
	test('the trigger sends no request and finds no event', async () => {
		const process = await world.started({ checkEvery: 0 });
		world.service.rows.push(inbound('a', world.nowMs + 1_000));
		world.service.requests.length = 0;
		expect(await world.check(process)).toEqual([]);
		expect(world.service.requests).toEqual([]);
	});
});
