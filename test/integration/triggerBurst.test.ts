import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { MINUTE_MS, SECOND_MS } from '../support/times';
import { historyWorld, HOUR_MS, SECRET } from './historyWorld';
import { inbound } from './triggerHistory';
import type { Process } from './triggerProcess';
import { engineWithTrigger, receiveEvent, TRIGGER, triggerNode } from './triggerWorkflow';
import { VirtualTime } from './virtualTime';

const COMBINING = { options: { combineSeconds: 5, completeMessages: false } };

const world = historyWorld();

beforeEach(() => void (world.clock = new VirtualTime(world)));
// What still waits in a process would wait for ever.
afterEach(async () => await world.pass(HOUR_MS));

const listening = async (parameters: INodeParameters = COMBINING) =>
	await world.started(parameters);

/** The history gets a text that no webhook brings. */
const missed = (handle: string, message: object = {}) =>
	world.rows(inbound(handle, world.nowMs, { content: handle, ...message }));

const deliver = async (n8n: Process, handle: string, message: object = {}) => {
	const created_at = new Date(world.nowMs).toISOString();
	const event = { ...receiveEvent(handle, { text: handle, ...message }), created_at };
	expect(await n8n.receive(event, SECRET, world.nowMs)).toBe(200);
};

/** A customer texts, and the webhook brings it. */
const text = async (n8n: Process, handle: string, message: object = {}) => {
	missed(handle, message);
	await deliver(n8n, handle, message);
};

/** Time passes; returns the items that start then. */
const pass = async (n8n: Process, durationMs: number) => {
	await world.pass(durationMs);
	return await n8n.execute();
};

const contents = (items: IDataObject[]) => items.map(({ content }) => content);

describe('short texts of one conversation', () => {
	test('start the workflow with one item when no more of them have come for the time that is set', async () => {
		const n8n = await listening();
		const handles = ['Hi', 'are you open', 'tomorrow?'];
		for (const handle of handles) {
			await text(n8n, handle);
			expect(await pass(n8n, 4 * SECOND_MS)).toEqual([]);
		}
		expect(await pass(n8n, SECOND_MS)).toMatchObject([
			{
				event: 'receive',
				message_handle: 'tomorrow?',
				content: 'Hi\nare you open\ntomorrow?',
				recovered: false,
				messages: handles.map((handle) => ({ message_handle: handle })),
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
		const n8n = await listening({});
		for (const handle of ['a', 'b']) await text(n8n, handle);
		const items = await n8n.execute();
		expect(contents(items)).toEqual(['a', 'b']);
		expect(items[0]).not.toHaveProperty('messages');
	});
});

test('events other than texts do not wait', async () => {
	const n8n = await listening({ ...COMBINING, events: ['receive', 'outbound'] });
	const event = receiveEvent('sent', { status: 'sent', direction: 'outbound' });
	expect(await world.receive(n8n, { ...event, type: 'outbound' })).toEqual(['sent']);
});

describe('texts that wait', () => {
	test('come together and once when n8n is killed', async () => {
		const killed = await listening();
		for (const handle of ['a', 'b', 'c']) await text(killed, handle);
		killed.kill();
		await world.pass(MINUTE_MS);
		const n8n = await world.restarted(COMBINING);
		expect(await n8n.execute()).toMatchObject([{ content: 'a\nb\nc', recovered: true }]);
		await deliver(n8n, 'b');
		expect(await pass(n8n, 10 * SECOND_MS)).toEqual([]);
		expect(await world.check(n8n)).toEqual([]);
	});

	test('start the workflow when the wait ends, though a person stops and publishes it meanwhile', async () => {
		const n8n = await listening();
		await text(n8n, 'a');
		await world.pass(4 * SECOND_MS);
		await text(n8n, 'b');
		await world.publishAgain(n8n, 'activate');
		expect(await pass(n8n, 4 * SECOND_MS)).toEqual([]);
		expect(contents(await pass(n8n, SECOND_MS))).toEqual(['a\nb']);
		await world.pass(10 * MINUTE_MS);
		expect(await world.check(n8n)).toEqual([]);
	});

	test('come when the workflow was stopped and published, and n8n is killed then', async () => {
		const killed = await listening();
		for (const handle of ['a', 'b']) await text(killed, handle);
		await world.publishAgain(killed, 'activate', { afterMs: 2 * SECOND_MS });
		killed.kill();
		await world.pass(MINUTE_MS);
		const n8n = await world.restarted(COMBINING);
		expect(contents(await n8n.execute())).toEqual(['a\nb']);
	});
});

describe('the texts that a check brings', () => {
	test('are one item for each conversation, at once', async () => {
		const n8n = await listening();
		await world.pass(SECOND_MS);
		for (const [handle, from] of Object.entries({ a: 1, b: 2, c: 1 })) {
			missed(handle, { from: `+1555123000${from}` });
		}
		expect(await world.check(n8n)).toMatchObject([
			{ content: 'a\nc', recovered: true },
			{ content: 'b', recovered: true },
		]);
	});

	test('join the texts of their conversation that wait, in the order in which they were written', async () => {
		const n8n = await listening();
		await world.pass(SECOND_MS);
		missed('a');
		await world.pass(31 * SECOND_MS);
		await text(n8n, 'b');
		expect(await world.check(n8n, 0)).toEqual([]);
		expect(contents(await pass(n8n, 5 * SECOND_MS))).toEqual(['a\nb']);
	});
});

test('in the editor a text and a sample have the form in which the workflow gets them', async () => {
	const n8n = await listening();
	const run = await n8n.test(receiveEvent('a'), SECRET, world.nowMs);
	missed('a');
	const node = triggerNode({ receiveBy: 'polling', ...COMBINING });
	const engine = engineWithTrigger(world.service.credential);
	const sample = await engine.runWorkflow({ nodes: [node], mode: 'manual' });
	const shown = [{ message_handle: 'a', messages: [{ message_handle: 'a' }] }];
	expect([run.json(TRIGGER), sample.json(TRIGGER)]).toMatchObject([shown, shown]);
});
