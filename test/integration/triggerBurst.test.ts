import fc from 'fast-check';
import { DataDeduplicationService } from 'n8n-core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Run } from '../support/executions';
import { inbound, startHistory } from './triggerHistory';
import { Process, type Database } from './triggerProcess';
import {
	derivedSecret,
	engineWithTrigger,
	receiveEvent,
	TRIGGER,
	triggerNode,
} from './triggerWorkflow';
import { VirtualTime } from './virtualTime';

const SECRET = derivedSecret('secret_abc');
const START_MS = Date.UTC(2026, 0, 1);
const SECOND_MS = 1_000;
const OPTIONS = { options: { combineSeconds: 5 } };

let time: VirtualTime;
let service: Awaited<ReturnType<typeof startHistory>>;
let database: Database;
let workflows = 0;
const started: Listening[] = [];

/** Runs of the property; a failing seed is printed by fast-check. */
const RUNS = Number(process.env.TRIGGER_RUNS ?? 60);

beforeEach(async () => {
	time = new VirtualTime(START_MS);
	service = await startHistory();
	database = { workflowId: `burst-${(workflows += 1)}`, staticData: {} };
});
afterEach(async () => {
	for (const n8n of started.splice(0)) await n8n.stop();
	await service.stop();
});

/** A process of n8n and what the workflow got in it. */
class Listening {
	readonly items: IDataObject[] = [];

	readonly runs: Run[] = [];

	private stopping = new AbortController();

	private constructor(readonly process: Process) {
		started.push(this);
	}

	static async start(
		activation: 'activate' | 'init' = 'activate',
		parameters: INodeParameters = OPTIONS,
	): Promise<Listening> {
		const process = new Process(database, service.credential, parameters, time);
		await process.activate(activation);
		return new Listening(process);
	}

	/** Starts a process in which texts wait. */
	static async startWith(...handles: string[]): Promise<Listening> {
		const n8n = await Listening.start();
		for (const handle of handles) await n8n.text(handle);
		return n8n;
	}

	/** A customer texts, the webhook brings it, and its execution begins. */
	async text(handle: string, message: object = {}): Promise<void> {
		service.rows.push(inbound(handle, time.nowMs(), { content: handle, ...message }));
		await this.webhook(handle, message);
	}

	async webhook(handle: string, message: object = {}): Promise<void> {
		const event = {
			...receiveEvent(handle, { text: handle, ...message }),
			created_at: new Date(time.nowMs()).toISOString(),
		};
		expect(await this.process.receive(event, SECRET, time.nowMs())).toBe(200);
		await this.run();
	}

	async check(): Promise<number> {
		const items = await this.process.check();
		await this.run();
		return items?.length ?? 0;
	}

	/** Lets the executions begin that wait in the queue. */
	async run(): Promise<void> {
		for (const started of this.process.start(undefined, this.stopping.signal)) {
			const ended = started.then((run) => {
				this.runs.push(run);
				if (run.status === 'success') this.items.push(...run.json(TRIGGER));
			});
			void time.watch(ended);
		}
		await time.settle();
	}

	/** Stops every execution, as n8n's Stop button does. After a kill nothing else happens either. */
	async stop(): Promise<void> {
		this.stopping.abort();
		this.stopping = new AbortController();
		// An execution that waits looks regularly whether it was stopped.
		await time.pass(SECOND_MS / 5);
	}

	get contents() {
		return this.items.map(({ content }) => content);
	}
}

const tableWrites = () =>
	jest.spyOn(DataDeduplicationService.getInstance(), 'checkProcessedAndRecord').mock;

