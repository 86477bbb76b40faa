import { log } from '../support/log';
import { waitUntil } from '../support/waitUntil';
import { historyWorld, HOUR_MS, MINUTE_MS, SECRET } from './historyWorld';
import { play } from './scenes';
import { inbound } from './triggerHistory';
import { receiveEvent } from './triggerWorkflow';

const world = historyWorld();

const WAYS = [
	['webhooks that are lost', {}],
	['polling', { receiveBy: 'polling' }],
] as const;

describe.each(WAYS)('by %s', (_way, parameters) => {
	test.each([
		['tells its time', true],
		['does not tell its time', false],
	])(
		'texts go on coming when n8n started with its clock two days ahead, and the service %s',
		async (_, isTelling) => {
			if (isTelling) world.service.tellTime(() => world.nowMs);
			await world.started(parameters);
			world.rows(inbound('before', world.nowMs - HOUR_MS));
			world.aheadMs = 48 * HOUR_MS;
			const process = await world.restarted(parameters);
			await process.execute();
			world.aheadMs = 0;
			for (let hour = 0; hour < 30; hour += 1) {
				world.text(`m${hour}`);
				expect(await world.found(process, HOUR_MS)).toEqual([`m${hour}`]);
			}
		},
	);

	/** Publishes over 600 old texts without a date, and checks each minute; returns what the checks start. */
	const startedByChecks = async (
		backMs: (minute: number) => { n8n?: number; service?: number },
	) => {
		for (let at = 0; at < 600; at += 1) world.rows(inbound(`old${at}`, null));
		const process = await world.started(parameters);
		const started: unknown[] = [];
		for (let minute = 1; minute <= 15; minute += 1) {
			world.nowMs += MINUTE_MS;
			const { n8n = 0, service } = backMs(minute);
			world.aheadMs = -n8n;
			world.service.tellTime(service === undefined ? undefined : world.nowMs - service);
			if (minute === 1 || minute === 3) world.rows(inbound(`new${minute}`, null));
			started.push(...(await world.found(process, 0)));
		}
		return started;
	};

	test.each([
		['n8n’s clock is 5 minutes back for one check', { n8n: 5 * MINUTE_MS }, {}],
		['one check is told a time 10 minutes ago', { service: 10 * MINUTE_MS }, { service: 0 }],
		['one check is told a time 10 minutes ahead', { service: -10 * MINUTE_MS }, { service: 0 }],
	])('no text without a date comes from before publishing when %s', async (_, once, otherwise) => {
		if ('service' in once) world.service.tellTime(world.nowMs);
		const started = await startedByChecks((minute) => (minute === 2 ? once : otherwise));
		expect(started).toEqual(['new1', 'new3']);
	});

	test('texts without a date come when n8n’s clock is set back a day for good', async () => {
		const started = await startedByChecks((minute) => ({ n8n: minute < 2 ? 0 : 24 * HOUR_MS }));
		expect(started).toEqual(['new1', 'new3']);
	});
});

test('a text from while n8n was away comes although n8n’s clock is two days ahead', async () => {
	await world.started();
	world.text('missed');
	world.nowMs += 2 * HOUR_MS;
	world.service.tellTime(world.nowMs);
	world.aheadMs = 48 * HOUR_MS;
	const process = await world.restarted();
	expect(await world.begun(process)).toEqual(['missed']);
	expect(log.messages('warn').join()).not.toContain('left out');
});

test.each(['+48h', '-48h', '+2h'])(
	'what came while the workflow was stopped is known, also where n8n’s clock was ahead by %s',
	async (wrong) =>
		await play(
			world,
			`ahead ${wrong}; tells; publish; stop; wait 1h; publish;
			check: nothing; webhook before@-1h: nothing; webhook since: since;
			ahead 0s; check: nothing; webhook before2@-1h: nothing; webhook since2: since2`,
		),
);

test('nothing is too old that came while the service refused the key pair for 26 hours, by polling', async () => {
	const process = await world.started({ receiveBy: 'polling' });
	world.service.fail(401);
	const texts = Array.from({ length: 26 }, (_, hour) => `m${hour}`);
	for (const text of texts) {
		world.text(text);
		world.nowMs += HOUR_MS;
		await process.check();
	}
	// The execution that says so fails, as it should.
	await Promise.all(process.start());
	world.service.fail(200);
	expect(await world.found(process)).toEqual(texts);
});

test('texts whose messages are being completed as n8n is killed come after its start', async () => {
	const options = { completeMessages: true };
	const killed = await world.started({ options });
	const names = Array.from({ length: 10 }, (_, at) => `b${at}`);
	world.rows(...names.map((name) => inbound(name, world.nowMs)));
	const goOn = world.service.hang();
	const { length } = world.service.requests;
	for (const name of names) await killed.receive(receiveEvent(name), SECRET, world.nowMs);
	void killed.execute().catch(() => undefined);
	await waitUntil('the request for the history', async () => world.service.requests[length]);
	goOn();
	const process = await world.restarted({ options });
	expect(await world.begun(process)).toEqual(names);
});
