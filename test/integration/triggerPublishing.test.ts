import { inbound } from './triggerHistory';
import { HistoryWorld, MINUTE_MS, SECRET, handles } from './historyWorld';
import { receiveEvent } from './triggerWorkflow';

let world: HistoryWorld;
beforeEach(async () => (world = await HistoryWorld.start()));
afterEach(async () => await world.service.stop());

test('a publishing that goes on for over a minute brings what no webhook brought', async () => {
	const process = await world.started();
	world.service.rows.push(inbound('missed', world.nowMs + 1_000));
	world.nowMs += 2 * MINUTE_MS;
	await process.release();
	process.parameters = { events: ['receive', 'outbound'] };
	const { registered } = world.service;
	const push = registered.push.bind(registered);
	registered.push = (...more) => {
		world.nowMs += 65_000;
		return push(...more);
	};
	await process.activate('update');
	const items = [...(await process.execute()), ...(await world.check(process))];
	expect(handles(items)).toEqual(['missed']);
});

test('what came since the publishing starts the workflow, also where no check has worked until later', async () => {
	const { service } = world;
	service.rows.push(inbound('before', world.nowMs - 10_000), inbound('undated', null));
	service.fail(503, '/v2/messages');
	const process = await world.started();
	service.rows.push(inbound('since', world.nowMs + 60_000));
	expect(handles(await world.check(process))).toEqual([undefined]);
	service.fail(200);
	service.tellTime(world.nowMs + 5 * MINUTE_MS);
	expect(handles(await world.check(process))).toEqual(['since']);
	expect(handles(await world.check(process))).toEqual([]);
});

test('what a check of before was reading starts nothing once the workflow was stopped and published', async () => {
	const process = await world.started({ checkEvery: 1 });
	const answer = world.service.hold();
	const checking = process.check();
	await process.release();
	world.service.rows.push(inbound('while stopped', world.nowMs));
	world.nowMs += 2 * MINUTE_MS;
	const activating = process.activate('activate');
	answer();
	await Promise.all([activating, checking]);
	expect(handles(await process.execute())).toEqual([]);
});

test('texts without a handle and an ID are two messages, also when they are completed', async () => {
	const process = await world.started({ options: { completeMessages: true } });
	world.service.lines.push({ line_handle: 'l1', number: '+15550100001' });
	for (const content of ['one', 'two']) {
		const flat = { event: 'receive', from: '+15551230001', to: '+15550100001', content };
		await process.receive(flat, SECRET, world.nowMs);
	}
	const items = await process.execute();
	expect(items.map(({ content }) => content).sort()).toEqual(['one', 'two']);
});

test('n8n keeps out no text once its clock, which was ahead at the publishing, is set right', async () => {
	world.service.tellTime(world.nowMs);
	let aheadMs = 120 * MINUTE_MS;
	const clock = { nowMs: () => world.nowMs + aheadMs, sleep: async () => {} };
	Object.assign(world, { clock });
	const process = await world.started();
	aheadMs = 0;
	world.nowMs += 6 * MINUTE_MS;
	world.service.tellTime(world.nowMs);
	await process.check();
	const created = { created_at: new Date(world.nowMs).toISOString() };
	await process.receive({ ...receiveEvent('m1'), ...created }, SECRET, world.nowMs);
	expect(handles(await process.execute())).toEqual(['m1']);
});