describe('short texts of one conversation', () => {
	test('start the workflow with one item, when no more of them have come for the time that is set', async () => {
		const n8n = await Listening.start();
		for (const handle of ['Hi', 'are you open', 'tomorrow?']) {
			await n8n.text(handle);
			await time.pass(4 * SECOND_MS);
		}
		expect(n8n.items).toEqual([]);
		await time.pass(SECOND_MS);
		expect(n8n.items).toMatchObject([
			{
				event: 'receive',
				message_handle: 'tomorrow?',
				content: 'Hi\nare you open\ntomorrow?',
				recovered: false,
				messages: [
					{ message_handle: 'Hi' },
					{ message_handle: 'are you open' },
					{ message_handle: 'tomorrow?' },
				],
			},
		]);
	});

	test('wait in one execution: the others end at once, without an item', async () => {
		const n8n = await Listening.startWith('a');
		for (const handle of ['b', 'c']) await n8n.text(handle);
		expect(n8n.runs.map((run) => run.items(TRIGGER))).toEqual([[], []]);
		for (const run of n8n.runs) {
			expect(run.data[TRIGGER]?.[0]?.hints).toEqual([
				expect.objectContaining({ message: expect.stringContaining('joined an earlier one') }),
			]);
		}
		await time.pass(5 * SECOND_MS);
		expect(n8n.runs.map((run) => run.items(TRIGGER).length)).toEqual([0, 0, 1]);
	});

	test('become another item when they come after the end of the wait', async () => {
		const n8n = await Listening.startWith('a');
		await time.pass(5 * SECOND_MS);
		await n8n.text('b');
		await time.pass(5 * SECOND_MS);
		expect(n8n.contents).toEqual(['a', 'b']);
	});

	test('wait for two minutes at most, even if more keep coming', async () => {
		const n8n = await Listening.start();
		for (let second = 0; second <= 120; second += 4) {
			await n8n.text(`${second}`);
			await time.pass(4 * SECOND_MS);
		}
		expect(n8n.contents).toHaveLength(1);
		expect(n8n.items[0]?.messages).toHaveLength(30);
	});

	test('do not wait for the texts of another customer or another line', async () => {
		const n8n = await Listening.startWith('a');
		await n8n.text('b', { from: '+15551230002' });
		await n8n.text('c', { to: '+15550100002' });
		await time.pass(5 * SECOND_MS);
		expect(n8n.contents.sort()).toEqual(['a', 'b', 'c']);
	});

	test('start the workflow one by one, at once, where the option is not set', async () => {
		const n8n = await Listening.start('activate', {});
		for (const handle of ['a', 'b']) await n8n.text(handle);
		expect(n8n.contents).toEqual(['a', 'b']);
		expect(n8n.items[0]).not.toHaveProperty('messages');
	});
});

test('events other than texts do not wait', async () => {
	const n8n = await Listening.start('activate', { ...OPTIONS, events: ['receive', 'outbound'] });
	const event = {
		...receiveEvent('sent', { status: 'sent', direction: 'outbound' }),
		type: 'outbound',
	};
	await n8n.process.receive(event, SECRET, time.nowMs());
	await n8n.run();
	expect(n8n.items).toMatchObject([{ event: 'outbound', message_handle: 'sent' }]);
});

