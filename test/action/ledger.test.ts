import type { IExecuteFunctions, INode } from 'n8n-workflow';
import type { Clock } from '../../nodes/TwoWayMessaging/clock';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { Ledger, newEntry } from '../../nodes/TwoWayMessaging/action/sending/ledger';
import { startRun } from '../../nodes/TwoWayMessaging/service/run';
import { HOUR_MS } from '../support/times';

/** One run of a node by n8n; another one is Retry On Fail, unless something of this differs. */
type RunOfNode = { execution: string; node: Partial<INode>; runIndex: number };

const RUN: RunOfNode = { execution: '1', node: { id: 'n1', name: 'Send' }, runIndex: 0 };

let nowMs: number;
let memory: ProcessMemory;
let ledger: Ledger;

const clock: Clock = { nowMs: () => nowMs, sleep: async () => {} };

beforeEach(() => {
	nowMs = 0;
	memory = new ProcessMemory(clock);
	ledger = memory.part(Ledger);
});

/** @param call n8n's object of an AI agent's call; absent where the node runs as every node does */
const callerOf = (changes: Partial<RunOfNode> = {}, call?: object) => {
	const { execution, node, runIndex } = { ...RUN, ...changes };
	let reads = 0;
	const context = {
		getNode: () => node,
		getExecutionId: () => execution,
		getWorkflowDataProxy: () => {
			reads += 1;
			return { $runIndex: runIndex };
		},
		isToolExecution: () => call !== undefined,
		getInputData: () => [{ json: call }],
	};
	return { context: context as unknown as IExecuteFunctions, reads: () => reads };
};

const entryOf = async (changes: Partial<RunOfNode> = {}, itemIndex = 0, call?: object) =>
	await ledger.entryOf(startRun(callerOf(changes, call).context, memory), itemIndex);

describe('the entry of an item', () => {
	test('begins without anything sent, and with a name of its own that a URL may hold', async () => {
		const entry = await entryOf();
		const other = await entryOf({}, 1);

		expect(entry).toEqual({
			token: expect.stringMatching(/^[\w-]{12}$/),
			state: 'untried',
			isSentAgain: false,
		});
		expect(other.token).not.toBe(entry.token);
	});

	test('is the same when Retry On Fail runs the node again', async () => {
		expect(await entryOf()).toBe(await entryOf());
	});

	test.each<[string, Partial<RunOfNode>, number]>([
		['execution', { execution: '2' }, 0],
		['node', { node: { id: 'n2', name: 'Send' } }, 0],
		['run of the node, as a loop reaches it again', { runIndex: 1 }, 0],
		['item', {}, 1],
	])('is another one for another %s', async (_, changes, itemIndex) => {
		expect(await entryOf(changes, itemIndex)).not.toBe(await entryOf());
	});

	test('is not mistaken for that of another item in another run', async () => {
		expect(await entryOf({ runIndex: 1 }, 11)).not.toBe(await entryOf({ runIndex: 11 }, 1));
	});

	test('is known by the name of its node where n8n gives the node no ID', async () => {
		const node = { id: '', name: 'Send' };
		expect(await entryOf({ node })).toBe(await entryOf({ node }));
		expect(await entryOf({ node })).not.toBe(await entryOf({ node: { id: '', name: 'Other' } }));
	});

	test('is another one in another process', async () => {
		const entry = await entryOf();
		ledger = new Ledger(clock);
		expect(await entryOf()).not.toBe(entry);
	});

	test('is forgotten after eight days: a service may ask to wait for days', async () => {
		const entry = await entryOf();
		nowMs = 8 * 24 * HOUR_MS - 1;
		expect(await entryOf()).toBe(entry);
		nowMs = 8 * 24 * HOUR_MS;
		expect(await entryOf()).not.toBe(entry);
	});

	test('is found with one reading of n8n’s index for all items of a run', async () => {
		const { context, reads } = callerOf();
		const run = startRun(context, memory);
		for (const item of [0, 1, 2]) await ledger.entryOf(run, item);
		expect(reads()).toBe(1);
	});
});

describe('the entry of a call by an AI agent', () => {
	test('is the same in every try of the call, although n8n counts each as a run', async () => {
		const call = {};
		expect(await entryOf({ runIndex: 1 }, 0, call)).toBe(await entryOf({}, 0, call));
	});

	test('is another one for another call, although nothing else differs', async () => {
		expect(await entryOf({}, 0, {})).not.toBe(await entryOf({}, 0, {}));
	});
});

describe('an entry', () => {
	test('is found by each of its names, until one of them is forgotten or is given to another', () => {
		const [one, other] = [newEntry(), newEntry()];
		ledger.file('a', one);
		ledger.file('b', one);
		ledger.forget('a');
		expect([ledger.find('a'), ledger.find('b')]).toEqual([undefined, one]);
		ledger.file('b', other);
		expect(ledger.find('b')).toBe(other);
	});

	test('is forgotten when 50,000 others were named since, under all of its names', () => {
		const first = ledger.file('first', newEntry());
		ledger.markSent(first, { message_handle: 'm1' });
		const fill = (count: number) => {
			for (let at = 0; at < count; at += 1) ledger.file(`${count} ${at}`, newEntry());
		};
		fill(49_999);
		expect(ledger.find('first')).toBe(first);
		expect(ledger.sentAtMs('m1')).toBe(0);
		fill(1);
		expect(ledger.find('first')).toBeUndefined();
		expect(ledger.sentAtMs('m1')).toBeUndefined();
	});
});
