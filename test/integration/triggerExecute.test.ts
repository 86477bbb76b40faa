import { BinaryDataService, DataDeduplicationService } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { TwoWayMessagingTrigger } from '../../nodes/TwoWayMessaging/TwoWayMessagingTrigger.node';
import { startStub, type StubAnswer } from '../support/stub';
import { TestClock } from '../support/testClock';
import { handles, historyWorld, SECRET } from './historyWorld';
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

test('§6.4 the durable list keeps ten thousand names, also in a process that listens to nothing', async () => {
	const processes = [await world.started(), world.newProcess()];
	const written = table();
	for (const [at, process] of processes.entries()) {
		process.queue.push({ items: [handedOver(`m${at}`)], mode: 'trigger' });
		await process.execute();
	}
	const kept = written.mock.calls.flatMap(([, scope, , { maxEntries }]) =>
		scope === 'node' ? [maxEntries] : [],
	);
	expect(kept).toEqual([10_000, 10_000]);
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

test('each of several triggers starts once by a text, also across a restart, in one workflow and in a copy', async () => {
	const memory = new ProcessMemory(new TestClock());
	const begin = async (workflowId: string, id: string, process = memory) => {
		const nodeTypes = [new TwoWayMessagingTrigger(process)];
		const engine = engineWithTrigger(world.service.credential, { nodeTypes, workflowId });
		const node = { ...triggerNode({ options: { completeMessages: false } }), id };
		const run = await engine.runWorkflow({ nodes: [node], items: [handedOver('1')] });
		return handles(run.json(TRIGGER));
	};
	for (const one of ['both one', 'both other', 'original same', 'copy same']) {
		const [workflow = '', node = ''] = one.split(' ');
		expect(await begin(workflow, node)).toEqual(['1']);
		expect(await begin(workflow, node)).toEqual([]);
		expect(await begin(workflow, node, new ProcessMemory(new TestClock()))).toEqual([]);
	}
});

describe('Download Media', () => {
	let files: Awaited<ReturnType<typeof startStub>>;
	let answer: StubAnswer;

	beforeEach(async () => {
		answer = { headers: { 'content-type': 'image/png' }, body: 'a picture' };
		files = await startStub(() => answer);
	});
	afterEach(async () => await files.stop());

	/** The item of a workflow that was sent a picture. */
	const itemFor = async (options: INodeParameters, more: object = {}) => {
		const process = await world.started({ options });
		const event = receiveEvent('a', { media_url: `${files.url}/cat.png`, ...more });
		await process.receive(event, SECRET, world.nowMs);
		const [run] = await Promise.all(process.start());
		return run!.items(TRIGGER)[0]!;
	};

	test('puts the picture into the item, with its name and kind', async () => {
		const { json, binary } = await itemFor({ downloadMedia: true });
		expect(json).toMatchObject({ content: 'hello', media_url: `${files.url}/cat.png` });
		expect(binary).toMatchObject({ data: { fileName: 'cat.png', mimeType: 'image/png' } });
		expect(Buffer.from(binary?.data?.data ?? '', 'base64').toString()).toBe('a picture');
	});

	test('also where the item is the body of the service', async () => {
		const { binary } = await itemFor({ downloadMedia: true, simplify: false });
		expect(binary).toMatchObject({ data: { fileName: 'cat.png' } });
	});

	test('fetches nothing without the option, and nothing for a text', async () => {
		expect(await itemFor({})).not.toHaveProperty('binary');
		const text = { message_handle: 'msg_b', media_url: null };
		expect(await itemFor({ downloadMedia: true }, text)).not.toHaveProperty('binary');
		expect(files.requests).toEqual([]);
	});

	test.each<[string, StubAnswer, string]>([
		['is not there', { status: 404 }, 'not there any more'],
		['is too large', { headers: { 'content-length': '99000000' }, body: 'x' }, 'larger than 25 MB'],
		['cannot be kept by n8n', {}, 'no space left'],
	])('lets the message start the workflow when its file %s, and says why', async (_, said, why) => {
		answer = said;
		const store = jest.spyOn(BinaryDataService.prototype, 'store');
		store.mockRejectedValue(new Error('no space left on device'));
		const { json, binary } = await itemFor({ downloadMedia: true });
		expect(json).toMatchObject({
			content: 'hello',
			media_error: expect.stringContaining(why) as string,
		});
		expect(binary).toBeUndefined();
	});
});
