import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
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
import { MINUTE_MS, SECOND_MS } from '../support/times';

const SECRET = derivedSecret('secret_abc');
const START_MS = Date.UTC(2026, 0, 1);
const OPTIONS = { options: { combineSeconds: 5, completeMessages: false } };

let time: VirtualTime;
let service: Awaited<ReturnType<typeof startHistory>>;
let database: Database;
let workflows = 0;

/** Runs of the property; a failing seed is printed by fast-check. */
const RUNS = Number(process.env.TRIGGER_RUNS ?? 60);

beforeEach(async () => {
	time = new VirtualTime(START_MS);
	service = await startHistory();
	database = { workflowId: `burst-${(workflows += 1)}`, staticData: {} };
});
afterEach(async () => {
	// What still waits in a process would wait for ever.
	await time.pass(60 * MINUTE_MS);
	await service.stop();
});

const listening = async (
	activation: 'activate' | 'init' = 'activate',
	parameters: INodeParameters = OPTIONS,
) => {
	const n8n = new Process(database, service.credential, parameters, time);
	await n8n.activate(activation);
	return n8n;
};

/** The history gets a text that no webhook brings. */
const missed = (handle: string, message: object = {}) =>
	service.rows.push(inbound(handle, time.nowMs(), { content: handle, ...message }));

const deliver = async (n8n: Process, handle: string, message: object = {}) => {
	const event = {
		...receiveEvent(handle, { text: handle, ...message }),
		created_at: new Date(time.nowMs()).toISOString(),
	};
	expect(await n8n.receive(event, SECRET, time.nowMs())).toBe(200);
};

/** A customer texts, and the webhook brings it. */
const text = async (n8n: Process, handle: string, message: object = {}) => {
	missed(handle, message);
	await deliver(n8n, handle, message);
};

/** Time passes; returns the items that start then. */
const pass = async (n8n: Process, durationMs: number) => {
	await time.pass(durationMs);
	return await n8n.execute();
};

const check = async (n8n: Process) => {
	await n8n.check();
	return await n8n.execute();
};

const contents = (items: IDataObject[]) => items.map(({ content }) => content);

