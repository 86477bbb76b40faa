import { waitUntil } from '../support/waitUntil';
import { historyWorld, SECRET } from './historyWorld';
import { play, playIn, type Scenes } from './scenes';
import { inbound } from './triggerHistory';
import { receiveEvent } from './triggerWorkflow';

const world = historyWorld();

const SCENES: Scenes = {
	'a text from while n8n was away comes although n8n’s clock is two days ahead':
		'publish; text missed; wait 2h; tells; ahead +48h; kill: missed',
	// The executions that say so fail, as they should.
	'nothing is too old that came while the service was away for 26 hours, by polling': `
		publish receiveBy=polling; away; text first; check 1h; lose; text second; check 25h; lose; back; check: first second`,
};

const HOURS = Array.from({ length: 30 }, (_, hour) => `text m${hour}; check 1h: m${hour}`);

describe.each([
	['webhooks that are lost', 'publish'],
	['polling', 'publish receiveBy=polling'],
])('by %s', (_way, publish) => {
	test.each([
		['tells its time', 'tells'],
		['does not tell its time', 'wait 0s'],
	])(
		'texts go on coming when n8n started with its clock two days ahead, and the service %s',
		async (_, telling) => {
			const start = 'text before@-1h; ahead +48h; kill; begin; ahead 0s';
			await play(world, [telling, publish, start, ...HOURS].join(';'));
		},
	);

	test.each([
		['n8n’s clock is 5 minutes back for one check', 'ahead 0s', 'ahead -5m', 'ahead 0s'],
		['n8n’s clock is set back a day for good', 'ahead 0s', 'ahead -24h', 'ahead -24h'],
		['one check is told a time 10 minutes ago', 'tells', 'tells -10m', 'tells'],
		['one check is told a time 10 minutes ahead', 'tells', 'tells +10m', 'tells'],
	])('of texts without a date those since publishing come when %s', async (_, ...clocks) => {
		const [first, once, then] = clocks;
		const scene = `
			${first}; text old1..600@none; ${publish}; text a@none; check 1m; begin; ${once}; check 1m; begin;
			${then}; text b@none; ${Array(12).fill('check 1m; begin').join(';')}`;
		expect(await play(world, scene)).toEqual(['receive a', 'receive b']);
	});
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

test.each(Object.entries(SCENES))('odd times lose no text: %s', playIn(world));

test('texts whose messages are being completed as n8n is killed come after its start', async () => {
	const options = { completeMessages: true };
	const killed = await world.started({ options });
	const names = Array.from({ length: 10 }, (_, at) => `b${at}`);
	world.rows(...names.map((name) => inbound(name, world.nowMs)));
	const goOn = world.service.hang();
	const { length } = world.service.requests;
	for (const name of names) await killed.receive(receiveEvent(name), SECRET, world.nowMs);
	const running = killed.execute().catch(() => undefined);
	await waitUntil('the request for the history', async () => world.service.requests[length]);
	goOn();
	const process = await world.restarted({ options });
	expect(await world.begun(process)).toEqual(names);
	// What hangs ends with the service.
	await world.stop();
	await running;
});
