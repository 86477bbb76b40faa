import { DataDeduplicationService } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';
import { TestClock } from '../support/testClock';
import { inbound, outbound, startHistory, type HistoryRow } from './triggerHistory';
import { Process, type Database } from './triggerProcess';
import {
	derivedSecret,
	engineWithTrigger,
	receiveEvent,
	handedOver,
	TRIGGER,
	triggerNode,
} from './triggerWorkflow';

const SECRET = derivedSecret('secret_abc');

/** These events have no rows in the history, and would wait for them. */
const AS_THEY_ARE = { options: { completeMessages: false } };

let service: Awaited<ReturnType<typeof startHistory>>;
let database: Database;
let workflows = 0;

beforeEach(async () => {
	service = await startHistory();
	database = { workflowId: `execute-${(workflows += 1)}`, staticData: {} };
});
afterEach(async () => await service.stop());

/** A clock that stands still: a busy machine would look like an n8n that is under pressure. */
const still = (nowMs = Date.now()) => new TestClock(() => nowMs);
const newProcess = (parameters: INodeParameters = AS_THEY_ARE, clock = still()) =>
	new Process(database, service.credential, parameters, clock);
const started = async (parameters: INodeParameters = AS_THEY_ARE, clock?: TestClock) => {
	const process = newProcess(parameters, clock);
	await process.activate('activate');
	return process;
};
const receive = async (process: Process, handle: string) =>
	await process.receive(receiveEvent(handle), SECRET, Date.now());
const table = () => jest.spyOn(DataDeduplicationService.getInstance(), 'checkProcessedAndRecord');

describe('an execution of the trigger', () => {
	test('links each item to the event that it came from', async () => {
		const engine = engineWithTrigger(service.credential);
		const items = ['a', 'b'].map(handedOver);
		const run = await engine.runWorkflow({ nodes: [triggerNode(AS_THEY_ARE)], items });
		expect(run.items(TRIGGER)).toMatchObject([
			{ json: { message_handle: 'a' }, pairedItem: { item: 0 } },
			{ json: { message_handle: 'b' }, pairedItem: { item: 1 } },
		]);
	});

	test('records five hundred events of one moment in few writes', async () => {
		const process = await started({ ...AS_THEY_ARE, checkEvery: 0 });
		const written = table();
		for (let at = 0; at < 500; at += 1) await receive(process, `m${at}`);
		expect(await process.execute()).toHaveLength(500);
		expect(written.mock.calls.length).toBeLessThan(25);
	}, 30_000);
});

test('§6.4 the durable list keeps ten thousand names, also in a process that listens to nothing', async () => {
	const processes = [await started(AS_THEY_ARE), newProcess()];
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

describe('a test in the editor shows what the event leaves out, and its file,', () => {
	const options = { completeMessages: true, downloadMedia: true };
	const picture = (handle: string) => {
		const row = { ...inbound(handle, Date.now()), conversation_handle: 'c1' };
		service.rows.push({ ...row, media_url: `${service.url}/cat.jpg` } as HistoryRow);
	};

	test('of a node that receives by webhook', async () => {
		const process = new Process(database, service.credential, { options });
		picture('a');
		const run = await process.test(receiveEvent('a'), SECRET, Date.now());
		expect(run.json(TRIGGER)).toMatchObject([
			{ conversation_handle: 'c1', media_url: `${service.url}/cat.jpg` },
		]);
		expect(run.items(TRIGGER)[0]?.binary).toHaveProperty('data');
	});

	test('of a node that polls', async () => {
		picture('a');
		const node = triggerNode({ receiveBy: 'polling', options });
		const run = await engineWithTrigger(service.credential).runWorkflow({
			nodes: [node],
			mode: 'manual',
		});
		expect(run.items(TRIGGER)[0]?.binary).toHaveProperty('data');
	});
});

describe('a sample in the editor, for a node that polls', () => {
	const sample = async (parameters: object) => {
		const engine = engineWithTrigger(service.credential);
		const node = triggerNode({ receiveBy: 'polling', ...parameters });
		return await engine.runWorkflow({ nodes: [node], mode: 'manual' });
	};

	test('is the latest event that would have started the workflow', async () => {
		const text = { content: 'The price?' };
		service.rows.push(inbound('a', 1_000, text), inbound('b', 2_000), outbound('c', 'SENT', 3_000));
		expect((await sample({})).json(TRIGGER)).toMatchObject([
			{ event: 'receive', event_id: 'receive:b', recovered: false, message_handle: 'b' },
		]);
		const filtered = await sample({ filters: { contains: 'price' } });
		expect(filtered.json(TRIGGER)).toMatchObject([{ message_handle: 'a' }]);
		const raw = await sample({ options: { simplify: false } });
		expect(raw.json(TRIGGER)).toEqual([service.rows[1]]);
	});

	test('shows the time, sender, receiver and text in its first columns', async () => {
		service.rows.push(inbound('a', 1_000));
		const [item] = (await sample({})).json(TRIGGER);
		expect(Object.keys(item ?? {}).slice(0, 4)).toEqual(['date_sent', 'from', 'to', 'content']);
	});

	test('of a line event shows the line as it is now', async () => {
		service.lines.push({ line_handle: 'l1', number: '+15550100001', blocked_at: null });
		const run = await sample({ events: ['line_unblocked'] });
		expect(run.json(TRIGGER)).toMatchObject([{ event: 'line_unblocked', line_handle: 'l1' }]);
	});

	test('says what to do when there is no event yet', async () => {
		const run = await sample({});
		expect(run.error).toMatchObject({
			message: 'There is no event to show yet',
			description: expect.stringContaining('Text one of your lines') as string,
		});
	});

	test('says what happened when the service cannot be asked', async () => {
		service.fail(401);
		expect((await sample({})).error?.message).toBe('The service did not accept the key pair');
	});
});