describe('short texts of one conversation', () => {
	test('start the workflow with one item when no more of them have come for the time that is set', async () => {
		const n8n = await listening();
		for (const handle of ['Hi', 'are you open', 'tomorrow?']) {
			await text(n8n, handle);
			expect(await pass(n8n, 4 * SECOND_MS)).toEqual([]);
		}
		expect(await pass(n8n, SECOND_MS)).toMatchObject([
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
		expect([n8n.executions, n8n.blanks]).toEqual([[1], 0]);
	});

	test('become another item when they come after the end of the wait', async () => {
		const n8n = await listening();
		for (const handle of ['a', 'b']) {
			await text(n8n, handle);
			expect(contents(await pass(n8n, 5 * SECOND_MS))).toEqual([handle]);
		}
	});

	test('wait for two minutes at most, even if more keep coming', async () => {
		const n8n = await listening();
		const items: IDataObject[] = [];
		for (let second = 0; second < 120; second += 4) {
			await text(n8n, `${second}`);
			expect(items).toEqual([]);
			items.push(...(await pass(n8n, 4 * SECOND_MS)));
		}
		expect(items).toHaveLength(1);
		expect(items[0]?.messages).toHaveLength(30);
	});

	test('do not wait for the texts of another customer or another line', async () => {
		const n8n = await listening();
		await text(n8n, 'a');
		await text(n8n, 'b', { from: '+15551230002' });
		await text(n8n, 'c', { to: '+15550100002' });
		expect(contents(await pass(n8n, 5 * SECOND_MS)).sort()).toEqual(['a', 'b', 'c']);
	});

	test('start the workflow one by one, at once, where the option is not set', async () => {
		const n8n = await listening('activate', { options: { completeMessages: false } });
		for (const handle of ['a', 'b']) await text(n8n, handle);
		const items = await n8n.execute();
		expect(contents(items)).toEqual(['a', 'b']);
		expect(items[0]).not.toHaveProperty('messages');
	});
});

test('events other than texts do not wait', async () => {
	const n8n = await listening('activate', { ...OPTIONS, events: ['receive', 'outbound'] });
	const event = receiveEvent('sent', { status: 'sent', direction: 'outbound' });
	await n8n.receive({ ...event, type: 'outbound' }, SECRET, time.nowMs());
	expect(await n8n.execute()).toMatchObject([{ event: 'outbound', message_handle: 'sent' }]);
});

describe('texts that wait', () => {
	test('come together and once when n8n is killed', async () => {
		const killed = await listening();
		for (const handle of ['a', 'b', 'c']) await text(killed, handle);
		killed.kill();
		await time.pass(MINUTE_MS);
		const n8n = await listening('init');
		expect(await n8n.execute()).toMatchObject([{ content: 'a\nb\nc', recovered: true }]);
		await deliver(n8n, 'b');
		expect(await pass(n8n, 10 * SECOND_MS)).toEqual([]);
		expect(await check(n8n)).toEqual([]);
	});

	test('start the workflow when the wait ends, though a person stops and publishes it meanwhile', async () => {
		const n8n = await listening();
		await text(n8n, 'a');
		await time.pass(4 * SECOND_MS);
		await text(n8n, 'b');
		await n8n.release();
		await n8n.activate('activate');
		expect(await pass(n8n, 4 * SECOND_MS)).toEqual([]);
		expect(contents(await pass(n8n, SECOND_MS))).toEqual(['a\nb']);
		await time.pass(10 * MINUTE_MS);
		expect(await check(n8n)).toEqual([]);
	});

	test('come when the workflow was stopped and published, and n8n is killed then', async () => {
		const killed = await listening();
		for (const handle of ['a', 'b']) await text(killed, handle);
		await killed.release();
		await time.pass(2 * SECOND_MS);
		await killed.activate('activate');
		killed.kill();
		await time.pass(MINUTE_MS);
		expect(contents(await (await listening('init')).execute())).toEqual(['a\nb']);
	});
});

describe('the texts that a check brings', () => {
	test('are one item for each conversation, at once', async () => {
		const n8n = await listening();
		await time.pass(SECOND_MS);
		missed('a');
		missed('b', { from: '+15551230002' });
		missed('c');
		await time.pass(MINUTE_MS);
		expect(await check(n8n)).toMatchObject([
			{ content: 'a\nc', recovered: true },
			{ content: 'b', recovered: true },
		]);
	});

	test('join the texts of their conversation that wait, in the order in which they were written', async () => {
		const n8n = await listening();
		await time.pass(SECOND_MS);
		missed('a');
		await time.pass(31 * SECOND_MS);
		await text(n8n, 'b');
		expect(await check(n8n)).toEqual([]);
		expect(contents(await pass(n8n, 5 * SECOND_MS))).toEqual(['a\nb']);
	});
});

describe('in the editor', () => {
	test('a text shows at once, in the form in which the workflow gets it', async () => {
		const n8n = await listening();
		const run = await n8n.test(receiveEvent('a'), SECRET, time.nowMs());
		expect(run.json(TRIGGER)).toMatchObject([
			{ message_handle: 'a', messages: [{ message_handle: 'a' }] },
		]);
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
			from: fc.constantFrom('+15551230001', '+15551230002'),
			fate: fc.constantFrom('delivered', 'delivered', 'twice', 'lost', 'later'),
		}),
	},
	{
		weight: 4,
		arbitrary: fc.record({ does: fc.constant('pass' as const), seconds: fc.nat({ max: 12 }) }),
	},
	{ weight: 2, arbitrary: fc.record({ does: fc.constant('redeliver' as const) }) },
	{ weight: 2, arbitrary: fc.record({ does: fc.constant('check' as const) }) },
	{ weight: 3, arbitrary: fc.record({ does: fc.constant('execute' as const) }) },
	{ weight: 1, arbitrary: fc.record({ does: fc.constant('publish' as const) }) },
	{ weight: 1, arbitrary: fc.record({ does: fc.constant('kill' as const) }) },
);
type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never;

test('every text is in one item once, whatever is lost, delivered twice, published again or killed', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 30 }), async (taken) => {
			service.rows.length = 0;
			database = { workflowId: `burst-${(workflows += 1)}`, staticData: {} };
			const undelivered: Array<[handle: string, message: object]> = [];
			const items: IDataObject[] = [];
			let n8n = await listening();
			const restart = async () => {
				n8n.kill();
				n8n = await listening('init');
			};
			const redeliver = async () => {
				for (const one of undelivered) await deliver(n8n, ...one);
			};
			const take = async (step: Step) => {
				switch (step.does) {
					case 'pass':
						return await time.pass(step.seconds * SECOND_MS);
					case 'redeliver':
						return await redeliver();
					case 'check':
						return void (await n8n.check());
					case 'execute':
						return void items.push(...(await n8n.execute()));
					case 'publish':
						await n8n.release();
						return await n8n.activate('update');
					case 'kill':
						return await restart();
					case 'text': {
						await time.pass(SECOND_MS);
						const { fate, from } = step;
						const handle = `t${service.rows.length}`;
						missed(handle, { from });
						if (fate === 'later') undelivered.push([handle, { from }]);
						if (fate === 'delivered' || fate === 'twice') await deliver(n8n, handle, { from });
						if (fate === 'twice') await deliver(n8n, handle, { from });
					}
				}
			};
			for (const step of taken) await take(step);
			for (let rest = 0; rest < 2; rest += 1) {
				await time.pass(6 * MINUTE_MS);
				items.push(...(await check(n8n)));
			}
			await restart();
			await redeliver();
			items.push(...(await pass(n8n, 6 * MINUTE_MS)));

			const messages = items.flatMap((item) => item.messages as IDataObject[]);
			const came = messages.map((message) => String(message.message_handle));
			const texted = service.rows.map((row) => row.message_handle);
			expect(came.sort()).toEqual(texted.sort());
		}),
		{ numRuns: RUNS, interruptAfterTimeLimit: 240_000, markInterruptAsFailure: false },
	);
}, 300_000);