describe('no text is lost and none comes twice', () => {
	test('texts begin only after the wait, and all at once', async () => {
		const n8n = await Listening.start();
		const writes = tableWrites();
		for (const handle of ['a', 'b']) await n8n.text(handle);
		expect(writes.calls).toEqual([]);
		await time.pass(5 * SECOND_MS);
		expect(writes.calls.map(([keys]) => keys)).toEqual([['receive:a', 'receive:b']]);
	});

	test('after a kill during the wait, all texts come, together and once', async () => {
		const killed = await Listening.startWith('a', 'b', 'c');
		await killed.stop();
		await time.pass(60 * SECOND_MS);

		const n8n = await Listening.start('init');
		await n8n.run();
		expect(n8n.items).toMatchObject([{ content: 'a\nb\nc', recovered: true }]);
		await n8n.webhook('b');
		await time.pass(10 * SECOND_MS);
		expect(await n8n.check()).toBe(0);
		expect(n8n.contents).toEqual(['a\nb\nc']);
	});

	test('after a kill behind the wait, no text comes again', async () => {
		const killed = await Listening.startWith('a', 'b');
		await time.pass(5 * SECOND_MS);
		expect(killed.contents).toEqual(['a\nb']);

		const n8n = await Listening.start('init');
		await n8n.run();
		expect(n8n.items).toEqual([]);
	});

	test('a check hands over no text that waits, and a later check still finds it', async () => {
		const killed = await Listening.start();
		for (let second = 0; second <= 90; second += 3) {
			await killed.text(`${second}`);
			await time.pass(3 * SECOND_MS);
			if (second % 30 === 0) expect(await killed.check()).toBe(0);
		}
		expect(killed.items).toEqual([]);
		await killed.stop();

		const n8n = await Listening.start('init');
		await n8n.run();
		expect(n8n.items[0]?.messages).toHaveLength(31);
	});

	test('a check leaves a text alone that an earlier process accepted and that waits in this one', async () => {
		const killed = await Listening.start();
		service.rows.push(inbound('a', time.nowMs() + SECOND_MS, { content: 'a' }));
		await killed.process.receive(receiveEvent('a'), SECRET, time.nowMs());
		const n8n = await Listening.start('init');
		n8n.process.queue.splice(0, 1, ...killed.process.queue);
		await n8n.run();
		await time.pass(SECOND_MS);
		expect(await n8n.check()).toBe(0);
		await time.pass(5 * SECOND_MS);
		expect(n8n.items).toHaveLength(1);
	});

	test('texts that wait while a person stops and publishes the workflow start it when the wait ends', async () => {
		const n8n = await Listening.start();
		for (const handle of ['a', 'b']) {
			await n8n.text(handle);
			await time.pass(4 * SECOND_MS);
		}
		await n8n.process.release();
		await n8n.process.activate('activate');
		await time.pass(5 * SECOND_MS);
		expect(n8n.contents).toEqual(['a\nb']);
		await time.pass(600 * SECOND_MS);
		expect(await n8n.check()).toBe(0);
	});

	test('texts that waited while the workflow was stopped and published come after a kill', async () => {
		const killed = await Listening.startWith('a', 'b');
		await killed.process.release();
		await time.pass(2 * SECOND_MS);
		await killed.process.activate('activate');
		await killed.stop();
		await time.pass(60 * SECOND_MS);
		const n8n = await Listening.start('init');
		await n8n.run();
		expect(n8n.contents).toEqual(['a\nb']);
	});

	test('a text that is delivered again while it waits starts no execution', async () => {
		const n8n = await Listening.startWith('a');
		await n8n.webhook('a');
		expect(n8n.runs).toEqual([]);
		await time.pass(5 * SECOND_MS);
		expect(n8n.contents).toEqual(['a']);
	});

	test('a text that has begun does not wait when it is handed over once more', async () => {
		const n8n = await Listening.start();
		await n8n.process.receive(receiveEvent('a'), SECRET, time.nowMs());
		const [execution] = n8n.process.queue;
		await n8n.run();
		await time.pass(5 * SECOND_MS);
		if (execution) n8n.process.queue.push(execution);
		await n8n.run();
		expect(n8n.runs.map((run) => run.items(TRIGGER).length)).toEqual([1, 0]);
	});

	test('the texts of an execution that is stopped come with the next text', async () => {
		const n8n = await Listening.startWith('a', 'b');
		await n8n.stop();
		expect(n8n.runs.map(({ status }) => status)).toEqual(['success', 'canceled']);

		await n8n.text('c');
		await time.pass(5 * SECOND_MS);
		expect(n8n.contents).toEqual(['a\nb\nc']);
		await time.pass(60 * SECOND_MS);
		expect(await n8n.check()).toBe(0);
	});

	test('the texts of an execution that is stopped come with the next check', async () => {
		const n8n = await Listening.startWith('a', 'b');
		await n8n.stop();
		await time.pass(60 * SECOND_MS);

		expect(await n8n.check()).toBe(2);
		expect(n8n.contents).toEqual(['a\nb']);
		await n8n.text('c');
		await time.pass(5 * SECOND_MS);
		expect(n8n.contents).toEqual(['a\nb', 'c']);
	});
});

describe('the texts that a check brings', () => {
	const missed = (handle: string, message: object = {}) =>
		service.rows.push(inbound(handle, time.nowMs(), { content: handle, ...message }));

	test('are one item for each conversation, at once', async () => {
		const n8n = await Listening.start();
		await time.pass(SECOND_MS);
		missed('a');
		missed('b', { from: '+15551230002' });
		missed('c');
		await time.pass(60 * SECOND_MS);
		expect(await n8n.check()).toBe(3);
		expect(n8n.items).toMatchObject([
			{ content: 'a\nc', recovered: true },
			{ content: 'b', recovered: true },
		]);
	});

	test('join the texts of their conversation that wait, in the order in which they were written', async () => {
		const n8n = await Listening.start();
		await time.pass(SECOND_MS);
		missed('a');
		await time.pass(31 * SECOND_MS);
		await n8n.text('b');
		expect(await n8n.check()).toBe(1);
		expect(n8n.items).toEqual([]);
		await time.pass(5 * SECOND_MS);
		expect(n8n.contents).toEqual(['a\nb']);
	});

	test('are one item where the node receives by polling', async () => {
		const n8n = await Listening.start('activate', { ...OPTIONS, receiveBy: 'polling' });
		await time.pass(SECOND_MS);
		for (const handle of ['a', 'b']) missed(handle);
		await time.pass(SECOND_MS);
		expect(await n8n.check()).toBe(2);
		expect(n8n.items).toMatchObject([{ content: 'a\nb', recovered: false }]);
	});
});

