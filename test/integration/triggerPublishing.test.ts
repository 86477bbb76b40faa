import { PATHS } from '../../nodes/TwoWayMessaging/contract';
import { turns } from '../support/turns';
import { waitUntil } from '../support/waitUntil';
import { historyWorld, HOUR_MS, MINUTE_MS, SECRET } from './historyWorld';
import { playIn, type Scenes } from './scenes';
import { inbound, outbound } from './triggerHistory';
import { receiveEvent } from './triggerWorkflow';

const world = historyWorld();

/** An event as the service makes it at a time. */
const made = (handle: string, atMs: number, more = {}) => ({
	...receiveEvent(handle),
	created_at: new Date(atMs).toISOString(),
	...more,
});

const AGAIN: Scenes = {
	'unchanged gets a row that stands behind those that its last check has seen':
		'text seen; publish; behind late; change; check: late',
	'to listen to sent messages as well gets none from before': `
		publish; ours before SENT; check: nothing;
		change events=["receive","outbound"]; wait 1s; ours since SENT; check: since`,
	'with new filters gets new events, not those that old filters left out, also after a restart': `
		publish filters.contains=hi; text judged; check: nothing; text brought not-judged; webhook brought: nothing;
		wait 1m; change filters.contains=hello: not-judged; kill: nothing`,
	'loses nothing in the moment in which n8n publishes it, within a minute':
		'publish; wait 2h; stop; wait 30s; webhook meanwhile@-1h: meanwhile',
	'gets by webhook what came before': 'publish; tells; text a; stop; wait 1m; change; webhook a: a',
	'gets what came while the history could not be read':
		'publish; stop; away; text meanwhile; change filters.contains=hello; back; check: meanwhile',
	'with a new trigger gets what comes from then on, also while the service is away':
		'text before; tells; wait 1m; away; change receiveBy=polling; wait 10s; text meanwhile; back; check: meanwhile',
};

test.each(Object.entries(AGAIN))('a workflow that is published again %s', playIn(world));

describe('a workflow that is published again', () => {
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

test('a process that leaves a workflow to another one still takes what webhooks bring', async () => {
	world.service.tellTime(() => world.nowMs);
	const process = await world.started();
	await process['stopListening']();
	world.nowMs += 3 * MINUTE_MS;
	expect(await world.receive(process, made('a', world.nowMs - MINUTE_MS))).toEqual(['a']);
});

const HISTORY = 'publish; tells; stop; text m1..700; wait 1h; publish';
const DELIVERED = 'webhook m1 m100 m400 m700: nothing; check: nothing';
const STOPPED: Scenes = {
	'starts nothing when it is delivered at once, however long the history is': `${HISTORY}; ${DELIVERED}`,
	'starts nothing when it is delivered after one more publishing': `${HISTORY}; change; ${DELIVERED}`,
	'starts nothing when it is delivered after a restart of n8n': `${HISTORY}; kill; ${DELIVERED}`,
	'starts nothing when the node was off in a published workflow':
		'publish; tells; wait 10m; stop; wait 1h; text off; wait 1h; change; webhook off: nothing; check: nothing',
	'starts nothing when checks are switched on later':
		'tells; publish checkEvery=0; ours o SENT; wait 2h; change events=["receive","outbound"] checkEvery=5: nothing; check: nothing',
	'starts the workflow within half an hour where the service does not tell its time':
		'publish; stop; wait 1h; publish; webhook a@-29m: a; webhook b@-31m: nothing',
	'is known under another key pair, too':
		'publish; tells; stop; wait 1h; publish; credential apiKey=pair_2; change; webhook any@-1h: nothing',
	'is not what a wrong time says of a text: a check finds its row':
		'publish; tells; stop; wait 1h; publish; text now; webhook now@-1h: nothing; check: now',
	'is not what n8n has in hand, whose execution was lost, where there are no checks': `
		publish checkEvery=0; webhook a; lose; tells; stop; wait 1m; publish; webhook a@-1m: a`,
	'is not what comes as it is published: that starts it, by webhook':
		'publish; stop; wait 1m; text now; tells; publish; webhook now: now',
};
test.each(Object.entries(STOPPED))('what came while a workflow was stopped %s', playIn(world));

describe('what came while a person had stopped the workflow', () => {
	/** A workflow that was stopped for an hour, with a service that tells its time. */
	const published = async () => {
		const process = await world.started();
		world.service.tellTime(() => world.nowMs);
		await world.publishAgain(process, 'activate', { afterMs: HOUR_MS });
		return process;
	};

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
