import { PATHS } from '../../nodes/TwoWayMessaging/contract';
import { turns } from '../support/turns';
import { waitUntil } from '../support/waitUntil';
import { historyWorld, HOUR_MS, MINUTE_MS, SECRET, START_MS } from './historyWorld';
import { inbound, outbound } from './triggerHistory';
import { receiveEvent } from './triggerWorkflow';

const world = historyWorld();

/** An event as the service makes it at a time. */
const made = (handle: string, atMs: number, more = {}) => ({
	...receiveEvent(handle),
	created_at: new Date(atMs).toISOString(),
	...more,
});

describe('a workflow that is published again', () => {
	test('unchanged gets a row that stands behind those that its last check has seen', async () => {
		world.rows(inbound('seen', world.nowMs - 1_000));
		const process = await world.started();
		world.service.rows.unshift(inbound('late', world.nowMs + 1_000));
		await world.publishAgain(process);
		expect(await world.found(process)).toEqual(['late']);
	});

	test('to listen to sent messages as well gets none from before', async () => {
		const process = await world.started();
		world.rows(outbound('before', 'SENT', world.nowMs + 1_000));
		expect(await world.found(process)).toEqual([]);
		await world.publishAgain(process, 'update', {
			parameters: { events: ['receive', 'outbound'] },
		});
		world.rows(outbound('since', 'SENT', world.nowMs + 1_000));
		expect(await world.found(process)).toEqual(['since']);
	});

	test('with new filters gets new events, not those that old filters left out, also after a restart', async () => {
		const process = await world.started({ filters: { contains: 'hi' } });
		world.text('judged');
		expect(await world.found(process)).toEqual([]);
		world.text('by webhook', 'not judged');
		expect(await world.receive(process, receiveEvent('by webhook'))).toEqual([]);
		const parameters = { filters: { contains: 'hello' } };
		await world.publishAgain(process, 'update', { parameters, afterMs: MINUTE_MS });
		expect(await world.begun(process)).toEqual(['not judged']);
		expect(await world.begun(await world.restarted(parameters))).toEqual([]);
	});

	test('polls on where it was while a check hangs, and after a stop begins anew', async () => {
		const process = await world.started({ receiveBy: 'polling', checkEvery: 1 });
		world.text('missed');
		world.nowMs += 2 * MINUTE_MS;
		const answer = world.service.hold();
		const checking = process.check();
		const publishing = world.publishAgain(process);
		await turns();
		world.nowMs += 2 * MINUTE_MS;
		answer();
		await Promise.all([publishing, checking]);
		expect(await world.begun(process)).toEqual(['missed']);
		await process.release();
		world.text('while off');
		world.nowMs += MINUTE_MS;
		await process.activate('activate');
		expect(process.queue).toEqual([]);
	});

	test('loses nothing in the moment in which n8n publishes it, within a minute', async () => {
		const process = await world.started();
		world.nowMs += 2 * HOUR_MS;
		await process.release();
		world.nowMs += MINUTE_MS / 2;
		expect(await world.receive(process, made('meanwhile', world.nowMs - HOUR_MS))).toEqual([
			'meanwhile',
		]);
	});

	test('takes nothing from before in the moment in which n8n publishes it, after a minute', async () => {
		const process = await world.started();
		await process.release();
		world.nowMs += HOUR_MS;
		expect(await world.receive(process, made('off', world.nowMs - HOUR_MS))).toEqual([]);
		expect(await world.receive(process, made('now', world.nowMs))).toEqual(['now']);
	});

	test('for over a minute gets what no webhook brought', async () => {
		const process = await world.started();
		world.text('missed');
		world.nowMs += 2 * MINUTE_MS;
		const { registered } = world.service;
		const push = registered.push.bind(registered);
		registered.push = (...more) => {
			world.nowMs += 65_000;
			return push(...more);
		};
		await world.publishAgain(process, 'update', {
			parameters: { events: ['receive', 'outbound'] },
		});
		const begun = await world.begun(process);
		expect([...begun, ...(await world.found(process))]).toEqual(['missed']);
	});

	test('gets by webhook what came before', async () => {
		world.service.tellTime(() => world.nowMs);
		const process = await world.started();
		world.text('a');
		await world.publishAgain(process, 'update', { afterMs: MINUTE_MS });
		expect(await world.receive(process, made('a', START_MS + 1_000))).toEqual(['a']);
	});
});

test('what came since the publishing starts the workflow, also where no check has worked until later', async () => {
	const { service } = world;
	world.rows(inbound('before', world.nowMs - 10_000), inbound('undated', null));
	service.fail(503, PATHS.messages);
	const process = await world.started();
	world.rows(inbound('since', world.nowMs + MINUTE_MS));
	expect(await world.found(process)).toEqual([undefined]);
	service.fail(200);
	service.tellTime(() => world.nowMs);
	expect(await world.found(process)).toEqual(['since']);
	expect(await world.found(process)).toEqual([]);
});

test('what a check of before was reading starts nothing once the workflow was stopped and published', async () => {
	const process = await world.started({ checkEvery: 1 });
	const answer = world.service.hold();
	const checking = process.check();
	await process.release();
	world.rows(inbound('while stopped', world.nowMs));
	world.nowMs += 2 * MINUTE_MS;
	const activating = process.activate('activate');
	answer();
	await Promise.all([activating, checking]);
	expect(await world.begun(process)).toEqual([]);
});

