import { DataDeduplicationService } from 'n8n-core';
import { DAY_MS } from '../support/times';
import { historyWorld, SECRET } from './historyWorld';
import { inbound, outbound } from './triggerHistory';
import {
	engineWithTrigger,
	handedOver,
	receiveEvent,
	TRIGGER,
	triggerNode,
} from './triggerWorkflow';

const world = historyWorld();

const table = () => jest.spyOn(DataDeduplicationService.getInstance(), 'checkProcessedAndRecord');

describe('an execution of the trigger', () => {
	test('links each item to the event that it came from', async () => {
		const engine = engineWithTrigger(world.service.credential);
		const nodes = [triggerNode({ options: { completeMessages: false } })];
		const run = await engine.runWorkflow({ nodes, items: ['a', 'b'].map(handedOver) });
		expect(run.items(TRIGGER)).toMatchObject([
			{ json: { message_handle: 'a' }, pairedItem: { item: 0 } },
			{ json: { message_handle: 'b' }, pairedItem: { item: 1 } },
		]);
	});

	test('records five hundred events of one moment in few writes', async () => {
		const process = await world.started({ checkEvery: 0 });
		const written = table();
		for (let at = 0; at < 500; at += 1) {
			await process.receive(receiveEvent(`m${at}`), SECRET, world.nowMs);
		}
		expect(await process.execute()).toHaveLength(500);
		expect(written.mock.calls.length).toBeLessThan(25);
	}, 30_000);
});

describe('the durable list keeps', () => {
	const entriesKept = (written: ReturnType<typeof table>) =>
		written.mock.calls.flatMap(([, scope, , { maxEntries }]) =>
			scope === 'node' ? [maxEntries ?? 0] : [],
		);

	test('a hundred thousand names, as long as the process does not know how many events have begun', async () => {
		world.service.fail(401);
		const written = table();
		await world.receive(world.newProcess(), receiveEvent('a'));
		expect(entriesKept(written)).toEqual([100_000]);
	});

	test('§6.4 the names of all events of eight days at least, and five thousand more', async () => {
		const process = await world.started();
		const written = table();
		for (const [count, day, name] of [
			[7_000, 0, 'a'],
			[1_000, 4, 'b'],
			[1, 5, 'c'],
		] as const) {
			world.nowMs += day * DAY_MS;
			const items = Array.from({ length: count }, (_, at) => handedOver(`${name}${at}`));
			process.queue.push({ items, mode: 'trigger' });
			await process.execute();
		}
		const least = [12_000, 13_000, 6_001];
		const kept = entriesKept(written).map((count, at) => Math.min(count, least[at] ?? 0));
		expect(kept).toEqual(least);
	});
});

describe('in the editor', () => {
	/** What a test of a node that polls shows. */
	const sample = async (parameters: object = {}) =>
		await engineWithTrigger(world.service.credential).runWorkflow({
			nodes: [triggerNode({ receiveBy: 'polling', ...parameters })],
			mode: 'manual',
		});

	test('a test shows what the event leaves out, and its file, by webhook and polling', async () => {
		const options = { completeMessages: true, downloadMedia: true };
		const media_url = `${world.service.url}/cat.jpg`;
		world.rows({ ...inbound('a', world.nowMs, { media_url }), ...{ conversation_handle: 'c1' } });
		const process = await world.started({ options });
		const byWebhook = await process.test(receiveEvent('a'), SECRET, world.nowMs);
		for (const run of [byWebhook, await sample({ options })]) {
			expect(run.json(TRIGGER)).toMatchObject([{ conversation_handle: 'c1', media_url }]);
			expect(run.items(TRIGGER)[0]?.binary).toHaveProperty('data');
		}
	});

	test('a sample is the latest event that would have started the workflow, the time and text first', async () => {
		const text = { content: 'The price?' };
		world.rows(inbound('a', 1_000, text), inbound('b', 2_000), outbound('c', 'SENT', 3_000));
		const items = (await sample()).json(TRIGGER);
		expect(items).toMatchObject([
			{ event: 'receive', event_id: 'receive:b', recovered: false, message_handle: 'b' },
		]);
		expect(Object.keys(items[0]!).slice(0, 4)).toEqual(['date_sent', 'from', 'to', 'content']);
		const filtered = await sample({ filters: { contains: 'price' } });
		expect(filtered.json(TRIGGER)).toMatchObject([{ message_handle: 'a' }]);
		const raw = await sample({ options: { simplify: false } });
		expect(raw.json(TRIGGER)).toEqual([world.service.rows[1]]);
	});

	test('a sample of a line event shows the line as it is now', async () => {
		world.service.lines.push({ line_handle: 'l1', number: '+15550100001', blocked_at: null });
		const run = await sample({ events: ['line_unblocked'] });
		expect(run.json(TRIGGER)).toMatchObject([{ event: 'line_unblocked', line_handle: 'l1' }]);
	});

	test('no sample says what to do where there is no event yet, or the service cannot be asked', async () => {
		expect((await sample()).error).toMatchObject({
			message: 'There is no event to show yet',
			description: expect.stringContaining('Text one of your lines') as string,
		});
		world.service.fail(401);
		expect((await sample()).error?.message).toBe('The service did not accept the key pair');
	});
});
