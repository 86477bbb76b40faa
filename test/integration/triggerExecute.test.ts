import { DataDeduplicationService } from 'n8n-core';
import { log } from '../support/log';
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
const DAY_MS = 24 * 60 * 60_000;

let service: Awaited<ReturnType<typeof startHistory>>;
let database: Database;
let workflows = 0;

beforeEach(async () => {
	service = await startHistory();
	database = { workflowId: `execute-${(workflows += 1)}`, staticData: {} };
	log.clear();
});
afterEach(async () => await service.stop());

/** A clock that stands still: a busy machine would look like an n8n that is under pressure. */
const still = (nowMs = Date.now()) => new TestClock(() => nowMs);
const newProcess = (parameters = {}, clock = still()) =>
	new Process(database, service.credential, parameters, clock);
const started = async (parameters = {}, clock?: TestClock) => {
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
		const items = ['a', 'b'].map((name) => handedOver(name, { n: name }));
		const run = await engine.runWorkflow({ nodes: [triggerNode()], items });
		expect(run.items(TRIGGER)).toEqual([
			{ json: { n: 'a' }, pairedItem: { item: 0 } },
			{ json: { n: 'b' }, pairedItem: { item: 1 } },
		]);
	});

	test('records five hundred events of one moment in few writes', async () => {
		const process = await started({ pollTimes: {} });
		const written = table();
		for (let at = 0; at < 500; at += 1) await receive(process, `m${at}`);
		expect(await process.execute()).toHaveLength(500);
		expect(written.mock.calls.length).toBeLessThan(25);
	}, 30_000);

	test('lets each event begin once when the table cannot be written, and says so in the log', async () => {
		const process = await started();
		table().mockRejectedValue(new Error('database is locked'));
		for (const handle of ['a', 'b', 'a']) await receive(process, handle);
		process.queue.push(...process.queue.slice(0, 1));
		expect(await process.execute()).toHaveLength(2);
		expect(log.messages('error').join()).toContain('database is locked');
	});

	test('that a person retries outputs its items again, and no check brings them once more', async () => {
		const process = await started();
		service.rows.push(inbound('a', Date.now()));
		await receive(process, 'a');
		const [execution] = process.queue;
		expect(await process.execute()).toHaveLength(1);
		process.queue.push({ items: execution?.items ?? [], mode: 'retry' });
		expect(await process.execute()).toHaveLength(1);
	});

	test('that a person retries leaves out what was only lent to it: another execution has begun it', async () => {
		const process = await started();
		await receive(process, 'a');
		const own = process.queue[0]?.items ?? [];
		const lent = own.map(({ json }) => ({
			json: { ...json, name: 'receive:lent', isSpare: true },
		}));
		process.queue.splice(0, 1, { items: [...own, ...lent], mode: 'retry' });
		expect(await process.execute()).toHaveLength(1);
	});

	test('that tests the workflow in the editor writes nothing into the table', async () => {
		const process = await started();
		const written = table();
		await receive(process, 'a');
		const [execution] = process.queue;
		process.queue[0] = { items: execution?.items ?? [], mode: 'manual' };
		expect(await process.execute()).toHaveLength(1);
		expect(written).not.toHaveBeenCalled();
	});
});

describe('where executions run in another process (queue mode)', () => {
	test('an event that a webhook and a check both hand over begins once, by the durable list', async () => {
		const main = await started();
		const webhooks = newProcess();
		const worker = newProcess();
		service.rows.push(inbound('a', Date.now() - 60_000), inbound('b', Date.now() - 60_000));
		await receive(webhooks, 'a');
		worker.queue.push(...webhooks.queue);
		expect(await worker.execute()).toMatchObject([{ message_handle: 'a' }]);
		await main.check();
		expect(main.queue.map(({ items }) => items.length)).toEqual([1, 1]);
		worker.queue.push(...main.queue);
		expect(await worker.execute()).toMatchObject([{ message_handle: 'b', recovered: true }]);
	});

	test('a check hands an event over twice, and no more, when no execution begins in its process', async () => {
		let nowMs = Date.now();
		const main = await started({}, new TestClock(() => nowMs));
		service.rows.push(inbound('a', nowMs + 1_000));
		const handed: number[] = [];
		for (let tick = 0; tick < 6; tick += 1) {
			nowMs += 5 * 60_000;
			handed.push((await main.check()).length);
		}
		expect(handed).toEqual([1, 1, 0, 0, 0, 0]);
	});
});

describe('the durable list keeps', () => {
	const entriesKept = (written: ReturnType<typeof table>) =>
		written.mock.calls.flatMap(([, scope, , { maxEntries }]) =>
			scope === 'node' ? [maxEntries] : [],
		);

	test('a hundred thousand names, as long as the process does not know how many events have begun', async () => {
		service.fail(401);
		const written = table();
		const process = newProcess();
		await receive(process, 'a');
		await process.execute();
		expect(entriesKept(written)).toEqual([100_000]);
	});

	test('§6.4 the names of all events of eight days, and five thousand more', async () => {
		let nowMs = Date.now();
		const process = await started({}, new TestClock(() => nowMs));
		const written = table();
		const begin = async (count: number, prefix: string) => {
			const items = Array.from({ length: count }, (_, at) => handedOver(`${prefix}${at}`));
			process.queue.push({ items, mode: 'trigger' });
			await process.execute();
		};
		await begin(7_000, 'a');
		nowMs += 4 * DAY_MS;
		await begin(1_000, 'b');
		nowMs += 5 * DAY_MS;
		await begin(1, 'c');
		expect(entriesKept(written)).toEqual([12_000, 13_000, 6_001]);
	});

	test('the same after a restart, as what has begun is counted in what is saved', async () => {
		const process = await started();
		const items = Array.from({ length: 7_000 }, (_, at) => handedOver(`a${at}`));
		process.queue.push({ items, mode: 'trigger' });
		await process.execute();
		await process.check();
		const again = newProcess();
		await again.activate('init');
		const written = table();
		await receive(again, 'b');
		await again.execute();
		expect(entriesKept(written)).toEqual([12_001]);
	});

	test('a redelivery after thousands of other events and a restart starts nothing', async () => {
		const process = await started();
		const items = Array.from({ length: 5_200 }, (_, at) => handedOver(`receive:m${at}`));
		process.queue.push({ items, mode: 'trigger' });
		await process.execute();
		await process.check();
		const again = newProcess();
		await again.activate('init');
		await receive(again, 'other');
		await again.execute();
		await receive(again, 'm0');
		expect(await again.execute()).toEqual([]);
	});

	test('a hundred thousand names in a worker, which receives neither webhooks nor checks', async () => {
		const written = table();
		const worker = newProcess();
		worker.queue.push({ items: [handedOver('a')], mode: 'webhook' });
		await worker.execute();
		expect(entriesKept(written)).toEqual([100_000]);
	});
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