describe('in the editor', () => {
	test('a text shows at once, in the form in which the workflow gets it', async () => {
		const n8n = await Listening.start();
		await n8n.process.receive(receiveEvent('a'), SECRET, time.nowMs());
		const [execution] = n8n.process.queue;
		n8n.process.queue[0] = { items: execution?.items ?? [], mode: 'manual' };
		await n8n.run();
		expect(n8n.items).toMatchObject([{ message_handle: 'a', messages: [{ message_handle: 'a' }] }]);
	});

	test('a sample has the form in which the workflow gets it', async () => {
		service.rows.push(inbound('a', START_MS));
		const node = triggerNode({ receiveBy: 'polling', ...OPTIONS });
		const run = await engineWithTrigger(service.credential).runWorkflow({
			nodes: [node],
			mode: 'manual',
		});
		expect(run.json(TRIGGER)).toMatchObject([{ messages: [{ message_handle: 'a' }] }]);
	});
});

const steps = fc.oneof(
	{
		weight: 8,
		arbitrary: fc.record({
			does: fc.constant('text' as const),
			customer: fc.constantFrom('+15551230001', '+15551230002'),
			fate: fc.constantFrom('delivered', 'delivered', 'twice', 'lost', 'later'),
		}),
	},
	{
		weight: 4,
		arbitrary: fc.record({ does: fc.constant('pass' as const), seconds: fc.nat({ max: 12 }) }),
	},
	{ weight: 2, arbitrary: fc.record({ does: fc.constant('redeliver' as const) }) },
	{ weight: 2, arbitrary: fc.record({ does: fc.constant('check' as const) }) },
	{ weight: 1, arbitrary: fc.record({ does: fc.constant('stop' as const) }) },
	{ weight: 1, arbitrary: fc.record({ does: fc.constant('kill' as const) }) },
);
type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never;

test('every text is in one item once, whatever is lost, delivered twice, stopped or killed', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 30 }), async (taken) => {
			service.rows.length = 0;
			database = { workflowId: `burst-${(workflows += 1)}`, staticData: {} };
			const texted: string[] = [];
			const undelivered: Array<[handle: string, message: object]> = [];
			const processes = [await Listening.start()];
			const restart = async () => {
				await processes.at(-1)?.stop();
				processes.push(await Listening.start('init'));
				await processes.at(-1)?.run();
			};
			const redeliver = async () => {
				for (const text of undelivered) await processes.at(-1)?.webhook(...text);
			};
			const take = async (step: Step) => {
				const n8n = processes.at(-1);
				if (step.does === 'pass') await time.pass(step.seconds * SECOND_MS);
				if (step.does === 'redeliver') await redeliver();
				if (step.does === 'check') await n8n?.check();
				if (step.does === 'stop') await n8n?.stop();
				if (step.does === 'kill') await restart();
				if (step.does !== 'text') return;
				await time.pass(SECOND_MS);
				const handle = `t${texted.length}`;
				const message = { from: step.customer };
				texted.push(handle);
				service.rows.push(inbound(handle, time.nowMs(), message));
				if (step.fate === 'later') undelivered.push([handle, message]);
				if (['delivered', 'twice'].includes(step.fate)) await n8n?.webhook(handle, message);
				if (step.fate === 'twice') await n8n?.webhook(handle, message);
			};
			for (const step of taken) await take(step);
			for (let rest = 0; rest < 3; rest += 1) {
				await time.pass(6 * 60 * SECOND_MS);
				await processes.at(-1)?.check();
			}
			await restart();
			await redeliver();
			await time.pass(6 * 60 * SECOND_MS);

			const items = processes.flatMap((n8n) => n8n.items);
			const messages = items.flatMap((item) => item.messages as IDataObject[]);
			const handles = messages.map((message) => String(message.message_handle));
			expect(handles.sort()).toEqual([...texted].sort());
		}),
		{ numRuns: RUNS, interruptAfterTimeLimit: 240_000, markInterruptAsFailure: false },
	);
}, 300_000);