describe('what came while a person had stopped the workflow', () => {
	/** A workflow that was stopped for an hour, with a service that tells its time. */
	const published = async () => {
		const process = await world.started();
		world.service.tellTime(() => world.nowMs);
		await world.publishAgain(process, 'activate', { afterMs: HOUR_MS });
		return process;
	};

	test.each([
		['at once', undefined],
		['after it was changed and published once more', 'update'],
		['after a restart of n8n', 'init'],
	] as const)(
		'starts nothing when the service delivers it %s, however long the history is',
		async (_, activation) => {
			const sentMs = (at: number) => START_MS + MINUTE_MS + at * 4_000;
			for (let at = 0; at < 700; at += 1) world.rows(inbound(`m${at}`, sentMs(at)));
			let process = await published();
			if (activation === 'update') await world.publishAgain(process);
			if (activation === 'init') process = await world.restarted();
			for (const at of [0, 100, 400, 699]) {
				expect(await world.receive(process, made(`m${at}`, sentMs(at)))).toEqual([]);
			}
			expect(await world.check(process)).toEqual([]);
		},
	);

	test('is not an outcome that the service tells of later, of a message that was sent before (§6.1)', async () => {
		world.service.tellTime(world.nowMs);
		const process = await world.started({ events: ['outbound'] });
		const sent = { event: 'outbound', ...outbound('out', 'SENT', world.nowMs - HOUR_MS) };
		expect(await world.receive(process, sent)).toEqual(['out']);
	});

	const flat = (beforeMs: number) => ({
		event: 'receive',
		...inbound('a', world.nowMs - beforeMs),
	});
	test.each<[string, () => object, unknown[]]>([
		['was made over five seconds before', () => made('a', world.nowMs - 5_001), []],
		['was made with the publishing, as clocks differ', () => made('a', world.nowMs - 5_000), ['a']],
		['was sent before, in the flat form (§6.3)', () => flat(MINUTE_MS), []],
		['was sent since, in the flat form', () => flat(0), ['a']],
		['does not say when it was made', () => made('a', 0, { created_at: undefined }), ['a']],
		['gives a time that is none', () => made('a', 0, { created_at: 'yesterday' }), ['a']],
	])('is told from what came since by the service’s clock: it %s', async (_, event, begun) => {
		const process = await published();
		expect(await world.receive(process, event())).toEqual(begun);
	});

	test('starts the workflow within half an hour where the service does not tell its time', async () => {
		const process = await world.started();
		await world.publishAgain(process, 'activate', { afterMs: HOUR_MS });
		const at = (minutes: number) => made(`${minutes}`, world.nowMs - minutes * MINUTE_MS);
		expect(await world.receive(process, at(29))).toEqual(['29']);
		expect(await world.receive(process, at(31))).toEqual([]);
	});

	test('is known under another key pair, too', async () => {
		const process = await published();
		world.service.credential.apiKey = 'pair_2';
		await world.publishAgain(process);
		expect(await world.receive(process, made('any', START_MS))).toEqual([]);
	});

	test('is known by the time of its own service only', async () => {
		await published();
		world.service.credential.baseUrl += '/other';
		const process = await world.restarted();
		expect(await world.receive(process, made('any', START_MS))).toEqual(['any']);
	});

	test('is not what a wrong time says of a text: a check finds its row', async () => {
		const process = await published();
		world.text('now');
		expect(await world.receive(process, made('now', world.nowMs - HOUR_MS))).toEqual([]);
		expect(await world.found(process)).toEqual(['now']);
	});

	test('is not what n8n has in hand, whose execution was lost, where there are no checks', async () => {
		const process = await world.started({ checkEvery: 0 });
		await process.receive(made('a', world.nowMs), SECRET, world.nowMs);
		process.queue.length = 0;
		world.service.tellTime(() => world.nowMs);
		await world.publishAgain(process, 'activate', { afterMs: MINUTE_MS });
		expect(await world.receive(process, made('a', START_MS))).toEqual(['a']);
	});

	test('is not what comes as it is published: that starts it, by webhook', async () => {
		const process = await world.started();
		await process.release();
		world.nowMs += MINUTE_MS;
		world.rows(inbound('just now', world.nowMs - 1_000));
		world.service.tellTime(world.nowMs);
		await process.activate('activate');
		const event = made('just now', world.nowMs - 1_000);
		expect(await world.receive(process, event)).toEqual(['just now']);
	});

	test.each([
		['has no date', null],
		['says an earlier time', -MINUTE_MS],
	])('is not what comes while the first check reads a history whose row %s', async (_, dateMs) => {
		const process = await world.started();
		await process.release();
		world.nowMs += HOUR_MS;
		world.rows(inbound('old', world.nowMs - 2 * MINUTE_MS));
		world.rows(inbound('now', dateMs === null ? null : world.nowMs + dateMs));
		const goOn = world.service.hold();
		world.service.requests.length = 0;
		const activated = process.activate('activate');
		world.service.tellTime(world.nowMs);
		const isReading = () => world.service.requests.some(({ path }) => path === PATHS.messages);
		await waitUntil('the first check', async () => isReading() || undefined);
		await process.receive(made('now', world.nowMs), SECRET, world.nowMs);
		goOn();
		await activated;
		expect(await world.begun(process)).toEqual(['now']);
		expect(await world.found(process)).toEqual([]);
	});
});
